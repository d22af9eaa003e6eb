/**
 * Fifty alerts a second at the phone's door, each with the money of a request: from the SMS to the moment when the
 * buyer's open page gets the new balance.
 */
import { dayOf } from '../contract/india.ts'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../server/platform/database/database.ts'
import { alertOf } from '../test/worlds/phones.ts'
import { BENCH_ACCOUNT, REQUEST_RUPEES, seedRequests, type SeededRequest } from './bank-rows.ts'
import { percentile } from '../drills/drill.ts'
import { callStore } from '../scripts/store-process.ts'
import type { Bench } from './report.ts'
import { startBenchStore, type BenchStore } from './running-store.ts'
import { buyerCookie, seedBuyers } from './seed.ts'

const PER_SECOND = 50
const FIRST = 500_000_000_000
/** The others have no page open. */
const WATCHED_OF = 5

export const bench: Bench = {
  title: `${PER_SECOND} alerts a second, from the SMS to the balance`,
  seconds: 10,
  async measure({ runs, seconds }, report) {
    const each = PER_SECOND * seconds
    let pending: SeededRequest[] = []
    const store = await startBenchStore(async (db) => {
      await seedBuyers(db, each * runs)
      pending = await seedRequests(db, { count: each * runs, buyers: each * runs, from: FIRST, status: 'pending' })
    })
    const found = { p50: [], p99: [], door: [], refused: [] } as Record<'p50' | 'p99' | 'door' | 'refused', number[]>
    try {
      const cookie = await store.logInAdmin()
      const say = await connectPhone(store, cookie)
      const rules = { mode: 'auto', trusts: 'phone', perRequest: 2_000, perBuyerDay: 5_000, perDay: 10_00_000 }
      const body = { ...rules, unprovenMax: 1_00_000 }
      await callStore(store, { method: 'PUT', path: '/bank/rules', cookie, body })
      for (let run = 0; run < runs; run++) {
        const { answers, toBalance, refused } = await hear(store, pending.slice(run * each, (run + 1) * each), say)
        found.p50.push(percentile(toBalance, 0.5))
        found.p99.push(percentile(toBalance, 0.99))
        found.door.push(percentile(answers, 0.99))
        found.refused.push(refused)
      }
    } finally {
      await store.stop()
    }
    report.add({ what: 'SMS to balance, p50', unit: 'ms', values: found.p50, goal: { atMost: 500 } })
    // Missed on two shared cores: an alert waits for the record and the approval of those before it, then for its own
    report.add({ what: 'SMS to balance, p99', unit: 'ms', values: found.p99, goal: { atMost: 100 } })
    report.add({ what: 'answer at the door, p99', unit: 'ms', values: found.door })
    report.add({ what: 'alerts not answered with 200', unit: '', values: found.refused, goal: { atMost: 0 } })
  },
}

type Say = (text: string) => Promise<number>

async function connectPhone(store: BenchStore, cookie: string): Promise<Say> {
  const { _id } = await callStore(store, { method: 'POST', path: '/bank/accounts', cookie, body: BENCH_ACCOUNT })
  const token = randomBytes(32).toString('base64url')
  // Straight into the database: phones are invited over HTTPS alone
  await store.db.run(sql`
    with device as (
      insert into bank_devices (id, name, token_hash, created_by, created_at)
      select ${_id}, 'Till', ${createHash('sha256').update(token).digest()}, id, now() from admins limit 1 returning id)
    insert into bank_device_accounts (device_id, account_id) select id, ${_id} from device`)
  return async (text) => {
    const answer = await fetch(`http://127.0.0.1:${store.port}/api/bank/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ from: 'VM-HDFCBK-S', text }),
    })
    await answer.text()
    return answer.status
  }
}

/** Each alert is due at its own moment, also after a late answer. Times are in ms since then. */
async function hear(store: BenchStore, requests: readonly SeededRequest[], say: Say) {
  const told = new Map<number, number>()
  const watched = requests.filter((_, nth) => nth % WATCHED_OF === 0)
  const over = new AbortController()
  await Promise.all(
    watched.map(({ buyer }) => watch(store, buyer, over.signal, () => told.set(buyer, performance.now()))),
  )
  const day = dayOf(new Date()).slice(2).split('-').toReversed().join('-')
  const started = performance.now() + 500
  const due = new Map(requests.map(({ buyer }, nth) => [buyer, started + (nth * 1_000) / PER_SECOND]))
  const answers: number[] = []
  let refused = 0
  await Promise.all(
    requests.map(async ({ buyer, utr }) => {
      const moment = due.get(buyer) ?? started
      await sleep(moment - performance.now())
      const text = alertOf({ amount: REQUEST_RUPEES.toFixed(2), ref: utr, day, vpa: `buyer${buyer}@okaxis` })
      if ((await say(text)) !== 200) refused += 1
      answers.push(performance.now() - moment)
    }),
  )
  await sleep(2_000)
  over.abort()
  const toBalance = watched.map(({ buyer }) => (told.get(buyer) ?? Infinity) - (due.get(buyer) ?? started))
  return { answers, toBalance, refused }
}

/** Opens a buyer's live updates, and resolves when they are open. */
async function watch({ port }: BenchStore, buyer: number, signal: AbortSignal, onBalance: () => void): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { cookie: buyerCookie(buyer), accept: 'text/event-stream' },
    signal,
  })
  if (!answer.ok || !answer.body) throw new Error(`GET /events: ${answer.status}`)
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // Without a balance it is only said that there may be news
      if (/^event: balance\ndata: .*\d/m.test(value)) onBalance()
    }
  }
  read().catch(() => {})
}
