/** Buyers' consents: which text of the terms, for which purpose, and when. Rows are only ever added. */
import type * as z from 'zod/mini'
import { Consent } from '../../contract/privacy.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'

interface NewConsent {
  userId: string
  termsVersion: string
  /** The top-up request that was sent with it; absent at sign-up. */
  topUpId?: string
  now: Date
}

/** Records a consent, in the transaction of its sign-up or top-up request, so that neither exists alone. */
export function recordConsent(tx: Transaction, { userId, termsVersion, topUpId, now }: NewConsent): void {
  void tx.send(sql`
    insert into consents (user_id, terms_version, given_for, topup_id, at)
    values (${userId}, ${termsVersion}, ${topUpId === undefined ? 'sign-up' : 'payment'}, ${topUpId ?? null}, ${now})`)
}

/** @returns the user's consents, oldest first */
export function listConsents(db: Queries, userId: string): Promise<z.output<typeof Consent>[]> {
  return db.rows(
    sql(Consent)`select terms_version, given_for, at from consents where user_id = ${userId} order by at, id`,
  )
}
