/**
 * Text that is made to be slow to read: no call of the contract takes long over any of it (security.md: 1.2.9, 1.3.3).
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { openShop } from '../worlds/shop.ts'
import { withStore } from '../store.ts'

/** All but the largest body that every call takes: 100 kB. */
const BYTES = 90_000

/** As JSON, of so many bytes. */
const HEAVY: Record<string, (bytes: number) => string> = {
  'marks on one letter, in two classes': (bytes) => JSON.stringify(`a${filled('\u0301\u0316', bytes)}`),
  'marks in the wrong order': (bytes) =>
    JSON.stringify(`a${filled('\u0301', bytes / 2)}${filled('\u0316', bytes / 2)}`),
  'what unfolds into marks, between marks': (bytes) => JSON.stringify(`a${filled('\uff9e\u0316', bytes)}`),
  'one letter': (bytes) => JSON.stringify(filled('a', bytes)),
  'one digit': (bytes) => filled('1', bytes),
  'spaces and an end': (bytes) => JSON.stringify(`${filled(' ', bytes)}x`),
  'names of an address': (bytes) => JSON.stringify(`a@${filled('a.', bytes)}@`),
  'a pattern': (bytes) => JSON.stringify(filled('(a+)+$', bytes)),
  'ligatures that unfold': (bytes) => JSON.stringify(filled('\uFDFA', bytes)),
  'digits of another script': (bytes) => JSON.stringify(filled('\u{1D7CE}', bytes)),
  durations: (bytes) => JSON.stringify(filled('1 Day ', bytes)),
  'a deep list': (bytes) => filled('[', bytes / 2) + filled(']', bytes / 2),
  'a list of marks': (bytes) => JSON.stringify([`a${filled('\u0316\u0301', bytes)}`]),
  'a large number': () => '1e308',
}
const filled = (text: string, bytes: number) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)))

/**
 * Of the processor, which a busy machine cannot add to; with a password to compare it is some 40. The marks took 4,000.
 */
const CALL_CPU_MS_MAX = 300

const fieldsOf = ({ input }: Endpoint) =>
  Object.keys((input as unknown as { _zod: { def: { shape: object } } })._zod.def.shape)

// Without the look at runs of marks in contract/fields.ts a login with such a name stops the whole store for seconds.
test('v5.0.0-1.2.9 no text in any field holds up the store, and none is a 500', { timeout: 240_000 }, () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer()
    const wrong: string[] = []
    for (const { endpoint, name, path } of endpoints) {
      const fields = fieldsOf(endpoint)
      if (endpoint.method === 'GET' || endpoint.method === 'DELETE' || fields.length === 0) continue
      const caller = endpoint.access === 'admin' ? shop.owner : endpoint.access === 'user' ? buyer : shop.visitor()
      for (const [what, write] of Object.entries(HEAVY)) {
        const written = fields.map((field) => `"${field}":${write(BYTES / fields.length)}`)
        const before = process.cpuUsage()
        const { status } = await caller.call(endpoint.method, path, `{${written.join(',')}}`)
        const { user, system } = process.cpuUsage(before)
        const tookMs = Math.round((user + system) / 1_000)
        if (status >= 500 || tookMs > CALL_CPU_MS_MAX) wrong.push(`${name} with ${what}: ${status} after ${tookMs} ms`)
      }
    }
    expect(wrong).toEqual([])
  }),
)

/** All but the longest address that Node takes. */
const ADDRESS_BYTES = 15_000
const ADDRESSES = {
  'slashes and an end': `${filled('/', ADDRESS_BYTES)}x`,
  slashes: filled('/', ADDRESS_BYTES),
  'dots and an end': `/${filled('.', ADDRESS_BYTES)}/`,
  'one letter': `/${filled('a', ADDRESS_BYTES)}`,
  'escaped signs': `/${filled('%2f', ADDRESS_BYTES)}x`,
  questions: `/?${filled('?', ADDRESS_BYTES)}`,
}
/** One alone may take less than is seen to be too much. */
const ASKED_TIMES = 10

// By the pattern /\/+$/ the slashes took a tenth of a second each time.
test('v5.0.0-1.2.9 no address of a page holds up the store', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-pages-'))
  cpSync('web/index.html', path.join(directory, 'index.html'))
  cpSync('web/public/unavailable.html', path.join(directory, 'unavailable.html'))
  return withStore(
    async (store) => {
      await openShop(store)
      const wrong: string[] = []
      for (const [what, address] of Object.entries(ADDRESSES)) {
        const before = process.cpuUsage()
        const statuses = new Set<number>()
        for (let n = 0; n < ASKED_TIMES; n++) statuses.add((await fetch(`${store.url}${address}`)).status)
        const { user, system } = process.cpuUsage(before)
        const tookMs = Math.round((user + system) / 1_000)
        if ([...statuses].some((status) => status >= 500) || tookMs > CALL_CPU_MS_MAX)
          wrong.push(`${what}: ${[...statuses].join()} after ${tookMs} ms`)
      }
      expect(wrong).toEqual([])
    },
    { webDirectory: directory },
  ).finally(() => rmSync(directory, { recursive: true }))
})
