/**
 * Decides whether two hints with one text are one message. A buyer can pay the same sum twice, and one message may come
 * as retries or from two phones.
 */
import * as z from 'zod/mini'
import { MINUTE_MS } from '../../../contract/time.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import { lockRecording } from '../credits/record-credits.ts'

const STAMPS_APART_MS = 2 * MINUTE_MS
const RETRIES_WITHIN_MS = 10 * MINUTE_MS

const TimedText = z.object({
  textKey: z.instanceof(Buffer),
  /** When the phone got it, by its own clock. */
  stampedAt: z.nullable(z.date()),
  seenAt: z.date(),
})
type TimedText = z.output<typeof TimedText>

/** @returns true if both are one message. Compares the phones' stamps, or the store's times where a stamp is missing */
export function isSameMessage(one: Omit<TimedText, 'textKey'>, other: Omit<TimedText, 'textKey'>): boolean {
  const [a, b, within] =
    one.stampedAt && other.stampedAt
      ? [one.stampedAt, other.stampedAt, STAMPS_APART_MS]
      : [one.seenAt, other.seenAt, RETRIES_WITHIN_MS]
  return Math.abs(a.getTime() - b.getTime()) <= within
}

/** @returns the new hints, each message once. A repeat keeps the earlier stamp */
export async function newHints<T extends TimedText>(tx: Transaction, hints: readonly T[]): Promise<Set<T>> {
  if (hints.length === 0) return new Set()
  await lockRecording(tx)
  const known = await tx.rows(sql(TimedText)`
    select text_key, stamped_at, seen_at
      from bank_sightings where text_key = any(${hints.map(({ textKey }) => textKey)}::bytea[])`)
  const fresh = new Set<T>()
  for (const hint of hints) {
    const same = known.find((one) => one.textKey.equals(hint.textKey) && isSameMessage(one, hint))
    if (!same) {
      fresh.add(hint)
      known.push(hint)
    } else if (hint.stampedAt && same.stampedAt && hint.stampedAt < same.stampedAt)
      await tx.run(sql`
        update bank_sightings set stamped_at = ${hint.stampedAt}
         where text_key = ${hint.textKey} and stamped_at = ${same.stampedAt}`)
  }
  return fresh
}
