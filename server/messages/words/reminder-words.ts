/** What reminders say (server/reminders/). */
import * as z from 'zod/mini'
import { sql } from '../../platform/database/database.ts'
import { sayDuration } from '../../../contract/duration-words.ts'
import { dayOf, INDIA_ZONE } from '../../../contract/india.ts'
import { localeOf, type Language } from '../../../contract/languages.ts'
import { keyPath } from './key-path.ts'
import { formatPaise } from '../../../contract/money.ts'
import { productName } from './product-name.ts'
import type { Tell } from './wording.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
const yearOf = (at: Date) => dayOf(at).slice(0, 4)

/** Returns "20 Nov, 9:14 pm", India time, with the year if it is not that of `now`. */
export function momentIn(language: Language, at: Date, now: Date): string {
  const year = yearOf(at) === yearOf(now) ? undefined : 'numeric'
  const name = `${language} ${year}`
  let format = formats.get(name)
  if (!format) formats.set(name, (format = new Intl.DateTimeFormat(localeOf(language), { ...MOMENT, year })))
  return format.format(at)
}

const MOMENT: Intl.DateTimeFormatOptions = {
  timeZone: INDIA_ZONE,
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
}

const EXPIRED = { gone: 'It has expired' }

const tellLapsing: Tell = async ({ kind, data, goneAfter }, { now, language, t }) => {
  if (!goneAfter || goneAfter <= now) return EXPIRED
  return {
    title: t('{amount} in your wallet expires soon', { amount: formatPaise(Number(data['amount'])) }),
    body: t('Use it till {date}. Keys you buy with it stay yours.', { date: momentIn(language, goneAfter, now) }),
    path: '/buy',
    tag: kind,
  }
}

const tellEnding: Tell = async ({ kind, subjectId, data, goneAfter }, { db, now, language, t }) => {
  if (!goneAfter || goneAfter <= now) return EXPIRED
  const order = await db.maybe(sql(() => z.object({ name: z.string(), duration: z.string(), isRenewed: z.boolean() }))`
    select ${productName(language, sql`product_name`, sql`product_id`)} as name, duration,
           exists (select from orders newer where newer.user_id = orders.user_id and newer.price_id = orders.price_id
                                              and newer.created_at > orders.created_at) as is_renewed
      from orders where id = ${subjectId}`)
  const count = Number(data['count'])
  const date = momentIn(language, goneAfter, now)
  if (!order || (order.isRenewed && count === 1)) return { gone: 'A newer key was bought' }
  const key = `${order.name} (${sayDuration(t, order.duration)})`
  return {
    title: count === 1 ? t('{key} expires soon', { key }) : t('{count} of your purchases expire soon', { count }),
    body:
      count === 1
        ? t('It expires on {date}. A new key starts when you buy it.', { date })
        : t('The first, {key}, expires on {date}. A new key starts when you buy it.', { key, date }),
    path: count === 1 ? await keyPath(db, subjectId) : '/my-key?show=expiring',
    tag: kind,
  }
}

export const reminderWords = { 'key.ending': tellEnding, 'credit.lapsing': tellLapsing }
