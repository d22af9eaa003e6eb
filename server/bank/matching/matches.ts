/** Reads and writes matches of requests and credits, under their locks. */
import * as z from 'zod/mini'
import { columns, sql, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { readPairs, SAME_REFERENCE, type Pair } from './match-facts.ts'

export type Core = Pick<Services, 'db' | 'events' | 'clock'>

export const CandidateRow = z.object({
  requestId: z.string(),
  creditId: z.string(),
  userId: z.string(),
  payerKey: z.nullable(z.instanceof(Buffer)),
  isPending: z.boolean(),
})
export type Candidate = z.output<typeof CandidateRow>

/** Locks the credits and reads all again. The requests and the rules must be locked in this transaction. */
export async function readLocked(tx: Transaction, candidates: readonly Candidate[]): Promise<Pair[]> {
  const requestIds = candidates.map(({ requestId }) => requestId)
  const creditIds = candidates.map(({ creditId }) => creditId)
  await tx.run(sql`select from bank_credits where id = any(${creditIds}::uuid[]) order by id for update`)
  const chosen = sql`request.id = any(${requestIds}::uuid[]) and credit.id = any(${creditIds}::uuid[])`
  return readPairs(tx, SAME_REFERENCE, chosen)
}

export interface NewMatch {
  pair: Pair
  how: 'auto' | 'approved' | 'afterwards'
  adminId: string | null
}

/** @returns the ids of the requests that now have a match. A request or credit that had one gets no other */
export async function insertMatches(tx: Transaction, matches: readonly NewMatch[], now: Date): Promise<Set<string>> {
  if (matches.length === 0) return new Set()
  const rows = matches.map(({ pair: { credit, request }, how, adminId }) => {
    return { id: newId(), creditId: credit.id, topupId: request.id, how, proof: credit.proof, adminId }
  })
  const made = await tx.texts(sql`
    insert into bank_matches (id, credit_id, topup_id, how, proof_then, made_at, admin_id)
    select id, credit_id, topup_id, how, proof, ${now}, admin_id
      from ${columns(rows, 'id uuid, credit_id uuid, topup_id uuid, how text, proof text, admin_id uuid')} as match
    on conflict do nothing
    returning topup_id`)
  return new Set(made)
}
