/** Messages to buyers whose order at a supplier did not come. */
import * as z from 'zod/mini'
import { sayDuration } from '../../../contract/duration-words.ts'
import { FetchEnd } from '../../../contract/waiting.ts'
import type { Translate } from '../../../contract/words.ts'
import { sql } from '../../platform/database/database.ts'
import { productName } from './product-name.ts'
import { buyPath } from './stock-words.ts'
import type { Tell } from './wording.ts'

const WHY_NOT: Record<FetchEnd, (t: Translate) => string> = {
  late: (t) => t('It didn’t come in time.'),
  supplier: (t) => t('Our supplier is out of stock now.'),
  short: (t) => t('Your balance was too low when it came.'),
}

const NotCome = z.object({ name: z.string(), product: z.string(), duration: z.string(), why: z.nullable(FetchEnd) })

const tellNotCome: Tell = async ({ subjectId }, { db, language, t }) => {
  const place = await db.maybe(sql(NotCome)`
    select product.name, ${productName(language, sql`product.name`, sql`product.id`)} as product, price.duration,
           place.fetch_end as why
      from waiting_places place
      join prices price on price.id = place.price_id
      join products product on product.id = price.product_id
     where place.id = ${subjectId} and place.ended_at is null`)
  if (!place?.why) return { gone: 'No longer waiting' }
  const { name, product, duration, why } = place
  return {
    title: t('{product} didn’t come', { product }),
    body: t('{duration}: {why} Nothing was taken from your wallet. We’ll notify you when it’s in stock.', {
      duration: sayDuration(t, duration),
      why: WHY_NOT[why](t),
    }),
    path: buyPath(name, duration),
    tag: `fetch.${subjectId}`,
  }
}

export const fetchWords = { 'fetch.ended': tellNotCome }
