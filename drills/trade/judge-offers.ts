/** Looks that a buyer is offered nothing of what the supplier would not be asked for. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Sql } from '../../server/platform/database/database.ts'
import { askAgain } from './order-for-buyers.ts'
import { DURATION, type TwoStores } from './two-stores.ts'

/** The list is read once a minute, and a node may just have been killed. */
const OFFERED_MS_MAX = 60_000
/** Workers look every five seconds. */
const GONE_MS_MAX = 20_000

/** Each takes all offers away, and gives them back. */
const REASONS: readonly (readonly [string, Sql, Sql])[] = [
  ['is off', sql`update supply_links set is_on = false`, sql`update supply_links set is_on = true`],
  [
    'asks too much',
    sql`update supply_sources set cap_paise = cap_paise / 100`,
    sql`update supply_sources set cap_paise = cap_paise * 100`,
  ],
  [
    'rests',
    sql`update supply_sources set rests_why = 'limit'`,
    sql`update supply_sources set rests_why = null where rests_why = 'limit'`,
  ],
]

/** @param hurry lets their list be read now. @returns what is wrong, one line each */
export async function judgeOffers(stores: TwoStores, hurry: () => Promise<void>): Promise<string[]> {
  const { db } = stores.here
  const wrong: string[] = []
  for (const [reason, take, give] of REASONS) {
    if (!(await within(OFFERED_MS_MAX, hurry, async () => (await countOffers(stores)) > 0)))
      return [...wrong, 'nothing is offered to buyers though all is well']
    await db.run(take)
    const isGone = await within(
      GONE_MS_MAX,
      () => sleep(0),
      async () => (await countOffers(stores)) === 0,
    )
    await db.run(give)
    if (!isGone) wrong.push(`buyers are offered keys of a supplier that ${reason}`)
  }
  return wrong
}

async function within(mostMs: number, push: () => Promise<void>, isSo: () => Promise<boolean>): Promise<boolean> {
  for (const since = performance.now(); performance.now() - since < mostMs; await sleep(500)) {
    await push()
    if (await isSo()) return true
  }
  return false
}

/** Of what is only ordered for buyers, as a buyer's page reads it. */
async function countOffers({ here, fetched }: TwoStores): Promise<number> {
  const [buyer] = here.shops[0]?.buyers ?? []
  if (!buyer) throw new Error('Nobody buys')
  const { body } = await askAgain(here, buyer, 'GET /products')
  const ours = new Set(fetched.map(({ productId }) => productId))
  return (body as { _id: string; prices: { duration: string; fetch?: object }[] }[])
    .filter(({ _id }) => ours.has(_id))
    .flatMap(({ prices }) => prices)
    .filter(({ duration, fetch }) => duration === DURATION && fetch !== undefined).length
}
