/** What messages to owners say of their store's day. */
import * as z from 'zod/mini'
import { sayDuration } from '../../../../contract/duration-words.ts'
import { yearText } from '../../../../contract/india.ts'
import { formatPaise, formatRupees } from '../../../../contract/money.ts'
import { readRivalClaims } from '../../../payments/risk-signals.ts'
import { placedBefore, placedSince } from '../../../platform/database/conditions.ts'
import { sql } from '../../../platform/database/database.ts'
import { readOverview } from '../../../reports/overview.ts'
import { readTopUp } from '../topup-words.ts'
import { namedFirst } from './named-first.ts'
import type { Tell } from '../wording.ts'

const tellDay: Tell = async ({ kind }, { db, now, t }) => {
  const [{ today, pending, runningOut }, claims] = await Promise.all([
    readOverview(db, { days: 1 }, now),
    db.count(sql`select count(*) from key_claims where status = 'open'`),
  ])
  const [one = '', other] = [
    ...(pending.count > 0
      ? [
          t('{count, plural, one {# payment} other {# payments}} ({amount})', {
            count: pending.count,
            amount: formatRupees(pending.amount),
          }),
        ]
      : []),
    ...(claims > 0 ? [t('{count, plural, one {# claim} other {# claims}}', { count: claims })] : []),
  ]
  const names = runningOut.map(({ name, duration }) => `${name} (${sayDuration(t, duration)})`)
  const sentences = [
    t('{count, plural, one {# sale} other {# sales}}', { count: today.orders }),
    t('{amount} in top-ups', { amount: formatRupees(today.topUps) }),
    t('{count, plural, one {# new buyer} other {# new buyers}}', { count: today.signups }),
    ...(one === ''
      ? []
      : [t('Waiting for you: {what}', { what: other ? t('{one} and {other}', { one, other }) : one })]),
    ...(names.length > 0 ? [t('Out of stock soon: {list}', { list: namedFirst(t, names) })] : []),
  ]
  return {
    title: t('Today: {amount} in sales', { amount: formatRupees(today.sales) }),
    body: sentences.map((sentence) => t('{sentence}.', { sentence })).join(' '),
    path: '/admin/dashboard',
    tag: kind,
  }
}

const tellTurnover: Tell = ({ kind, data }, { t }) => {
  const { year, percent, line } = Turnover.parse(data)
  return Promise.resolve({
    title: t('Sales of {year}: {percent} % of {line}', { year: yearText(year), percent, line: formatRupees(line) }),
    body: t('Your books show the year month by month. Ask a chartered accountant which line is yours.'),
    path: '/admin/books?view=year',
    tag: kind,
  })
}

const Turnover = z.object({ year: z.number(), percent: z.number(), line: z.number() })

const Sold = z.object({
  name: z.string(),
  duration: z.string(),
  keys: z.number(),
  sales: z.number(),
  amount: z.number(),
})

const tellSales: Tell = async ({ kind, data }, { db, t }) => {
  const [from, until] = [new Date(data['from'] as string), new Date(data['until'] as string)]
  const sold = await db.rows(sql(Sold)`
    select product_name as name, duration, sum(quantity)::bigint as keys, count(*) as sales,
           sum(amount_paise)::bigint as amount
      from orders
     where created_at > ${from} and created_at <= ${until} and ${placedSince(from)} and ${placedBefore(until)}
     group by 1, 2
     order by amount desc, 1, 2`)
  if (sold.length === 0) return { gone: 'No such sale' }
  const sum = (member: 'sales' | 'amount') => sold.reduce((total, each) => total + each[member], 0)
  return {
    title: t('{count, plural, one {# sale} other {# sales}}: {amount}', {
      count: sum('sales'),
      amount: formatPaise(sum('amount')),
    }),
    body: namedFirst(
      t,
      sold.map(({ name, duration, keys }) => `${keys} × ${name} (${sayDuration(t, duration)})`),
    ),
    path: '/admin/purchases',
    tag: kind,
  }
}

const tellRivals: Tell = async ({ kind, subjectId }, { db, t }) => {
  const topUp = subjectId === null ? undefined : await readTopUp(db, subjectId)
  const rivals = topUp && (await readRivalClaims(db, [topUp.id])).get(topUp.id)
  if (!rivals) return { gone: 'No other buyer submitted it' }
  const { id, amount, username, status } = topUp
  return {
    title: t('{names} also submitted {amount} from {name}', {
      names: namedFirst(t, rivals),
      amount: formatPaise(amount),
      name: username,
    }),
    body: t(
      'Both sent the same UTR. The request of {name} {status, select, pending {waits for you} approved {was ' +
        'approved} other {was rejected}}. Find out who paid.',
      { name: username, status },
    ),
    path: `/admin/payment-manager?request=${id}`,
    tag: `${kind}.${id}`,
  }
}

export const ownerWords = {
  'day.summary': tellDay,
  'sale.placed': tellSales,
  'payment.claimed-twice': tellRivals,
  'books.turnover': tellTurnover,
}
