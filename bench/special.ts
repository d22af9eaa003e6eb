/**
 * What special buyers cost: members of groups who buy what has steps and a limit for each buyer, and resellers'
 * programs, which show a token. Beside them, in the same runs, buyers at list prices with a cookie.
 */
import { sql, type Database } from '../server/platform/database/database.ts'
import { hashToken } from '../server/platform/ids.ts'
import { cpuMs } from '../drills/process-figures.ts'
import type { Load } from './http-load.ts'
import type { Bench } from './report.ts'
import { expectOnly, expectOrder, startBenchStore, useLog } from './running-store.ts'
import { benchId, buyerCookie, purchase, seedBuyers, seedCatalogue } from './seed.ts'

const BUYERS = 200
/** From here on. */
const MEMBERS = 1_000
const GROUPS = 10
const PRODUCTS = 20
/** With steps and limits, from this one on. */
const LIMITED = 50
/** More than any machine here sells, because the stock must outlast the measuring. */
const FASTEST_PER_SECOND = 6_000
const CONNECTIONS = 32
/** A program that looks once a minute, and how many of them a store may have. */
const RESELLERS = 100
const MINUTE_MS = 60_000

type Requests = Load['requests']

const tokenOf = (n: number) => `chaabi_${'bench-token'.padEnd(35, '-')}${String(n).padStart(8, '0')}`
const product = (n: number) => n % PRODUCTS
const buyers = Array.from({ length: BUYERS }, (_, n) => n)
const members = Array.from({ length: MEMBERS }, (_, n) => BUYERS + n)
const byToken = ({ cookie: _, ...request }: Requests[number], n: number) => ({ ...request, token: tokenOf(n) })
const list = (n: number) => ({ method: 'GET', path: '/api/products', cookie: buyerCookie(n) })

const PURCHASES: Record<string, Requests> = {
  plain: buyers.map((n) => purchase(n, product(n))),
  special: members.map((n) => purchase(n, LIMITED + product(n))),
  token: buyers.map((n) => byToken(purchase(n, product(n)), n)),
}
const LISTS: Record<string, Requests> = {
  plain: buyers.map(list),
  special: members.map(list),
  token: buyers.map((n) => byToken(list(n), n)),
}

export const bench: Bench = {
  title: `Special buyers: ${MEMBERS} members of ${GROUPS} groups, steps, limits, and tokens of programs`,
  seconds: 3,
  async measure({ runs, seconds }, report) {
    const stock = Math.ceil((FASTEST_PER_SECOND * (seconds + 1) * (runs + 1)) / PRODUCTS)
    const store = await startBenchStore(async (db) => {
      await seedBuyers(db, BUYERS + MEMBERS)
      await seedCatalogue(db, { from: 0, count: PRODUCTS, stock: 2 * stock })
      await seedCatalogue(db, { from: LIMITED, count: PRODUCTS, stock })
      await makeSpecial(db)
      await useLog(db)
    })
    const found = new Map<string, number[]>()
    const measureAll = async (of: string, loads: Record<string, Requests>) => {
      for (const [who, requests] of Object.entries(loads)) {
        const before = cpuMs(store.pid)
        const result = await store.load({ connections: CONNECTIONS, forMs: seconds * 1_000, everyMs: 0, requests })
        expectOnly('200', result)
        note(found, `${of} ${who}`, result.perSecond)
        const answers = result.answers['200'] ?? 0
        note(found, `${of} ${who} ms`, (cpuMs(store.pid) - before) / answers)
      }
    }
    try {
      await measureAll('warm', { ...PURCHASES })
      for (let run = 0; run < runs; run++) {
        await measureAll('purchases', PURCHASES)
        await measureAll('lists', LISTS)
      }
      const of = (name: string) => found.get(name) ?? []
      for (const [what, name, atLeast] of [
        ['purchases of members, steps and limits', 'purchases special', 0.95],
        ['purchases by token', 'purchases token', 0.9],
        ['lists of members', 'lists special', 0.97],
        ['lists by token', 'lists token', 0.97],
      ] as const) {
        const beside = `${name.split(' ')[0]} plain`
        const yardstick = { what: `${beside}, by cookie`, values: of(beside) }
        report.add({ what, unit: '/s', values: of(name), yardstick, goal: { atLeast } })
      }
      const shares = of('lists token ms').map((ms) => (RESELLERS * ms * 100) / MINUTE_MS)
      report.add({
        what: `${RESELLERS} programs that look each minute`,
        unit: '% of a core',
        values: shares,
        goal: { atMost: 1 },
      })
      await expectOrder(store, report)
    } finally {
      await store.stop()
    }
  },
}

const note = (found: Map<string, number[]>, name: string, value: number) =>
  found.set(name, [...(found.get(name) ?? []), value])

async function makeSpecial(db: Database): Promise<void> {
  const now = new Date()
  const hourAgo = new Date(now.getTime() - 3_600_000)
  const groups = Array.from({ length: GROUPS }, (_, n) => benchId(8, n))
  const limited = Array.from({ length: PRODUCTS }, (_, n) => benchId(2, LIMITED + n))
  await db.run(sql`
    insert into buyer_groups (id, name, percent_off, created_at)
    select id, 'Group ' || n, n, ${now} from unnest(${groups}::uuid[]) with ordinality as made (id, n)`)
  await db.run(sql`
    update users set group_id = (${groups}::uuid[])[1 + n % ${GROUPS}]
      from unnest(${members.map((n) => benchId(1, n))}::uuid[]) with ordinality as member (id, n)
     where users.id = member.id`)
  await db.run(sql`
    update prices set steps = '[{"from": 5, "price": 90}, {"from": 20, "price": 80}]', per_buyer = 100,
                      limit_since = ${hourAgo}
     where id = any(${limited}::uuid[])`)
  const ids = buyers.map((n) => benchId(1, n))
  await db.run(sql`update users set is_reseller = true where id = any(${ids}::uuid[])`)
  await db.run(sql`
    insert into api_tokens (id, user_id, name, hash, can_buy, expires_at, created_at)
    select id, id, 'bench', hash, true, ${new Date(now.getTime() + 86_400_000)}, ${now}
      from unnest(${ids}::uuid[], ${buyers.map((n) => hashToken(tokenOf(n)))}::bytea[]) as made (id, hash)`)
}
