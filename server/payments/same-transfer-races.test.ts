import { expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { withDatabase } from '../../test/database.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { fileRequest, servicesOf, tally } from '../../test/services.ts'
import { sql } from '../platform/database/database.ts'
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

// Seen to fail with a lock on the last twelve digits alone: both of a pair are filed.
test('a number and a reference that begins with it, at the same moment, are one request', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const buyers = await Promise.all(Array.from({ length: 10 }, () => givenUser(db)))
    await ensureSettings(db)
    const { waiting } = await db.transaction(async (tx) => {
      await tx.run(sql`select from wallets where user_id = any(${buyers}::uuid[]) for update`)
      const asked = buyers.map((buyer, n) => {
        const number = `41234567890${Math.floor(n / 2)}`
        return fileRequest(services, buyer, { utr: n % 2 ? number : `SBIN${number}123456` })
      })
      await untilBlocked(db, buyers.length)
      return { waiting: asked }
    })
    expect(tally(await Promise.allSettled(waiting))).toEqual({ done: 5, UTR_ALREADY_USED: 5 })
  }))

// Seen to fail with locks on numbers of twelve digits alone: all of them are filed.
test('a reference of eleven digits in eight spellings, by eight buyers at once, is one request', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const buyers = await Promise.all(Array.from({ length: 8 }, () => givenUser(db)))
    await ensureSettings(db)
    const spellings = ['AXISP00123456789', 'UTIBP00123456789', 'AXISP00123456789X', 'AXISP0O123456789']
    const { waiting } = await db.transaction(async (tx) => {
      await tx.run(sql`select from wallets where user_id = any(${buyers}::uuid[]) for update`)
      const asked = buyers.map((buyer, n) =>
        fileRequest(services, buyer, { utr: `${spellings[n % 4]}${n < 4 ? '' : 'Z'}` }),
      )
      await untilBlocked(db, buyers.length)
      return { waiting: asked }
    })
    expect(tally(await Promise.allSettled(waiting))).toEqual({ done: 1, UTR_ALREADY_USED: 7 })
  }))

// Seen to fail without the advisory lock in request-top-up.ts: all are filed, because each is another text.
test('v5.0.0-2.3.1 one transfer with the letters of eight banks, by eight buyers at once, is one request', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const buyers = await Promise.all(Array.from({ length: 8 }, () => givenUser(db)))
    await ensureSettings(db)
    const { waiting } = await db.transaction(async (tx) => {
      await tx.run(sql`select from wallets where user_id = any(${buyers}::uuid[]) for update`)
      const asked = buyers.map((buyer, n) =>
        fileRequest(services, buyer, { utr: n === 0 ? '412345678901' : `BAN${'KLMNOPQ'[n - 1]}412345678901` }),
      )
      await untilBlocked(db, buyers.length)
      return { waiting: asked }
    })
    const outcomes = await Promise.allSettled(waiting)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // Sends another number of the same bank, which is another transfer
    const [buyer = ''] = buyers
    await fileRequest(services, buyer, { utr: 'BANK412345678902' })
    await fileRequest(services, buyer, { utr: 'BANKR52026112212345678' })
    await fileRequest(services, buyer, { utr: 'BANKR52026112212345679' })
  }))
