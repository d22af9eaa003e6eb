/** What is said of keys that the store buys again (server/renewals/). */
import * as z from 'zod/mini'
import { sayDuration } from '../../../contract/duration-words.ts'
import { dayAfter, dayOf } from '../../../contract/india.ts'
import { formatPaise } from '../../../contract/money.ts'
import type { Translate } from '../../../contract/words.ts'
import { sql } from '../../platform/database/database.ts'
import { keyPath } from './key-path.ts'
import { productName } from './product-name.ts'
import { momentIn } from './reminder-words.ts'
import type { Speaker, Tell } from './wording.ts'

const Open = z.object({
  product: z.string(),
  duration: z.string(),
  sum: z.number(),
  heldWhy: z.nullable(z.string()),
})

const GONE = { gone: 'It does not renew any more' }
const PASSED = { gone: 'Its moment has passed' }

const readOpen = ({ db, language }: Speaker, orderId: string | null) =>
  db.maybe(sql(Open)`
    select ${productName(language, sql`product.name`, sql`product.id`)} as product, renewal.duration,
           renewal.max_paise * renewal.quantity as sum, renewal.held_why
      from renewals renewal
      join prices price on price.id = renewal.price_id
      join products product on product.id = price.product_id
     where renewal.order_id = ${orderId} and renewal.ended_at is null`)

const tellRenewal: Tell = async ({ kind, subjectId, goneAfter }, by) => {
  const { db, now, language, t } = by
  const renewal = await readOpen(by, subjectId)
  if (!renewal) return GONE
  if (!goneAfter || goneAfter <= now) return PASSED
  const key = `${renewal.product} (${sayDuration(t, renewal.duration)})`
  const isTomorrow = dayOf(goneAfter) === dayAfter(dayOf(now), 1)
  return {
    title: isTomorrow ? t('{key} renews tomorrow', { key }) : t('{key} renews soon', { key }),
    body: t('{date}, for up to {amount}. Open to stop it.', {
      date: momentIn(language, goneAfter, now),
      amount: formatPaise(renewal.sum),
    }),
    path: await keyPath(db, subjectId),
    tag: `${kind}.${subjectId}`,
  }
}

const WHY: Record<string, (t: Translate) => string> = {
  price: (t) => t('It costs more than your limit now.'),
  stock: (t) => t('There are too few keys in stock.'),
  money: (t) => t('Your balance is too low.'),
}

const tellHeld: Tell = async ({ kind, subjectId, goneAfter }, by) => {
  const { db, now, language, t } = by
  const renewal = await readOpen(by, subjectId)
  const why = WHY[renewal?.heldWhy ?? '']?.(t)
  if (!renewal || !why) return GONE
  if (!goneAfter || goneAfter <= now) return PASSED
  const key = `${renewal.product} (${sayDuration(t, renewal.duration)})`
  return {
    title: t('{key} is not renewed yet', { key }),
    body: t('{why} We try until {date}.', { why, date: momentIn(language, goneAfter, now) }),
    path: await keyPath(db, subjectId),
    tag: `${kind}.${subjectId}`,
  }
}

export const renewalWords = { 'renewal.due': tellRenewal, 'renewal.held': tellHeld }
