import { expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { withDatabase } from '../../test/database.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { fileRequest, servicesOf, tally } from '../../test/services.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { ensureSettings } from '../settings/settings.ts'

// Seen to fail without the index topup_requests_live_utr (fifteen went through), because no read sees uncommitted
// rows.
test('400 requests for one transfer, by 40 buyers at once, are one request and 399 refusals', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const buyers = await Promise.all(Array.from({ length: 40 }, () => givenUser(db)))
    // Makes the settings first, or the other requests wait for the first one there
    await ensureSettings(db)

    const results = await Promise.allSettled(
      Array.from({ length: 400 }, (_, index) =>
        fileRequest(services, buyers[index % 40] ?? '', { utr: '412345678901' }),
      ),
    )

    expect(tally(results)).toEqual({ done: 1, UTR_ALREADY_USED: 399 })
  }))

/** Requests these, each of another buyer, at the same moment. */
async function requestAtOnce(db: Database, utrs: readonly string[]) {
  const buyers = await Promise.all(utrs.map(() => givenUser(db)))
  await ensureSettings(db)
  const { waiting } = await db.transaction(async (tx) => {
    await tx.run(sql`select from wallets where user_id = any(${buyers}::uuid[]) for update`)
    const asked = utrs.map((utr, n) => fileRequest(servicesOf(db), buyers[n] ?? '', { utr }))
    await untilBlocked(db, buyers.length)
    return { waiting: asked }
  })
  return Promise.allSettled(waiting)
}

// Seen to fail with a lock on the last twelve digits alone: both of a pair are filed.
test('a number and a reference that begins with it, at the same moment, are one request', () =>
  withDatabase(async (db) => {
    const numbers = [0, 1, 2, 3, 4].map((n) => `41234567890${n}`)
    const results = await requestAtOnce(
      db,
      numbers.flatMap((number) => [`SBIN${number}123456`, number]),
    )
    expect(tally(results)).toEqual({ done: 5, UTR_ALREADY_USED: 5 })
  }))

// Seen to fail with locks on numbers of twelve digits alone: all of them are filed.
test('a reference of eleven digits in eight spellings, by eight buyers at once, is one request', () =>
  withDatabase(async (db) => {
    const spellings = ['AXISP00123456789', 'UTIBP00123456789', 'AXISP00123456789X', 'AXISP0O123456789']
    const results = await requestAtOnce(
      db,
      spellings.flatMap((each) => [each, `${each}Z`]),
    )
    expect(tally(results)).toEqual({ done: 1, UTR_ALREADY_USED: 7 })
  }))

// Seen to fail without the advisory lock in request-top-up.ts: all are filed, because each is another text.
test('v5.0.0-2.3.1 one transfer with the letters of eight banks, by eight buyers at once, is one request', () =>
  withDatabase(async (db) => {
    const ofBanks = 'KLMNOPQ'.split('').map((letter) => `BAN${letter}412345678901`)
    const results = await requestAtOnce(db, ['412345678901', ...ofBanks])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // Sends another number of the same bank, which is another transfer
    const buyer = await givenUser(db)
    for (const utr of ['BANK412345678902', 'BANKR52026112212345678', 'BANKR52026112212345679'])
      await fileRequest(servicesOf(db), buyer, { utr })
  }))
