/** What the server says to buyers can be said in every language: refusals, the faults of fields, and what went well. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { LANGUAGE_CODES } from '../../contract/languages.ts'
import { translator, type Said } from '../../contract/words.ts'
import { issueText } from '../../server/platform/http/requests.ts'
import { endpoints } from './endpoints.ts'
import { oneShop } from './one-shop.ts'
import { readFileSync } from 'node:fs'

const one = oneShop()
const others = LANGUAGE_CODES.filter((language) => language !== 'en')
const wordsOf = (name: string) => JSON.parse(readFileSync(`web/words/${name}.json`, 'utf8')) as Record<string, string>

/** Texts for other programs than the store's pages, which send none of these. */
const FOR_PROGRAMS = new RegExp(
  '^(?:\\d+ keys purchased|Only the person who runs|Idempotency-Key|limit must|skip must|' +
    'This is not a valid id|Please send|Enter a date like|Invalid input)',
)

interface Body {
  message?: string
  say?: Said
  fields?: Record<string, string>
}

/** @returns the texts that no catalogue has */
function unsaid({ message, say, fields = {} }: Body, { access }: Pick<Endpoint, 'access'>): string[] {
  const own = Object.values(fields).filter((fault) => fault !== message)
  return others.flatMap((language) => {
    const words = {
      ...wordsOf(language),
      ...(access === 'admin' || access === 'device' ? wordsOf(`${language}-panel`) : {}),
    }
    return [...(say ? [say[0]] : message ? [message] : []), ...own]
      .filter((text) => !FOR_PROGRAMS.test(text) && !(countless(text) in words))
      .map((text) => `${language}: ${text}`)
  })
}

/** The field of the UTR counts digits, and says so itself (web/payments/add-money/utr-field.tsx). */
const countless = (text: string) => text.replace(/(?<=This one has )\d+/, '{count}')

for (const { name, endpoint, succeed, provoke } of endpoints) {
  for (const [code, act] of provoke) {
    test(`${name} says ${code} in every language`, async () => {
      const body = (await act(one.shop)).body as Body
      expect(unsaid(body, endpoint)).toEqual([])
      if (body.say) expect(translator('en')(...body.say)).toBe(body.message)
    })
  }
  // What buyers' screens show of it
  if (endpoint.access === 'user' || endpoint.access === 'public')
    test(`${name} says in every language what went well`, async () => {
      const { body } = await succeed(one.shop)
      expect(
        unsaid(typeof body === 'object' && body ? { message: (body as Body).message ?? '' } : {}, endpoint),
      ).toEqual([])
    })
}

const LONG = 'x'.repeat(20_000)
/** Values that a form may send by mistake. */
const MISTAKES = [
  undefined,
  null,
  '',
  ' ',
  LONG,
  'a\u0007b',
  '@ @',
  '0',
  '-1',
  '1.234',
  '99999999',
  -1,
  0,
  1.5,
  1e9,
  true,
  [],
  {},
]

for (const { name, endpoint } of endpoints) {
  const shape = endpoint.input instanceof z.ZodMiniObject ? endpoint.input.shape : {}
  for (const [field, schema] of Object.entries(shape) as [string, z.ZodMiniType][])
    test(`${name} says in every language what is wrong with ${field}`, () => {
      const faults = new Set(
        MISTAKES.flatMap((value) => z.safeParse(schema, value).error?.issues ?? [])
          .filter(({ path }) => path.length === 0)
          .map(issueText),
      )
      expect([...faults].flatMap((fault) => unsaid({ message: fault }, endpoint))).toEqual([])
    })
}
