/** What messages about claims say to buyers. */
import * as z from 'zod/mini'
import { sayDuration } from '../../../contract/duration-words.ts'
import { formatPaise } from '../../../contract/money.ts'
import { sql } from '../../platform/database/database.ts'
import type { Translate } from '../../../contract/words.ts'
import { productName } from './product-name.ts'
import type { Tell } from './wording.ts'

const Row = z.object({
  status: z.enum(['open', 'replaced', 'refunded', 'rejected', 'withdrawn']),
  answer: z.nullable(z.string()),
  refunded: z.nullable(z.number()),
  keyId: z.string(),
  replacementId: z.nullable(z.string()),
  name: z.string(),
  duration: z.string(),
})

/** Says what became of a buyer's claim, or that the store claims for the buyer. */
const tellBuyer: Tell = async ({ kind, subjectId, data }, { db, language, t }) => {
  const claim = await db.maybe(sql(Row)`
    select claim.status, claim.answer, claim.refund_paise as refunded, claim.key_id,
           claim.replacement_id, sale.duration,
           ${productName(language, sql`sale.product_name`, sql`sale.product_id`)} as name
      from key_claims claim join orders sale on sale.id = claim.order_id where claim.id = ${subjectId}`)
  if (!claim) return { gone: 'The claim is no longer there' }
  const key = `${claim.name} (${sayDuration(t, claim.duration)})`
  if (kind === 'key.recalled')
    return claim.status === 'open'
      ? {
          title: t('Your key for {key} has a problem', { key }),
          body: t(
            'Our supplier reported a problem with it. You don’t need to do anything. We’ll replace or refund it.',
          ),
          path: `/my-key?key=${claim.keyId}`,
          tag: `claim.${subjectId}`,
        }
      : { gone: 'Already answered' }
  const count = Number(data['count'] ?? 1)
  const answer = claim.answer ? t(claim.answer) : t('Open My Key to see it.')
  return {
    title: titleOf(claim, key, t),
    body: count > 1 ? `${answer} ${t('So were {count} more of your keys.', { count: count - 1 })}` : answer,
    path: claim.status === 'refunded' ? '/wallet-history' : `/my-key?key=${claim.replacementId ?? claim.keyId}`,
    tag: `claim.${subjectId}`,
  }
}

function titleOf({ status, refunded }: z.output<typeof Row>, key: string, t: Translate): string {
  if (status === 'refunded') return t('{amount} refunded for {key}', { amount: formatPaise(refunded ?? 0), key })
  return status === 'replaced'
    ? t('Your key for {key} was replaced', { key })
    : t('We answered your report about {key}', { key })
}

export const claimWords = {
  'claim.answered': tellBuyer,
  'key.recalled': tellBuyer,
}
