/** One claim, answered by an admin. */
import type { Claim, RefundRule } from '../../contract/claims.ts'
import { answersForMoney } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Paise } from '../../contract/money.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'
import { readClaims } from './claim-rows.ts'
import {
  endOf,
  lockOpenClaim,
  refundOf,
  settleClaims,
  type Answered,
  type By,
  type LockedClaim,
} from './decide-claims.ts'

interface Words {
  id: string
  answer?: string | undefined
}

/**
 * Only a role that answers for money may replace one purchased key twice. Else helper and buyer could go on for ever.
 * @throws Refusal NOT_FOUND, CLAIM_DECIDED, REPLACED_BEFORE, OUT_OF_STOCK, DAY_LIMIT or STEP_UP_REQUIRED
 */
export function replaceClaimed(
  services: Services,
  { time, ...given }: Words & { time?: 'full' | 'same-end' | undefined },
  by: By,
): Promise<Claim> {
  return answer(services, given, by, (_, claim) => {
    if (claim.isReplacement && !answersForMoney(by.admin.role)) throw new Refusal('REPLACED_BEFORE')
    return { replaceUntil: endOf(claim, by.now, time) }
  })
}

/** @throws Refusal NOT_FOUND, CLAIM_DECIDED, AMOUNT_CHANGED or STEP_UP_REQUIRED */
export function refundClaimed(
  services: Services,
  given: Words & { rule: RefundRule; amount?: Paise | undefined; expected: Paise },
  by: By,
): Promise<Claim> {
  return answer(services, given, by, async (tx, claim) => {
    const { refundFee } = await readSettings(tx)
    return { refund: refundOf(claim, given, refundFee) }
  })
}

/** @throws Refusal NOT_FOUND or CLAIM_DECIDED */
export function rejectClaim(services: Services, given: Words, by: By): Promise<Claim> {
  return answer(services, given, by, () => ({}))
}

type Given = Pick<Answered, 'replaceUntil' | 'refund'>

async function answer(
  { db, events }: Services,
  { id, answer: words = '' }: Words,
  by: By,
  decide: (tx: Transaction, claim: LockedClaim) => Given | Promise<Given>,
): Promise<Claim> {
  const claim = await db.transaction(async (tx) => {
    const locked = await lockOpenClaim(tx, id, by.now)
    const given = await decide(tx, locked)
    if (!locked.isAccountOpen && (given.refund ?? given.replaceUntil))
      throw new Refusal('NOT_FOUND', { message: 'The buyer’s account is closed.' })
    await settleClaims(tx, [{ claim: locked, answer: words, ...given }], by)
    return readClaim(tx, id)
  })
  tellAnswered({ events }, [claim])
  return claim
}

/** @throws Refusal NOT_FOUND */
export async function readClaim(db: Queries, id: string): Promise<Claim> {
  const [claim] = await readClaims(db, sql`where claim.id = ${id}`, sql`claim.id`)
  if (!claim) throw new Refusal('NOT_FOUND')
  return claim
}

/** Tells open pages after the commit. */
export function tellAnswered(
  { events }: Pick<Services, 'events'>,
  answered: readonly Pick<Claim, 'buyer' | 'status' | 'productId'>[],
): void {
  events.publish({ to: 'admins', name: 'claim' })
  for (const user of new Set(answered.map(({ buyer }) => buyer._id))) {
    events.publish({ to: { user }, name: 'claim' })
    events.publish({ to: { user }, name: 'balance' })
  }
  for (const productId of new Set(answered.flatMap((each) => (each.status === 'replaced' ? [each.productId._id] : []))))
    events.publish({ to: 'everyone', name: 'stock', data: { productId } })
}
