/** Nonsense at the phone's door. `FUZZ=10000` sends as much as its goal names. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withStore } from '../../../test/store.ts'
import { alertOf, phone } from '../../../test/worlds/phones.ts'
import { openShop } from '../../../test/worlds/shop.ts'

const TIMES = Number(process.env.FUZZ ?? 300)

const pieces = fc.constantFrom(
  '{',
  '}',
  '"',
  '\\',
  '\\ud800',
  '\0',
  '[',
  '%',
  '&text=',
  '"from":',
  'HDFCBK',
  alertOf({}),
  '₹',
  '१२',
)
const body = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
  fc.json(),
  fc
    .record({ text: fc.anything(), from: fc.anything(), receivedStamp: fc.anything() })
    .map((fields) => JSON.stringify(fields) ?? ''),
)
const type = fc.constantFrom(
  'application/json',
  'text/plain; charset=utf-8',
  'application/x-www-form-urlencoded',
  'image/png',
  'a',
  '',
)

test(`the phone’s door answers ${TIMES} kinds of nonsense, and none with 5xx`, { timeout: 600_000 }, () =>
  withStore(
    async (store) => {
      const shop = await openShop(store)
      const { token } = await phone(shop)
      const statuses = new Map<number, number>()
      const samples = fc.sample(fc.tuple(body, type), TIMES)
      const visitor = shop.visitor()
      while (samples.length > 0)
        await Promise.all(
          samples.splice(0, 20).map(async ([text, contentType]) => {
            const headers = {
              authorization: `Bearer ${token}`,
              'content-type': contentType,
              'x-alert-sender': 'HDFCBK',
            }
            const { status } = await visitor.call('POST', '/bank/alerts', text, headers)
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
          }),
        )

      expect([...statuses]).toEqual([[200, TIMES]])
    },
    { rateLimitScale: 1_000_000 },
  ),
)
