/** Shows that the search through a test run's logs and prints finds secrets. scripts/test.mjs ends with that search. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findCanaries } from '../scripts/canaries.ts'
import { newToken } from '../server/platform/ids.ts'
import { alertOf } from './worlds/phones.ts'
import { nextUtr, OWNER, PASSWORD } from './worlds/shop.ts'
import { unique } from './worlds/constants.ts'

/** @param lines of a file `name` @returns what is found there */
function searched(name: string, lines: readonly string[], least = 0): string[] {
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-canaries-'))
  try {
    writeFileSync(path.join(directory, name), lines.join('\n'))
    return findCanaries(directory, least).found
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const HARMLESS = [
  '{"level":30,"time":1795290548175,"reqId":"0b0a3f2e-6a3c-4f0a-8a55-5d2f3b9c7d10",' +
    '"ms":1000000.12345,"msg":"answered"}',
  ' ✓ server/sessions/register.test.ts (12 tests) 4215ms',
]

test('finds a password, a key, a phone, a UTR, a VPA, an SMS and a token, each in the midst of a line', () => {
  const planted = {
    password: [PASSWORD, OWNER.password],
    key: [unique('KEY-')],
    phone: ['9876543210'],
    UTR: [nextUtr()],
    'payer VPA': ['ravi@okaxis', 'RAVI@OKAXIS'],
    'SMS text': alertOf({ ref: '1', vpa: 'nobody' }).split('\n'),
    token: [newToken()],
  }
  for (const [kind, texts] of Object.entries(planted))
    for (const text of texts)
      expect(searched('store.log', [...HARMLESS, `{"msg":"x${kind === 'token' ? '=' : ''}${text}, y"}`])).toEqual([
        `store.log:3 holds a ${kind}`,
      ])
})

test('finds nothing in what is harmless, and says so when it had too little to search', () => {
  expect(searched('store.log', HARMLESS)).toEqual([])
  expect(searched('store.log', HARMLESS, 3)).toEqual(['only 2 lines of logs were searched, of at least 3'])
})
