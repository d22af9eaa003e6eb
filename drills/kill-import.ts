/** kill -9 of the server in the middle of a statement's import, or of the approvals behind it, again and again. */
import { dayOf } from '../contract/india.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Database } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { callStore } from '../scripts/store-process.ts'
import { statementOf } from '../test/worlds/bank.ts'
import type { Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import { logInAdmin, startStore } from './store-process.ts'

const BUYERS = 60
const LINES = 8_000
/** After the upload has begun. A whole one takes about 2 s. */
const KILLED_AFTER_MS = [60, 250, 500, 750, 1_000, 1_250, 1_500, 1_800, 2_200]
/** The job that settles what was left comes each minute. */
const SETTLED_MS_MAX = 90_000
const TAIL = '5678'
const today = () => dayOf(new Date())

export const drill: Drill = async ({ quick, say, directories }) => {
  const store = await startStore({ directories })
  const db = store.database()
  const { buyers } = await seedShop(db, await store.sealer(), { buyers: BUYERS, keys: 1, balancePaise: 100 })
  const admin = await logInAdmin(store)
  const ask = (method: string, at: string, cookie: string, body: object) =>
    callStore(store, { method, path: at, cookie, body })
  await ask('PUT', '/settings/upi', admin, { upiId: 'shop@okaxis', paymentEnabled: true })
  const account = { bank: 'HDFC', label: 'Shop', tail: TAIL, feedsStore: true }
  const { _id: accountId } = await ask('POST', '/bank/accounts', admin, account)
  const limits = { perRequest: 2_000, perBuyerDay: 1_00_000, perDay: 10_00_000, unprovenMax: 0 }
  await db.close()
  await ask('PUT', '/bank/rules', admin, { mode: 'auto', trusts: 'statement', ...limits })

  const found = { half: 0, cutOff: 0, whole: 0 }
  const kills = quick ? KILLED_AFTER_MS.slice(2, 4) : KILLED_AFTER_MS
  for (const [round, afterMs] of kills.entries()) {
    const refs = buyers.map((_, nth) => String(500_000_000_000 + round * BUYERS + nth))
    for (const [nth, { cookie }] of buyers.entries())
      await ask('POST', '/payments/add-money', cookie, { amount: 10, utr: refs[nth], payerName: '9876543210' })
    const upload = { text: linesOf(round, refs), accountId }
    const told = ask('POST', '/bank/statements', admin, upload).then(
      () => true,
      () => false,
    )
    await sleep(afterMs)
    await store.kill()
    found[(await told) ? 'whole' : 'cutOff'] += 1
    store.start()
    await store.untilHealthy()
    const again = store.database()
    found.half += await countHalf(again)
    await again.close()
    await ask('POST', '/bank/statements', admin, upload)
    say(`killed after ${afterMs} ms, and uploaded again`)
  }
  const last = store.database()
  const wanted = kills.length * BUYERS
  const until = performance.now() + SETTLED_MS_MAX
  while ((await countApproved(last)) < wanted && performance.now() < until) await sleep(1_000)
  const approved = await countApproved(last)
  const half = found.half + (await countHalf(last))
  const credits = await last.count(sql`select count(*) from bank_credits`)
  const broken = await findBroken(last, 'server/migrations')
  await last.close()
  await store.stop()
  return {
    // A kill that cut nothing off proves nothing
    passed:
      half === 0 && found.cutOff > 0 && approved === wanted && credits === kills.length * LINES && broken.length === 0,
    figures: [
      `${kills.length} kills (${found.cutOff} in the middle) of imports of ${LINES} lines: half ${half}, credits ` +
        `${credits} of ${kills.length * LINES}, approved ${approved} of ${wanted}, broken invariants ${broken.length}`,
    ],
    proved: 'a statement is recorded whole or not at all, and what it confirms is approved once.',
    cannotProve: 'a power cut, for the kernel still writes what a killed process had handed it.',
  }
}

function linesOf(round: number, own: readonly string[]): string {
  const every = Math.floor(LINES / own.length)
  const rows = Array.from({ length: LINES }, (_, n) => {
    const mine = n % every === 1 ? own[Math.floor(n / every)] : undefined
    const ref = mine ?? String(700_000_000_000 + round * LINES + n)
    return {
      refs: [ref],
      vpa: mine ? `B${Math.floor(n / every)}@OKAXIS` : `P${n}.${round}@OKSBI`,
      amount: 10,
      day: today(),
    }
  })
  return statementOf(rows, { tail: TAIL, from: today(), to: today(), opening: 100_000 * (round + 1) })
}

/** Imports whose credits are not all there, or whose row says otherwise. */
function countHalf(db: Database): Promise<number> {
  return db.count(sql`
    select count(*) from bank_imports file
     where new_credits <> (select count(*) from bank_credits where import_id = file.id)`)
}

function countApproved(db: Database): Promise<number> {
  return db.count(sql`
    select count(*) from topup_requests request
     where status = 'approved'
       and 1 = (select count(*) from wallet_movements where topup_id = request.id and kind = 'topup')`)
}
