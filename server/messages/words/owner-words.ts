/** What messages to owners say of their store's day. */
import * as z from 'zod/mini'
import { formatPaise, formatRupees } from '../../../contract/money.ts'
import { readRivalClaims } from '../../payments/risk-signals.ts'
import { placedBefore, placedSince } from '../../platform/database/conditions.ts'
import { sql } from '../../platform/database/database.ts'
import { readOverview } from '../../reports/overview.ts'
import { readTopUp } from './topup-words.ts'
import type { Tell } from './wording.ts'

const NAMED = 3

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** "A, B, C, and 2 more" */
const named = (names: readonly string[]): string =>
  names.slice(0, NAMED).join(', ') + (names.length > NAMED ? `, and ${names.length - NAMED} more` : '')

const tellDay: Tell = async ({ kind }, { db, now }) => {
  const [{ today, pending, runningOut }, { claims }] = await Promise.all([
    readOverview(db, { days: 1 }, now),
    db.one(z.object({ claims: z.number() }), sql`select count(*) as claims from key_claims where status = 'open'`),
  ])
  const waits = [
    ...(pending.count > 0
      ? [`${counted(pending.count, 'payment', 'payments')} (${formatRupees(pending.amount)})`]
      : []),
    ...(claims > 0 ? [counted(claims, 'claim', 'claims')] : []),
  ]
  const sentences = [
    counted(today.orders, 'sale', 'sales'),
    `${formatRupees(today.topUps)} in top-ups`,
    counted(today.signups, 'new buyer', 'new buyers'),
    ...(waits.length > 0 ? [`Waiting for you: ${waits.join(' and ')}`] : []),
    ...(runningOut.length > 0
      ? [`Out of stock soon: ${named(runningOut.map(({ name, duration }) => `${name} (${duration})`))}`]
      : []),
  ]
  return {
    title: `Today: ${formatRupees(today.sales)} in sales`,
    body: `${sentences.join('. ')}.`,
    path: '/admin/dashboard',
    tag: kind,
  }
}

const Sold = z.object({
  name: z.string(),
  duration: z.string(),
  keys: z.number(),
  sales: z.number(),
  amount: z.number(),
})

const tellSales: Tell = async ({ kind, data }, { db }) => {
  const [from, until] = [new Date(data['from'] as string), new Date(data['until'] as string)]
  const sold = await db.rows(
    Sold,
    sql`
    select product_name as name, duration, sum(quantity)::bigint as keys, count(*) as sales,
           sum(amount_paise)::bigint as amount
      from orders
     where created_at > ${from} and created_at <= ${until} and ${placedSince(from)} and ${placedBefore(until)}
     group by 1, 2
     order by amount desc, 1, 2`,
  )
  if (sold.length === 0) return { gone: 'No such sale' }
  const sum = (member: 'sales' | 'amount') => sold.reduce((total, each) => total + each[member], 0)
  return {
    title: `${counted(sum('sales'), 'sale', 'sales')}: ${formatPaise(sum('amount'))}`,
    body: named(sold.map(({ name, duration, keys }) => `${keys} × ${name} (${duration})`)),
    path: '/admin/purchases',
    tag: kind,
  }
}

const tellRivals: Tell = async ({ kind, subjectId }, { db }) => {
  const topUp = subjectId === null ? undefined : await readTopUp(db, subjectId)
  const rivals = topUp && (await readRivalClaims(db, [topUp.id])).get(topUp.id)
  if (!rivals) return { gone: 'No other buyer claims it' }
  const { id, amount, username, status } = topUp
  const state = { pending: 'waits for you', approved: 'was approved', rejected: 'was rejected' }[status]
  return {
    title: `${named(rivals)} also claimed ${formatPaise(amount)} from ${username}`,
    body: `Both sent the same UTR. The request of ${username} ${state}. Find out who paid.`,
    path: `/admin/payment-manager?request=${id}`,
    tag: `${kind}.${id}`,
  }
}

export const ownerWords = {
  'day.summary': tellDay,
  'sale.placed': tellSales,
  'payment.claimed-twice': tellRivals,
}
