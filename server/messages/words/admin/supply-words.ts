/** What messages about suppliers say to admins. */
import * as z from 'zod/mini'
import { sayDuration } from '../../../../contract/duration-words.ts'
import { formatPaise } from '../../../../contract/money.ts'
import type { Translate } from '../../../../contract/words.ts'
import { sql } from '../../../platform/database/database.ts'
import type { Tell } from '../wording.ts'

interface Facts {
  product: string
  number: string
  price: string
  cap: string
  count: number
  claim: string
  orders: string
}

const SAID: Readonly<Record<string, (t: Translate, facts: Facts) => string>> = {
  low: (t) => t('The balance there is low. Top it up, or buyers see Out of stock.'),
  silent: (t) => t('It has not answered for 30 minutes.'),
  token: (t) => t('It no longer takes the token. Make a new one there, and enter it here.'),
  address: (t) => t('Its address is not a public one. Paused.'),
  dear: (t, { product, price, cap }) =>
    t('It asks {price} for {product}. Your limit is {cap}.', { product, price, cap }),
  unsettled: (t, { product }) => t('It refuses the price that it lists for {product}.', { product }),
  limit: (t, { product }) => t('It sells no more of {product} to you.', { product }),
  request: (t, { product }) =>
    t('It refused the request for {product}. Check it, and save the product again.', { product }),
  lost: (t, { number }) =>
    t('{number} was not answered, and is never sent twice. Paused. Did they deliver?', { number }),
  'known-key': (t, { number }) => t('It sent a key that you already have ({number}). Paused.', { number }),
  'above-cap': (t, { number }) => t('It took more than your limit ({number}). Paused.', { number }),
  'by-hand': (t, { number }) => t('{number} is open for 24 hours. Did they deliver?', { number }),
  back: (t, { count }) =>
    t(
      '{count, plural, one {# purchase} other {# purchases}} there {count, plural, one {was} other {were}} missing ' +
        'here. The keys come into stock, as a batch apart.',
      { count },
    ),
  replaced: (t, { claim }) => t('It replaced the key of {claim}. The new one is in stock.', { claim }),
  refunded: (t, { claim }) => t('It gave money back for the key of {claim}.', { claim }),
  rejected: (t, { claim }) => t('It rejected the report of {claim}.', { claim }),
  withdrawn: (t, { claim }) => t('The report of {claim} was withdrawn there.', { claim }),
  recalled: (t, { count, orders }) =>
    t('It recalled {count, plural, one {# key} other {# keys}} of {orders}. Recall their batches here as well.', {
      count,
      orders,
    }),
  differs: (t) => t('Its purchases differ from your orders. Look at Suppliers.'),
  removed: (t, { number }) =>
    t('{number} was bought for a duration that you removed. Restore it, and its keys come.', { number }),
}

/** What nobody has to mend. */
const NO_TROUBLE: ReadonlySet<string> = new Set(['back', 'replaced', 'refunded', 'rejected', 'withdrawn'])

const Named = z.object({ supplier: z.string(), product: z.nullable(z.string()), duration: z.nullable(z.string()) })

const tell: Tell = async ({ subjectId, data }, { db, t }) => {
  const { why = '', priceId = null, number = 0, price = 0, cap = 0, count = 0, claim = 0, orders = '' } = data
  const said = SAID[why]
  const named = await db.maybe(sql(Named)`
    select link.name as supplier, product.name as product, price.duration
      from supply_links link
      left join prices price on price.id = ${priceId}::uuid
      left join products product on product.id = price.product_id
     where link.id = ${subjectId} and link.ended_at is null`)
  if (!said || !named) return { gone: 'The supplier was removed' }
  const { supplier, product, duration } = named
  return {
    title: NO_TROUBLE.has(String(why))
      ? t('News from {supplier}', { supplier })
      : t('Trouble with {supplier}', { supplier }),
    body: said(t, {
      product: product === null || duration === null ? '' : `${product}, ${sayDuration(t, duration)}`,
      number: `S-${number}`,
      price: formatPaise(Number(price)),
      cap: formatPaise(Number(cap)),
      count: Number(count),
      claim: `C-${claim}`,
      orders: String(orders),
    }),
    path: '/admin/suppliers',
    tag: `supply.${subjectId}.${why}`,
  }
}

export const supplyWords = { 'supply.trouble': tell }
