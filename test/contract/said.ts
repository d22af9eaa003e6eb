/** What the server says to buyers can be said in every language: refusals, the faults of fields, and what went well. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { LANGUAGE_CODES } from '../../contract/languages.ts'
import { translator, type Said } from '../../contract/words.ts'

const read = (name: string) => JSON.parse(readFileSync(`web/words/${name}.json`, 'utf8')) as Record<string, string>
const CATALOGUES = LANGUAGE_CODES.filter((language) => language !== 'en').map((language) => {
  const buyers = read(language)
  const panel = { ...buyers, ...read(`${language}-panel`) }
  return { language, buyers, panel, supply: { ...panel, ...read(`${language}-supply`) } }
})

/** Faults that only other programs make. The store's pages never send such an input. */
const FOR_PROGRAMS = new RegExp(
  '^(?:\\d+ keys purchased|Only the person who runs|Idempotency-Key|limit must|skip must|' +
    'This is not a valid id|Please send|Enter a date like|Enter a moment like|Invalid input)',
)

export interface Body {
  message?: string
  say?: Said
  fields?: Record<string, string>
}

/** Expects every text of an answer in every catalogue of its readers, and its parts to make the text. */
export function expectSaid(
  { message, say, fields = {} }: Body,
  { access, path }: Pick<Endpoint, 'access' | 'path'>,
): void {
  const own = Object.values(fields).filter((fault) => fault !== message)
  const texts = [...(say ? [say[0]] : message ? [message] : []), ...own]
  const isPanel = access === 'admin' || access === 'device'
  // Only the suppliers' screens call these, and they bring a catalogue
  const reader = isPanel ? (path.startsWith('/supply/') ? 'supply' : 'panel') : 'buyers'
  const missing = CATALOGUES.flatMap(({ language, [reader]: words }) =>
    texts
      .filter((text) => !FOR_PROGRAMS.test(text) && !(countless(text) in words))
      .map((text) => `${language}: ${text}`),
  )
  expect(missing).toEqual([])
  if (say) expect(translator('en')(...say)).toBe(message)
}

/** The field of the UTR counts digits, and says so itself (web/payments/add-money/utr-field.tsx). */
const countless = (text: string) => text.replace(/(?<=This one has )\d+/, '{count}')
