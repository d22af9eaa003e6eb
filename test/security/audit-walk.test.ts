/** Every change by an admin is in the audit log, once (security.md: 16.3.1–16.3.4): counted over the whole contract. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { verifyAuditChain } from '../../server/audit/audit-chain.ts'
import { sql } from '../../server/platform/database/database.ts'
import { endpoints } from '../contract/endpoints.ts'
import { openShop } from '../worlds/shop.ts'
import { overhearing, withStore } from '../store.ts'

/** How many entries a call leaves where it is not one for a change by an admin, and none for all else. */
const ENTRIES: Record<string, number> = {
  'POST /admin/login': 1,
  // A phone has no session, and its owner has invited it
  'POST /bank/devices/pair': 1,
  // A buyer's own, but they open the account to a program
  'POST /tokens': 1,
  'DELETE /tokens/{id}': 1,
  // Says what would happen
  'POST /keys/bulk/check': 0,
  'POST /bank/statements/preview': 0,
  'POST /supply/links/check': 0,
  'POST /supply/links/try': 0,
  // Their store does not answer here
  'POST /claims/{id}/supplier': 0,
  // Rejects the request, and approves one of what the bank shows
  'PUT /payments/{id}/credit-instead': 2,
  // Sends the same again
  'POST /messages/channels/{name}/test': 0,
  'POST /messages/{id}/retry': 0,
  // No claim of its batch is open
  'POST /keys/batches/{id}/answer': 0,
  // The session's own affair: nobody gains or loses a right
  'POST /admin/step-up': 0,
  'POST /admin/active': 0,
  // Counts for nothing until it is confirmed, which is written down
  'POST /admin/totp/enrol': 0,
  // Data that leaves the store: an entry before, and one after with its size
  'POST /keys/export': 2,
  'GET /payments/purchases/export': 1,
  'GET /payments/export': 1,
  'GET /admin/audit/export': 1,
  'GET /payments/{id}/proof': 1,
  // It does not count yet, and shall not
  'PUT /bank/forms/{id}': 0,
}

const matchers = endpoints
  .map(({ name, endpoint }) => ({
    name,
    endpoint,
    path: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  // The literal one before the one with a place for anything: /keys/bulk before /keys/{id}
  .toSorted((a, b) => Number(a.endpoint.path.includes('{')) - Number(b.endpoint.path.includes('{')))

function entriesOf(method: string, path: string): number {
  const found = matchers.find((each) => each.endpoint.method === method && each.path.test(path.split('?')[0] ?? ''))
  if (!found) throw new Error(`No endpoint for ${method} ${path}`)
  return ENTRIES[found.name] ?? (found.endpoint.access === 'admin' && method !== 'GET' ? 1 : 0)
}

test('v5.0.0-16.3.3 each call of the contract leaves as many entries as it should, and the chain is whole', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const count = async () =>
      (await store.db.one(sql(z.object({ count: z.number() }))`select count(*) as count from audit_entries`)).count
    const wrong: string[] = []
    for (const { name, succeed } of endpoints) {
      // They have a store of their own
      if (name === 'POST /auth/reset-device-lock' || name === 'POST /bank/devices') continue
      const before = await count()
      let expected = 0
      await overhearing(
        ({ method, path, status }) => void (expected += status < 300 ? entriesOf(method, path) : 0),
        () => succeed(shop),
      )
      // The last entry of an export is written when its last line has left
      await expect
        .poll(async () => (await count()) - before, { timeout: 2_000, interval: 5 })
        .toBe(expected)
        .catch(async () => wrong.push(`${name}: ${(await count()) - before} entries, not ${expected}`))
    }
    expect(wrong).toEqual([])
    expect(await verifyAuditChain(store.db)).toEqual([])
  }))
