/** Answers the open claims of a batch together, in steps that each commit. */
import type * as z from 'zod/mini'
import type { Claim, claims } from '../../contract/claims.ts'
import { lockReplacements } from '../keys/replace-keys.ts'
import { literal, sql, type Queries, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'
import { tellAnswered } from './answer-claim.ts'
import { endOf, lockClaims, settleClaims, type Answered, type By } from './decide-claims.ts'
import { findBatch } from './recall-batch.ts'
import { sumsOf } from './refund-sums.ts'

const ANSWERED_AT_ONCE = 200
/** Longer batches are answered in several calls, because a request must end. */
const ANSWER_FOR_MS = 20_000

type Bulk = z.output<(typeof claims.answerAll)['input']>

/**
 * Replaces while stock lasts and refunds the unused part otherwise, or refunds all. Claims of closed accounts, and
 * those with nothing unused, stay open.
 * @throws Refusal NOT_FOUND or STEP_UP_REQUIRED
 */
export async function answerBatch(
  services: Services,
  bulk: Bulk,
  by: By & Pick<Call<'admin'>, 'requireProof'>,
): Promise<{ replaced: number; refunded: number; left: number }> {
  by.requireProof()
  const { db } = services
  const batch = await findBatch(db, bulk.id)
  const beganMs = performance.now()
  const counts = { replaced: 0, refunded: 0 }
  const seen: string[] = []
  while (performance.now() - beganMs < ANSWER_FOR_MS) {
    const step = await db.transaction((tx) => answerSome(tx, bulk, { seen, by }))
    if (step.ids.length === 0) break
    seen.push(...step.ids)
    const told = step.answered.map(({ claim, replaceUntil }): Pick<Claim, 'buyer' | 'status' | 'productId'> => ({
      buyer: { _id: claim.userId, username: claim.username },
      status: replaceUntil ? 'replaced' : 'refunded',
      productId: { _id: batch.productId, name: batch.productName },
    }))
    for (const { status } of told) counts[status === 'replaced' ? 'replaced' : 'refunded'] += 1
    if (told.length > 0) tellAnswered(services, told)
  }
  return { ...counts, left: await countOpen(db, bulk.id) }
}

/** @param seen claims that earlier steps looked at */
async function answerSome(
  tx: Transaction,
  bulk: Bulk,
  { seen, by }: { seen: readonly string[]; by: By },
): Promise<{ ids: string[]; answered: Answered[] }> {
  const ids = await tx.texts(sql`
    select id from key_claims
     where batch_id = ${bulk.id} and status = 'open' and id <> all(${[...seen]}::uuid[])
     order by created_at, id limit ${literal(ANSWERED_AT_ONCE)}`)
  const claims = (await lockClaims(tx, ids, by.now)).filter(({ status, isAccountOpen }) => {
    return status === 'open' && isAccountOpen
  })
  if (claims.length === 0) return { ids, answered: [] }
  const replaceable = bulk.do === 'replace' ? claims.filter(({ priceId }) => priceId !== null) : []
  const priceId = replaceable[0]?.priceId
  const keys = priceId ? await lockReplacements(tx, priceId, replaceable.length) : []
  const replaced = new Set(replaceable.slice(0, keys.length))
  const { refundFee } = await readSettings(tx)
  const answered = claims.flatMap((claim): Answered[] => {
    const given = { claim, answer: bulk.answer }
    if (replaced.has(claim)) return [{ ...given, replaceUntil: endOf(claim, by.now) }]
    const rule = bulk.do === 'full' ? 'full' : 'unused'
    const amount = sumsOf(claim, refundFee)[rule]
    return amount === null ? [] : [{ ...given, refund: { amount, rule } }]
  })
  await settleClaims(tx, answered, by)
  return { ids, answered }
}

const countOpen = (db: Queries, batchId: string): Promise<number> =>
  db.count(sql`select count(*) from key_claims where batch_id = ${batchId} and status = 'open'`)
