/**
 * Figures for an owner's first look. Each is one set-based query over an index, however long the history. In a busy
 * store they may be seconds old, except for those that wait for the admin.
 */
import * as z from 'zod/mini'
import { LAPSING_SOON_DAYS } from '../../contract/limits.ts'
import { Rupees } from '../../contract/amounts.ts'
import { Moment } from '../../contract/fields.ts'
import type { Overview } from '../../contract/reports.ts'
import { readOutlooks } from '../forecast/read-forecast.ts'
import { readHeldSum } from '../payments/top-ups.ts'
import { readFirstSteps } from './guide.ts'
import { isListed, placedSince } from '../platform/database/conditions.ts'
import { sql, type Database, type Query, type Sql } from '../platform/database/database.ts'
import { keep } from '../platform/database/search.ts'
import { dayAfter, dayOf, startOfDay } from '../../contract/india.ts'
import { DAY_MS } from '../../contract/time.ts'
import { indianDay } from '../platform/database/indian-day.ts'

const DAYS_DEFAULT = 30
const BEST_SELLERS = sql`5`
const RUNNING_OUT_MAX = 20
const LEAST_STOCK = sql`6`
/** Stock that lasts less than this is low, however large it is. */
const RUNNING_OUT_DAYS = 7

export async function readOverview(
  db: Database,
  { days = DAYS_DEFAULT }: { days?: number | undefined },
  now: Date,
): Promise<Overview> {
  const [pending, held, firstSteps, figures] = await Promise.all([
    readPending(db),
    readHeldSum(db),
    readFirstSteps(db),
    keep(db, `overview of ${days} days to ${dayOf(now)}`, () => readFigures(db, days, now)),
  ])
  return { pending, held, firstSteps, ...figures }
}

async function readFigures(
  db: Database,
  days: number,
  now: Date,
): Promise<{ value: Omit<Overview, 'pending' | 'held' | 'firstSteps'>; rows: number }> {
  // Always reads yesterday too
  const from = startOfDay(addDays(now, 1 - Math.max(days, 2)))
  const [sales, topUps, signups, bestSellers, runningOut, stock, { wallets, ...money }] = await Promise.all([
    readSales(db, from),
    readTopUps(db, from),
    readSignups(db, startOfDay(addDays(now, -1))),
    readBestSellers(db, startOfDay(addDays(now, 1 - days))),
    readRunningOut(db, now),
    readLeastStock(db),
    readMoneyHeld(db, now),
  ])
  const figuresOf = (day: string) => ({
    sales: sales.get(day)?.amount ?? 0,
    topUps: topUps.get(day)?.amount ?? 0,
    orders: sales.get(day)?.count ?? 0,
  })
  const withSignups = (day: string) => ({ ...figuresOf(day), signups: signups.get(day)?.count ?? 0 })
  const lines = [...sales.values(), ...topUps.values()].reduce((sum, day) => sum + day.count, 0)
  return {
    value: {
      today: withSignups(dayOf(now)),
      yesterday: withSignups(dayOf(addDays(now, -1))),
      days: lastDays(dayOf(now), days).map((day) => ({ day, ...figuresOf(day) })),
      bestSellers,
      runningOut,
      stock,
      ...money,
    },
    rows: lines + wallets,
  }
}

const addDays = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

/** Returns the last `count` days, today last. */
const lastDays = (today: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayAfter(today, index + 1 - count))

const DayRow = z.object({ day: z.string(), amount: Rupees, count: z.number() })
type ByDay = Map<string, z.output<typeof DayRow>>

const dayOfColumn = (column: Sql): Sql => sql`${indianDay(column)}::text`

async function byDay(db: Database, query: Query<typeof DayRow>): Promise<ByDay> {
  return new Map((await db.rows(query)).map((row) => [row.day, row]))
}

/** Sums buyers' payments for keys, less refunds. */
function readSales(db: Database, from: Date): Promise<ByDay> {
  return byDay(
    db,
    sql(DayRow)`
    select ${dayOfColumn(sql`created_at`)} as day, sum(amount_paise - refunded_paise)::bigint as amount,
           count(*) as count
      from orders
     where created_at >= ${from} and ${placedSince(from)}
     group by 1`,
  )
}

/** Sums the money that came in, without bonuses and what was taken back, on the day of its approval. */
function readTopUps(db: Database, from: Date): Promise<ByDay> {
  return byDay(
    db,
    sql(DayRow)`
    select ${dayOfColumn(sql`movement.created_at`)} as day, sum(request.amount_paise)::bigint as amount,
           count(*) as count
      from wallet_movements movement
      join topup_requests request on request.id = movement.topup_id
     where movement.kind = 'topup' and request.status = 'approved' and movement.created_at >= ${from}
     group by 1`,
  )
}

function readSignups(db: Database, from: Date): Promise<ByDay> {
  return byDay(
    db,
    sql(DayRow)`
    select ${dayOfColumn(sql`created_at`)} as day, 0::bigint as amount, count(*) as count
      from users
     where created_at >= ${from} and deleted_at is null
     group by 1`,
  )
}

const PendingRow = z.object({ count: z.number(), oldestAt: z.nullable(Moment), amount: Rupees })

function readPending(db: Database): Promise<Overview['pending']> {
  return db.one(sql(PendingRow)`
    select count(*) as count, min(created_at) as oldest_at, coalesce(sum(amount_paise), 0)::bigint as amount
      from topup_requests request
     where status = 'pending'
       and ${isListed(sql`request.id`)}`)
}

const SellerRow = z.object({ productId: z.string(), name: z.string(), quantity: z.number(), revenue: Rupees })

function readBestSellers(db: Database, from: Date): Promise<Overview['bestSellers']> {
  return db.rows(sql(SellerRow)`
    select sold.product_id, product.name, sold.quantity, sold.revenue
      from (select product_id, sum(quantity) as quantity, sum(amount_paise - refunded_paise)::bigint as revenue
              from orders
             where created_at >= ${from} and ${placedSince(from)}
             group by product_id
             order by revenue desc, product_id
             limit ${BEST_SELLERS}) sold
      join products product on product.id = sold.product_id
     order by sold.revenue desc, sold.product_id`)
}

/** Lists durations that are nearly out of stock, soonest first: below their mark, or by a forecast of enough sales. */
async function readRunningOut(db: Database, now: Date): Promise<Overview['runningOut']> {
  return (await readOutlooks(db, now))
    .map(({ productId, productName, duration, left, daysLeft, confidence, lowStockBelow }) => ({
      productId,
      name: productName,
      duration,
      available: left,
      daysLeft: daysLeft && confidence !== 'low' ? daysLeft.mid : null,
      lowStockBelow,
    }))
    .filter((each) => each.available < each.lowStockBelow || (each.daysLeft ?? Infinity) < RUNNING_OUT_DAYS)
    .slice(0, RUNNING_OUT_MAX)
}

const StockRow = z.object({ productId: z.string(), name: z.string(), available: z.number() })

function readLeastStock(db: Database): Promise<Overview['stock']> {
  return db.rows(sql(StockRow)`
    select product.id as product_id, product.name, coalesce(sum(stock.available), 0)::bigint as available
      from products product
      join prices price on price.product_id = product.id and price.removed_at is null and price.list_paise > 0
      left join stock_counters stock on stock.price_id = price.id
     where product.deleted_at is null and product.is_listed
     group by product.id, product.name
     order by available, product.name
     limit ${LEAST_STOCK}`)
}

const HeldRow = z.object({ wallets: z.number(), heldInWallets: Rupees, lapsingIn30Days: Rupees })

/**
 * Sums the money in wallets. Subtracts credit that has expired, because it is posted only when its wallet is next
 * read.
 */
function readMoneyHeld(
  db: Database,
  now: Date,
): Promise<Pick<Overview, 'heldInWallets' | 'lapsingIn30Days'> & { wallets: number }> {
  return db.one(sql(HeldRow)`
    select (select count(*) from wallets) as wallets,
           ((select coalesce(sum(balance_paise), 0) from wallets)
            - coalesce(sum(remaining_paise) filter (where expires_at <= ${now}), 0)
            + (select coalesce(sum(deduction.amount_paise), 0)
                 from wallet_deductions deduction
                 join wallet_lots lot on lot.id = deduction.lot_id
                  and (lot.expires_at is null or lot.expires_at > ${now})
                where deduction.returned_at is null and deduction.lapses_at <= ${now}))::bigint as held_in_wallets,
           coalesce(sum(remaining_paise) filter (where expires_at > ${now}), 0)::bigint as lapsing_in_30_days
      from wallet_lots
     where is_open and expires_at <= ${addDays(now, LAPSING_SOON_DAYS)}`)
}
