/**
 * Makes the proof of one payment. Each read names the payment, its buyer or its own credit, so that nothing of another
 * buyer can come into it. Which credit paid for which purchase is known by the lots of the wallet.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { formatRupees } from '../../contract/money.ts'
import {
  Proof,
  ProofClaim,
  ProofCredit,
  ProofEntry,
  ProofLogin,
  ProofMessage,
  ProofMove,
  ProofOrder,
} from '../../contract/proofs.ts'
import { DAY_MS } from '../../contract/time.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { paidToOf } from '../platform/database/conditions.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'

const { request, decision, buyer } = Proof.shape

const RequestRow = z.extend(z.omit(request, { terms: true, filedBy: true }), {
  filedBy: z.nullable(z.string()),
  heldAt: z.nullable(Proof.shape.madeAt),
  termsVersion: z.nullable(z.string()),
  termsAt: z.nullable(Proof.shape.madeAt),
  ...decision.shape,
  userId: z.string(),
  lotId: z.nullable(z.string()),
  left: Proof.shape.left,
  loss: z.nullable(Proof.shape.left),
})
const BankRow = z.extend(z.omit(ProofCredit, { payerVpa: true }), {
  _id: z.string(),
  payerSealed: z.nullable(z.instanceof(Buffer)),
})
const BuyerRow = z.omit(buyer, { logins: true })
const SpentRow = z.omit(ProofOrder, { keys: true, claims: true })
const KeyRow = z.object({ _id: z.string(), order: z.string(), sealed: z.instanceof(Buffer) })
const ClaimRow = z.extend(ProofClaim, { order: z.string() })
const Head = z.object({ hash: z.instanceof(Buffer) })

/**
 * @param isFull shows whole keys, which is an owner's alone
 * @param publicOrigin that of PUBLIC_URL
 * @throws Refusal STEP_UP_REQUIRED, NOT_FOUND for an id that is no request, FORBIDDEN_ROLE for whole keys without the
 *   role of an owner
 */
export function makeProof(
  { db, sealer }: Services,
  { id, isFull, publicOrigin }: { id: string; isFull: boolean; publicOrigin: string | undefined },
  by: ProvingBy,
): Promise<Proof> {
  by.requireProof()
  if (isFull && by.admin.role !== 'owner') throw new Refusal('FORBIDDEN_ROLE')
  return db.transaction(async (tx) => {
    const found = await tx.maybe(requestRow(id))
    if (!found) throw new Refusal('NOT_FOUND')
    const { userId, lotId, left, loss, status, by: decidedBy, at, reason, termsVersion, termsAt, ...more } = found
    const { filedBy, heldAt, ...filed } = more
    const moved = lotId === null ? [] : await tx.rows(ledgerRows(lotId))
    const orders = lotId === null ? [] : await tx.rows(spentRows(lotId))
    const ids = orders.map(({ order }) => order)
    const credits = await tx.rows(bankRows(id))
    const keys = await tx.rows(keyRows(ids))
    const claims = await tx.rows(claimRows(ids))
    const settings = await readSettings(tx)
    const names = await tx.one(buyerRow(userId))
    const head = await tx.one(sql(Head)`select hash from audit_head`)
    const taken = (kind: string) => sumRupees(moved.filter((each) => each.kind === kind).map(({ amount }) => -amount))
    const proof: Proof = {
      number: `P-${id.slice(-8).toUpperCase()}`,
      madeAt: by.now.toISOString(),
      madeBy: by.admin.username,
      store: {
        name: settings.websiteName,
        ...(publicOrigin && { url: publicOrigin }),
        upiId: settings.upiId,
        ...(settings.payeeName && { payeeName: settings.payeeName }),
      },
      request: {
        ...filed,
        ...(filedBy !== null && { filedBy }),
        terms: termsVersion && termsAt ? { version: termsVersion, at: termsAt } : null,
      },
      decision: { status, by: decidedBy, at, reason },
      bank: credits.map(({ _id, payerSealed, ...credit }) => ({
        ...credit,
        payerVpa: payerSealed ? sealer.open('payer', _id, payerSealed) : '',
      })),
      buyer: { ...names, logins: await readLogins(tx, userId, new Date(filed.filedAt)) },
      spent: orders.map((order) => ({
        ...order,
        keys: keys
          .filter((key) => key.order === order.order)
          .map(({ _id, sealed }) => shown(sealer.open('key', _id, sealed), isFull)),
        claims: claims.filter((claim) => claim.order === order.order).map(({ order: _, ...claim }) => claim),
      })),
      messages: await readMessages(tx, userId, [id, ...ids]),
      left,
      expired: taken('expiry'),
      takenBack: loss === null || at === null ? null : { at, taken: taken('reversal'), loss },
      ...(heldAt !== null && { held: heldAt }),
      ledger: moved,
      audit: { entries: await readEntries(tx, id), hash: head.hash.toString('hex') },
    }
    const sha256 = createHash('sha256').update(JSON.stringify(proof)).digest('hex')
    await audit(tx, by, {
      action: isFull ? 'payment.proof-keys' : 'payment.proof',
      subject: `Top-up of ${formatRupees(filed.amount)} by ${names.username} (${id})`,
      after: { number: proof.number, sha256 },
    })
    return proof
  })
}

/** In whole paise, because tenths do not add up in floating point. */
const sumRupees = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100

/** Keeps the ends of a key, by which its buyer and its maker know it. */
export function shown(key: string, isFull = false): string {
  if (isFull) return key
  const signs = Array.from(key)
  const last = signs.slice(signs.length < SHORT_KEY ? -2 : -4).join('')
  return signs.length < SHORT_KEY ? `…${last}` : `${signs.slice(0, 2).join('')}…${last}`
}

/** The logins around a request say who sat at it. */
const AROUND_MS = 7 * DAY_MS

/** Of a key below this length two characters are shown, because six would be half of it. */
const SHORT_KEY = 12

const requestRow = (id: string) => sql(RequestRow)`
  select request.id as _id, request.created_at as filed_at, request.utr,
         coalesce(request.asked_paise, request.amount_paise) as asked, request.amount_paise as amount,
         request.credit_paise as credited, request.phone, request.address, request.user_id,
         coalesce((select user_agent from user_sessions
                    where user_id = request.user_id and created_at <= request.created_at
                    order by created_at desc limit 1), '') as device,
         consent.terms_version, consent.at as terms_at,
         ${paidToOf(sql`request`)} as paid_to,
         request.status, coalesce(decider.username, '') as by, request.decided_at as at,
         coalesce(request.reason, '') as reason, request.loss_paise as loss,
         filer.username as filed_by, request.held_at,
         lot.id as lot_id, coalesce(lot.remaining_paise, 0) as "left"
    from topup_requests request
    left join consents consent on consent.topup_id = request.id
    left join admins decider on decider.id = request.decided_by
    left join admins filer on filer.id = request.filed_by
    left join wallet_movements credited on credited.topup_id = request.id and credited.kind = 'topup'
    left join wallet_lots lot on lot.movement_id = credited.id
   where request.id = ${id}`

const bankRows = (id: string) => sql(BankRow)`
  select credit.id as _id, credit.day::text as day, credit.at, credit.amount_paise as amount, credit.payer_name,
         credit.payer_sealed, credit.proof as source, account.bank || ' ··' || account.tail as account,
         array(select ref from bank_credit_refs where credit_id = credit.id order by ref) as refs,
         (select created_at from bank_imports where id = credit.import_id) as imported_at
    from bank_matches match
    join bank_credits credit on credit.id = match.credit_id
    join bank_accounts account on account.id = credit.account_id
   where match.topup_id = ${id} and (match.released_at is null or ${isStillItsOwn(id)})
   order by match.made_at`

/** A match that was released, by a take-back, may be another buyer's money by now. That has no place in the proof. */
const isStillItsOwn = (id: string) => sql`
  (exists (select from bank_credit_refs named join topup_requests request on request.utr = named.ref
            where named.credit_id = credit.id and request.id = ${id})
   and not exists (select from bank_matches other
                    where other.credit_id = credit.id and other.released_at is null))`

const buyerRow = (userId: string) => sql(BuyerRow)`
  select username, email, created_at as joined_at, deleted_at, referral_code from users where id = ${userId}`

/** The orders that the lot paid for. The bonus is the lot's own part that promotions bore. */
const spentRows = (lotId: string) => sql(SpentRow)`
  select sale.id as "order", sale.created_at as at, sale.product_name, sale.duration, sale.quantity,
         sale.amount_paise as paid, sale.refunded_paise as refunded, taken.paise as amount,
         greatest(0, least(taken.paise, sale.refunded_paise - later.paise)) as refunded_here,
         coalesce(round(taken.paise * promotion.amount_paise::numeric / lot.amount_paise), 0)::bigint as bonus
    from wallet_lots lot
    join lateral (select movement_id, min(id) as place, -sum(amount_paise)::bigint as paise from wallet_entries
                   where lot_id = lot.id and account = 'sales' and amount_paise < 0 group by movement_id) taken on true
    join orders sale on sale.id = taken.movement_id
    -- A refund returns the end of a purchase first (wallet/refund.ts)
    join lateral (select coalesce(-sum(amount_paise), 0)::bigint as paise from wallet_entries
                   where movement_id = taken.movement_id and id > taken.place and lot_id is not null
                     and lot_id <> lot.id) later on true
    left join wallet_entries promotion on promotion.movement_id = lot.movement_id and promotion.account = 'promotions'
   where lot.id = ${lotId}
   order by sale.created_at, sale.id`

const keyRows = (orders: readonly string[]) => sql(KeyRow)`
  select id as _id, order_id as "order", sealed from license_keys
   where order_id = any(${orders}::uuid[]) order by order_id, seq`

const claimRows = (orders: readonly string[]) => sql(ClaimRow)`
  select order_id as "order", number, status as state, created_at as at from key_claims
   where order_id = any(${orders}::uuid[]) order by number`

const ledgerRows = (lotId: string) => sql(ProofMove)`
  select movement.created_at as at, movement.kind, sum(entry.amount_paise)::bigint as amount
    from wallet_entries entry join wallet_movements movement on movement.id = entry.movement_id
   where entry.lot_id = ${lotId}
   group by movement.id order by movement.seq`

const readLogins = (db: Queries, userId: string, at: Date): Promise<Proof['buyer']['logins']> =>
  db.rows(sql(ProofLogin)`
    select created_at as at, address, user_agent as device from user_sessions
     where user_id = ${userId} and created_at between ${new Date(at.getTime() - AROUND_MS)}
                                                  and ${new Date(at.getTime() + AROUND_MS)}
     order by created_at`)

const readMessages = (db: Queries, userId: string, about: readonly string[]): Promise<Proof['messages']> =>
  db.rows(sql(ProofMessage)`
    select message.kind, delivery.channel, delivery.state, coalesce(delivery.sent_at, delivery.created_at) as at
      from outbox_messages message join outbox_deliveries delivery on delivery.message_id = message.id
     where message.user_id = ${userId} and message.subject_id = any(${about}::uuid[])
     order by delivery.created_at`)

const readEntries = (tx: Transaction, id: string): Promise<Proof['audit']['entries']> =>
  tx.rows(sql(ProofEntry)`
    select at, action, admin_name as admin from audit_entries
     where action like 'payment.%' and subject like ${`%(${id})`} order by seq`)
