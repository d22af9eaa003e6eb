/** The bank that a file names, by its full name or the IFSC of a branch. */
import { BANKS } from '../../../contract/banks.ts'

const IN_FILES = BANKS.map(({ key, name, ifsc }) => {
  const words = name.replaceAll(' ', String.raw`\s+`).replace('&', '(?:&|and)')
  return { key, form: new RegExp(String.raw`\b${words}\b|\b${ifsc}0\w{6}\b`, 'i') }
})

/** @returns its key */
export const bankNamedIn = (text: string): string | undefined => IN_FILES.find(({ form }) => form.test(text))?.key
