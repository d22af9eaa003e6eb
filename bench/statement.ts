/**
 * Uploading a statement of 10,000 lines with the money of 1,000 pending requests, among 100,000 that are over; beside
 * the engine alone, which copies the same credits and references into tables with the same keys and indexes.
 */
import { dayOf } from '../contract/india.ts'
import { prepared } from '../server/platform/database/database.ts'
import { statementOf, type Row } from '../test/worlds/bank.ts'
import { BENCH_ACCOUNT, REQUEST_RUPEES, seedRequests, type SeededRequest } from './bank-rows.ts'
import { residentMb } from '../drills/process-figures.ts'
import { callStore } from '../scripts/store-process.ts'
import type { Bench } from './report.ts'
import { highestMbWhile, startBenchStore, type BenchStore } from './running-store.ts'
import { seedBuyers } from './seed.ts'

const LINES = 10_000
const DEBIT_EVERY = 10
const PENDING = 1_000
const OVER = 100_000
const BUYERS = 500
const FIRST_OVER = 300_000_000_000
const FIRST_PENDING = 500_000_000_000
const FIRST_STRANGER = 700_000_000_000

export const bench: Bench = {
  title: `Uploading a statement of ${LINES.toLocaleString('en-IN')} lines`,
  seconds: 0,
  async measure({ runs }, report) {
    let pending: SeededRequest[] = []
    const store = await startBenchStore(
      async (db) => {
        await seedBuyers(db, BUYERS)
        await seedRequests(db, { count: OVER, buyers: BUYERS, from: FIRST_OVER, status: 'rejected' })
        pending = await seedRequests(db, {
          count: PENDING * (runs + 1),
          buyers: BUYERS,
          from: FIRST_PENDING,
          status: 'pending',
        })
      },
      { watchesLoop: true },
    )
    const found = { preview: [], upload: [], copied: [], more: [], p99: [], longest: [], approving: [] } as Record<
      'preview' | 'upload' | 'copied' | 'more' | 'p99' | 'longest' | 'approving',
      number[]
    >
    try {
      const cookie = await store.logInAdmin()
      const { _id: accountId } = await callStore(store, {
        method: 'POST',
        path: '/bank/accounts',
        cookie,
        body: BENCH_ACCOUNT,
      })
      const ask = (path: string, run: number) => {
        const text = linesOf(run, pending.slice(run * PENDING, (run + 1) * PENDING))
        return callStore(store, { method: 'POST', path, cookie, body: { text, accountId } })
      }
      for (let run = 0; run < runs; run++) {
        found.preview.push(await took(() => ask('/bank/statements/preview', run)))
        const before = residentMb(store.pid)
        await store.heldUp()
        let highest = 0
        const answers: { confirmed: number }[] = []
        found.upload.push(
          await took(async () => {
            const asking = ask('/bank/statements', run).then((answer) => void answers.push(answer))
            highest = await highestMbWhile(store.pid, asking)
          }),
        )
        const held = await store.heldUp()
        if (answers[0]?.confirmed !== PENDING) throw new Error(`Confirmed: ${JSON.stringify(answers)}`)
        found.more.push(highest - before)
        found.p99.push(held.p99)
        found.longest.push(held.max)
        found.copied.push(await copyByEngine(store))
      }
      const rules = { mode: 'auto', trusts: 'statement', perRequest: 2_000, perBuyerDay: 1_00_000 }
      await callStore(store, {
        method: 'PUT',
        path: '/bank/rules',
        cookie,
        body: { ...rules, perDay: 10_00_000, unprovenMax: 0 },
      })
      found.approving.push(await took(() => ask('/bank/statements', runs)))
    } finally {
      await store.stop()
    }
    report.add({ what: 'preview', unit: 'ms', values: found.preview })
    report.add({ what: `upload with ${PENDING} matches`, unit: 'ms', values: found.upload, goal: { atMost: 2_000 } })
    report.add({
      what: 'lines a second',
      unit: '/s',
      values: found.upload.map((ms) => (LINES * 1_000) / ms),
      yardstick: { what: 'copied by the engine', values: found.copied.map((ms) => (LINES * 1_000) / ms) },
    })
    report.add({ what: 'memory on top, at most', unit: 'MB', values: found.more, goal: { atMost: 100 } })
    report.add({ what: 'event loop held up, p99', unit: 'ms', values: found.p99, goal: { atMost: 200 } })
    report.add({ what: 'event loop held up, longest', unit: 'ms', values: found.longest })
    report.add({ what: `upload that approves ${PENDING - 1} by the rules`, unit: 'ms', values: found.approving })
  },
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The requests' money spread over the strangers', so that each step of the import has some. */
function linesOf(run: number, pending: readonly SeededRequest[]): string {
  const every = Math.floor(LINES / pending.length)
  const rows = Array.from({ length: LINES }, (_, n): Row => {
    const own = n % every === 1 ? pending[Math.floor(n / every)] : undefined
    const ref = own?.utr ?? String(FIRST_STRANGER + run * LINES + n)
    // A payer of their own for each buyer, else one would be known as another's
    const vpa = own ? `BUYER${own.buyer}@OKAXIS` : `P${n % 3_000}.${run}@OKSBI`
    return { refs: [ref], vpa, amount: n % DEBIT_EVERY === 0 ? -REQUEST_RUPEES : REQUEST_RUPEES, day: today() }
  })
  return statementOf(rows, { tail: BENCH_ACCOUNT.tail, from: today(), to: today(), opening: 100_000 * (run + 1) })
}

const today = () => dayOf(new Date())

/** @returns milliseconds */
async function copyByEngine({ db }: BenchStore): Promise<number> {
  const newest = 'select id from bank_imports order by created_at desc limit 1'
  const credits = `select * from bank_credits where import_id = (${newest})`
  const references = `select * from bank_credit_refs where credit_id in (select id from (${credits}) seen)`
  await db.run(prepared('create table bench_credits (like bank_credits including all)'))
  await db.run(prepared('create table bench_refs (like bank_credit_refs including all)'))
  const ms = await took(() =>
    db.transaction(async (tx) => {
      await tx.run(prepared(`insert into bench_credits ${credits}`))
      await tx.run(prepared(`insert into bench_refs ${references}`))
    }),
  )
  await db.run(prepared('drop table bench_credits, bench_refs'))
  return ms
}
