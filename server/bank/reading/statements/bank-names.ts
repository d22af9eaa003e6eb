/** The bank that a file names, by the IFSC of a branch or by its full name. */
import { BANKS } from '../../../../contract/banks.ts'

const IFSC = /(?<![a-z\d])[a-z]{4}(?=0[a-z\d]{6}(?![a-z\d]))/gi
const NAMES = BANKS.map(({ key, name }) => {
  const words = name.replaceAll(' ', String.raw`\s+`).replace('&', '(?:&|and)')
  return { key, form: new RegExp(String.raw`\b${words}\b`, 'i') }
})

/** An address may name another bank. @returns its key */
export function bankNamedIn(text: string): string | undefined {
  const codes = text.match(IFSC)?.map((code) => code.toUpperCase()) ?? []
  const [branch] = codes.flatMap((code) => BANKS.find(({ ifsc }) => ifsc === code) ?? [])
  return branch?.key ?? NAMES.find(({ form }) => form.test(text))?.key
}
