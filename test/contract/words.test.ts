/** What is wrong with any field can be said in every language. */
import { test } from 'vitest'
import * as z from 'zod/mini'
import { issueText } from '../../server/platform/http/requests.ts'
import { endpoints } from './endpoints.ts'
import { expectSaid } from './said.ts'

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
      for (const message of faults) expectSaid({ message }, endpoint)
    })
}
