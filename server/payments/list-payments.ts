/**
 * The list of payments: top-up requests, orders and admins' balance changes as one, newest or oldest first.
 *
 * Finds a page by ids first, from each table's own newest-first index, and reads only its rows in full. A page behind
 * or before a row begins at its place in the index, so that one far back costs as little as the first. A search first
 * finds the buyers it may mean. A few are looked up one by one. The rows of many are near the top of the list anyway.
 */
import * as z from 'zod/mini'
import { PAYMENTS_PAGE_SIZE } from '../../contract/limits.ts'
import type { Payment, payments, PaymentSource } from '../../contract/payments.ts'
import type { PaymentBank } from '../../contract/payment-signs.ts'
import { toRupees } from '../../contract/money.ts'
import { normaliseUtr } from '../../contract/utr.ts'
import { DAY_MS } from '../../contract/time.ts'
import { dayAfter, startOf } from '../../contract/india.ts'
import { isListed, placedAround, placedBefore, placedSince } from '../platform/database/conditions.ts'
import { allOf, literal, planned, sql, type Database, type Sql } from '../platform/database/database.ts'
import {
  anyOf,
  contains,
  countFound,
  keep,
  keyOf,
  phonePart,
  unionAll,
  type Total,
} from '../platform/database/search.ts'
import { readSettings } from '../settings/settings.ts'
import { heldIds } from './top-ups.ts'
import { readPayments } from './payment-rows.ts'
import { WITHOUT_BANK, type PaymentHooks } from './hooks.ts'
import { readRiskSignals, readRivalClaims } from './risk-signals.ts'

type Search = z.output<(typeof payments.list)['input']>
export type PaymentFilter = z.output<(typeof payments.exportPayments)['input']>

/** One table's part of the list. */
interface Branch {
  table: Sql
  /** Selects its rows of the wanted status and type. */
  condition: Sql
  /** True if a row has a UTR or a phone that a search could match. */
  claims: boolean
  /** True if the primary key has the rows in the order of their moments, and no other index does. */
  isByKey?: boolean
}

export async function listPayments(
  db: Database,
  search: Search,
  bank: Pick<PaymentHooks, 'bankOf' | 'confirmed'> = WITHOUT_BANK,
): Promise<{ payments: Payment[] } & Total> {
  const named = search.bank && (await (search.bank === 'held' ? heldIds(db) : bank.confirmed()))
  const only = search.id === undefined ? named : [search.id].filter((id) => named?.includes(id) ?? true)
  const branches = branchesOf({ ...search, ...(only && { only }) })
  if (branches.length === 0) return { payments: [], total: 0 }
  const page = {
    limit: search.limit ?? PAYMENTS_PAGE_SIZE,
    skip: search.skip ?? 0,
    first: search.order ?? 'newest',
    beside: await placeBeside(db, search),
  }
  const { ids, ...total } = search.search
    ? await findMatching(db, branches, search.search, page)
    : await findAll(db, branches, page)
  const payments = await readPayments(db, ids)
  const pending = payments.filter(({ status }) => status === 'pending').map(({ _id }) => _id)
  const [signs, words, claims, settings] = await Promise.all([
    readRiskSignals(db, pending),
    bank.bankOf(pending),
    readRivalClaims(db, ids),
    pending.length > 0 ? readSettings(db) : undefined,
  ])
  const carefulAbove = settings?.carefulAbove ? toRupees(settings.carefulAbove) : null
  return {
    payments: payments.map((payment) => {
      const { _id } = payment
      const [own, word, claimedBy] = [signs.get(_id), words.get(_id), claims.get(_id)]
      const isOfCare = own && isLarge(payment.amount, carefulAbove, word)
      return {
        ...payment,
        ...(own && { signs: own }),
        ...(word && { bank: word }),
        ...(claimedBy && { claimedBy }),
        ...(isOfCare && { large: true as const }),
      }
    }),
    ...total,
  }
}

/**
 * True for a pending request that a person approves alone, when its money is in the bank. An alert can be forged, and a
 * payer may still call back what it names.
 * @param carefulAbove of the store's settings, in the unit of the amount; null for none
 */
export const isLarge = (amount: number, carefulAbove: number | null, word: PaymentBank | undefined): boolean =>
  carefulAbove !== null && amount >= carefulAbove && word?.proof !== 'statement' && word?.proof !== 'report'

const EXPORTED_AT_ONCE = 500

/** Yields every matching payment, newest first, page by page from its place in the index. */
export async function* readAllPayments(db: Database, search: PaymentFilter): AsyncGenerator<Payment> {
  const branches = branchesOf(search)
  const matching: readonly Part[] = search.search ? await matchingOf(db, branches, search.search) : branches
  let place: Place | undefined
  for (;;) {
    const page = { limit: EXPORTED_AT_ONCE, first: 'newest' } as const
    const payments = matching.length === 0 ? [] : await readPayments(db, await readBehind(db, matching, place, page))
    yield* payments
    const last = payments.at(-1)
    if (!last || payments.length < EXPORTED_AT_ONCE) return
    place = { at: last.createdAt, id: last._id }
  }
}

/** @returns all payments of one user, newest first */
export async function listUserPayments(db: Database, userId: string): Promise<Payment[]> {
  const rows = await db.texts(sql`
    select id
      from (${unionAll(
        branchesOf({}).map(
          ({ table, condition }) => sql`select id, created_at from ${table} where ${condition} and user_id = ${userId}`,
        ),
      )}) line
     order by created_at desc, id desc`)
  return readPayments(db, rows)
}

/**
 * Returns the tables with payments of this status and type. Only requests are reviewed; orders and admins' changes
 * are always approved.
 */
function branchesOf({
  status,
  type,
  source,
  decidedOn,
  only,
  id,
  bank,
  ...days
}: Partial<Search> & { only?: string[] }): Branch[] {
  const branches: Branch[] = []
  const isFrom = (one: PaymentSource) => source === undefined || source === one
  const settled = decidedOn === undefined && (status === undefined || status === 'approved')
  if (isFrom('request') && (type === undefined || type === 'add_money')) {
    const listed = isListed(sql`topup_requests.id`)
    const condition = allOf([
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(decidedOn === undefined ? [] : [decidedWithin(decidedOn)]),
      within(sql`coalesce(decided_at, created_at)`, days),
      ...(only === undefined ? [] : [sql`id = any(${only}::uuid[])`]),
      // An approval can be taken back or held as long as it stands, so who names it finds it
      id === undefined && bank !== 'held' ? listed : sql`(${listed} or status = 'approved')`,
    ])
    branches.push({ table: sql`topup_requests`, condition, claims: true })
  }
  if (only !== undefined) return branches
  if (isFrom('order') && settled && (type === undefined || type === 'buy_key'))
    branches.push({
      table: sql`orders`,
      condition: allOf([
        within(sql`created_at`, days),
        ...(days.from ? [placedSince(startOf(days.from))] : []),
        ...(days.to ? [placedBefore(startOf(dayAfter(days.to, 1)))] : []),
        isListed(sql`orders.id`),
      ]),
      claims: false,
      isByKey: true,
    })
  if (isFrom('adjustment') && settled && type !== 'buy_key' && type !== 'topup') {
    const condition = allOf([
      sql`kind in ('admin_credit', 'admin_debit')`,
      ...(type === undefined ? [] : [sql`kind = ${type === 'add_money' ? 'admin_credit' : 'admin_debit'}`]),
      within(sql`created_at`, days),
      isListed(sql`wallet_movements.id`),
    ])
    branches.push({ table: sql`wallet_movements`, condition, claims: false })
  }
  return branches
}

/** True for a moment of these days in India, both included. */
function within(moment: Sql, { from, to }: Pick<Search, 'from' | 'to'>): Sql {
  return allOf([
    ...(from ? [sql`${moment} >= ${startOf(from)}`] : []),
    ...(to ? [sql`${moment} < ${startOf(dayAfter(to, 1))}`] : []),
  ])
}

function decidedWithin(day: string): Sql {
  const from = startOf(day)
  return sql`decided_at >= ${from} and decided_at < ${new Date(from.getTime() + DAY_MS)}`
}

type End = 'oldest' | 'newest'

interface Page {
  limit: number
  skip: number
  /** The end at which the list begins. */
  first: End
  /** The row that the page stands beside, whatever `skip` says. */
  beside: { place: Place; side: 'after' | 'before' } | undefined
}

const Place = z.object({ at: z.string(), id: z.string() })
/** Where a row stands in the list. `at` is its moment in ISO-8601, as exact as the database has it. */
type Place = z.output<typeof Place>

/** @returns undefined if no row is named, or none of that id is kept any more */
async function placeBeside(db: Database, { after, before }: Search): Promise<Page['beside']> {
  const id = after ?? before
  if (id === undefined) return undefined
  const lines = [sql`topup_requests`, sql`orders`, sql`wallet_movements`].map(
    (table) => sql`select created_at, id from ${table} where id = ${id}`,
  )
  const place = await db.maybe(sql(Place)`select to_json(created_at) #>> '{}' as at, id from (${unionAll(lines)}) line`)
  return place && { place, side: after === undefined ? 'before' : 'after' }
}

const other = (end: End): End => (end === 'oldest' ? 'newest' : 'oldest')

interface Found extends Total {
  ids: string[]
}

async function findAll(db: Database, branches: readonly Branch[], page: Page): Promise<Found> {
  const { limit, skip, first } = page
  const [total, beside] = await Promise.all([countLines(db, branches), readBeside(db, branches, page)])
  if (beside) return { ids: beside, total }
  // Reads pages after the middle from the other end, so that the last page is as quick as the first
  const isNearEnd = skip > total / 2
  const wanted = isNearEnd ? Math.max(0, Math.min(limit, total - skip)) : limit
  const passed = isNearEnd ? Math.max(0, total - skip - limit) : skip
  const ids = await readPage(db, branches, { limit: wanted, skip: passed, first: isNearEnd ? other(first) : first })
  return { ids: isNearEnd ? ids.toReversed() : ids, total }
}

/** @returns the ids of a page that stands beside a row, or first; undefined for one that is found by counting */
async function readBeside(db: Database, parts: readonly Part[], page: Page): Promise<string[] | undefined> {
  const { limit, skip, first, beside } = page
  if (beside?.side !== 'before') return beside || skip === 0 ? readBehind(db, parts, beside?.place, page) : undefined
  return (await readBehind(db, parts, beside.place, { limit, first: other(first) })).toReversed()
}

/** @returns the ids of the rows behind a place, or of the first ones */
async function readBehind(
  db: Database,
  parts: readonly Part[],
  place: Place | undefined,
  { limit, first }: Pick<Page, 'limit' | 'first'>,
): Promise<string[]> {
  const isBehind = sql`(created_at, id) ${first === 'newest' ? sql`<` : sql`>`}
    (${place?.at}::timestamptz, ${place?.id}::uuid)`
  const behind = await Promise.all(
    parts.map(async ({ table, condition, isByKey }) => {
      const wanted = place ? sql`${condition} and ${isBehind}` : condition
      return {
        table,
        condition: isByKey ? await withinKeys(db, { table, condition: wanted }, place, { limit, first }) : wanted,
      }
    }),
  )
  return readPage(db, behind, { limit, skip: 0, first })
}

/**
 * The ids of old orders are off by up to a minute, so a page that is read by key may end in the wrong place. It is read
 * by moment instead, among the ids that can be on it.
 */
async function withinKeys(
  db: Database,
  { table, condition }: Part,
  place: Place | undefined,
  { limit, first }: Pick<Page, 'limit' | 'first'>,
): Promise<Sql> {
  const isNewest = first === 'newest'
  const at = place && new Date(place.at)
  const begins = at && (isNewest ? placedBefore(new Date(at.getTime() + 1)) : placedSince(at))
  const wanted = begins ? sql`${condition} and ${begins}` : condition
  const last = await db.text(
    planned(sql`
    select id from ${table} where ${wanted} order by ${isNewest ? sql`id desc` : sql`id`} offset ${limit - 1} limit 1`),
  )
  return last === undefined ? wanted : sql`${wanted} and ${placedAround(last, first)}`
}

function readPage(
  db: Database,
  branches: readonly Part[],
  { limit, skip, first }: Omit<Page, 'beside'>,
): Promise<string[]> {
  const byId = first === 'oldest' ? sql`id` : sql`id desc`
  const order = first === 'oldest' ? sql`created_at, id` : sql`created_at desc, id desc`
  // Reads from each table only the rows up to the page's end
  const lines = branches.map(
    ({ table, condition, isByKey }) => sql`
      (select id, created_at
         from ${table}
        where ${condition}
        order by ${isByKey ? byId : order}
        limit ${skip + limit})`,
  )
  return db.texts(
    planned(sql`
    select id from (${unionAll(lines)}) line order by ${order} limit ${limit} offset ${skip}`),
  )
}

function countLines(db: Database, branches: readonly Branch[]): Promise<number> {
  const lines = branches.map(({ table, condition }) => sql`select count(*) as lines from ${table} where ${condition}`)
  const statement = sql`select sum(lines)::bigint as total from (${unionAll(lines)}) branch`
  return keep(db, keyOf(statement), async () => {
    const total = await db.count(statement)
    return { value: total, rows: total }
  })
}

/** A search that matches more buyers than this compares row by row, because one index look-up each costs more. */
const BUYERS_MAX = 300

type Part = Pick<Branch, 'table' | 'condition' | 'isByKey'> & {
  /** The same condition in the form that counts many rows fastest, where a page is read in another. */
  counted?: Sql
}

/** The parts of these tables that the search finds. */
async function matchingOf(db: Database, branches: readonly Branch[], search: string): Promise<Part[]> {
  // A closed account by the name that the list shows of it
  const isMeant = sql`(${contains(sql`lower(username)`, search)}
                       or deleted_at is null and ${contains(sql`lower(email)`, search)})`
  const meant = await db.texts(planned(sql`select id from users where ${isMeant} limit ${literal(BUYERS_MAX + 1)}`))
  return branches.flatMap(({ table, condition, claims, isByKey = false }) => {
    const byClaim = claims ? claimed(search) : []
    if (meant.length <= BUYERS_MAX) {
      const byBuyer = sql`user_id = any(${meant}::uuid[])`
      return [{ table, condition: sql`${condition} and (${anyOf([byBuyer, ...byClaim])})` }]
    }
    // Separates rows that match by buyer from rows that match by UTR or phone alone, so that none comes twice
    const counted = sql`exists (select from users where users.id = ${table}.user_id and ${isMeant})`
    // Looks the buyers of a page up one by one. The engine would rather read all users first, for a page of ten
    const byBuyer = sql`(select ${isMeant} from users where users.id = ${table}.user_id)`
    const parts: Part[] = [
      { table, condition: sql`${condition} and ${byBuyer}`, counted: sql`${condition} and ${counted}`, isByKey },
    ]
    if (byClaim.length > 0)
      parts.push({ table, condition: sql`${condition} and (${anyOf(byClaim)}) and not ${counted}` })
    return parts
  })
}

async function findMatching(db: Database, branches: readonly Branch[], search: string, page: Page): Promise<Found> {
  const matching = await matchingOf(db, branches, search)
  const [ids, total] = await Promise.all([
    readBeside(db, matching, page).then((beside) => beside ?? readPage(db, matching, page)),
    countFound(
      db,
      matching.map(({ table, condition, counted }) => sql`select id from ${table} where ${counted ?? condition}`),
    ),
  ])
  return { ids, ...total }
}

/** Brings the search into the stored form: UTRs normalised, phones as ten digits. */
function claimed(search: string): Sql[] {
  const utr = normaliseUtr(search)
  const phone = phonePart(search)
  return [
    ...(/^[A-Z0-9]+$/.test(utr) ? [sql`utr like ${`%${utr}%`}`] : []),
    ...(phone ? [sql`phone like ${`%${phone}%`}`] : []),
  ]
}
