/** Buyers who invite each other, with top-ups that a bank shows or not: rows in sets, without calls. */
import { DAY_MS } from '../../contract/time.ts'
import { paise } from '../../contract/money.ts'
import { manualClock } from '../../server/platform/clock.ts'
import { columns, sql, type Database } from '../../server/platform/database/database.ts'
import { hashToken, newId } from '../../server/platform/ids.ts'
import { payInvite, settleInvites } from '../../server/referrals/invites/pay.ts'
import { allowedBefore } from '../../server/wallet/allowance.ts'
import { creditAll } from '../../server/wallet/credit.ts'
import { lockWallets } from '../../server/wallet/ledger.ts'
import { servicesOf } from '../services.ts'
import { TEST_NOW, unique } from './constants.ts'
import { nextUtr } from './shop.ts'
import { seedUsers } from './seed.ts'

export const AT = new Date(TEST_NOW)

export interface Person {
  id: string
  invitedBy?: string
  /** As the statement names the payer, with the UPI ID. */
  name: string
  vpa: string | null
  phone: string
  device: string
  sameBrowser?: true
  /** In rupees. 0: no top-up. */
  paid: number
  /** What shows the money; `none` for an approval that no bank ever shows. */
  proof: 'statement' | 'alert' | 'report' | 'none'
  differs?: true
  /** An admin credited it without a request. */
  filedForHim?: true
  paidAt: Date
  joinedAt: Date
}

/** Somebody who shares nothing with anybody, and paid ₹200 that a statement shows. */
export const person = (more: Partial<Person> = {}): Person => {
  const own = unique('p')
  return {
    id: newId(),
    name: own,
    vpa: `${own}@okaxis`,
    phone: own,
    device: own,
    paid: 200,
    proof: 'statement',
    paidAt: AT,
    joinedAt: AT,
    ...more,
  }
}

export interface Inviting {
  db: Database
  services: ReturnType<typeof servicesOf>
  clock: ReturnType<typeof manualClock>
  adminId: string
  /** Adds people, with their top-ups and matches. */
  add(...people: Person[]): Promise<void>
  /** Another top-up of people who are there. */
  topUp(...people: Person[]): Promise<void>
  /** Takes a top-up back as the panel does, apart from the buyer's wallet. */
  takeBack(of: Person): Promise<void>
  settle(): Promise<{ paid: number; takenBack: number; late: number }>
  pay(friend: Person): Promise<unknown>
  outcome(friend: Person): Promise<string | undefined>
  /** In rupees, what rewards left in the wallet. */
  rewards(of: Person): Promise<number>
}

export const RUPEES = 100

export async function openInviting(db: Database): Promise<Inviting> {
  const [adminId, accountId, importId] = [newId(), newId(), newId()]
  await db.run(sql`
    with admin as (
      insert into admins (id, username, password_hash, created_at) values (${adminId}, ${unique('o')}, 'none', ${AT})
    ), account as (
      insert into bank_accounts (id, bank, label, tail, feeds_store, created_by, created_at)
      values (${accountId}, 'HDFC', 'Shop', '5678', true, ${adminId}, ${AT})
    ), file as (
      insert into bank_imports (id, account_id, sha256, layout, balances, covers_from, covers_to, lines, credits,
                                new_credits, admin_id, created_at)
      values (${importId}, ${accountId}, ${hashToken(importId)}, 'HDFC', 'proven', '2026-11-20', '2026-11-20', 1, 1, 1,
              ${adminId}, ${AT})
    )
    update invite_settings set is_on = true`)
  const clock = manualClock(TEST_NOW)
  const services = { ...servicesOf(db), clock }
  return {
    db,
    services,
    clock,
    adminId,
    add: (...people) => seedPeople(db, { adminId, accountId, importId }, people),
    topUp: (...people) => seedTopUps(db, { adminId, accountId, importId }, people),
    async takeBack({ id }) {
      await db.run(sql`
        with back as (
          update topup_requests set status = 'rejected', taken_back = 'free', loss_paise = credit_paise
           where user_id = ${id} and status = 'approved' returning id
        )
        update bank_matches set released_at = ${AT}, released_by = ${adminId}, released_why = 'Not his', loss_paise = 0
          from back where topup_id = back.id`)
    },
    settle: () => settleInvites(services, services.ended),
    pay: ({ id }) => payInvite(services, id),
    outcome: ({ id }) => db.text(sql`select coalesce(outcome, 'waits') from invites where friend_id = ${id}`),
    rewards: ({ id }) =>
      db.count(sql`
        select coalesce(sum(remaining_paise), 0)::bigint / ${RUPEES} from wallet_lots
         where user_id = ${id} and source = 'referral_reward'`),
  }
}

interface Store {
  adminId: string
  accountId: string
  importId: string
}

async function seedPeople(db: Database, store: Store, people: readonly Person[]): Promise<void> {
  await seedUsers(
    db,
    people.map(({ id, device }) => ({ id, username: unique('u'), session: { token: unique('t'), device } })),
    { now: AT },
  )
  const invited = people.map(({ id, invitedBy, sameBrowser = false, joinedAt }) => {
    return { id, inviter: invitedBy ?? null, same: sameBrowser, at: joinedAt }
  })
  await db.run(sql`
    insert into invites (friend_id, inviter_id, reward_paise, friend_paise, min_paise, days, same_browser, created_at)
    select each.id, each.inviter, reward_paise, friend_paise, min_paise, days, each.same, each.at
      from ${columns(invited, 'id uuid, inviter uuid, same boolean, at timestamptz')} each cross join invite_settings
     where each.inviter is not null`)
  await seedTopUps(
    db,
    store,
    people.filter(({ paid }) => paid > 0),
  )
}

async function seedTopUps(db: Database, { adminId, accountId, importId }: Store, people: readonly Person[]) {
  const rows = people.map((each) => ({
    ...each,
    topup: newId(),
    credit: newId(),
    utr: nextUtr(),
    paise: each.paid * RUPEES,
    key: each.vpa === null ? null : hashToken(each.vpa),
    filedBy: each.filedForHim ? adminId : null,
    differs: each.differs ?? false,
    provenAt: each.proof === 'alert' || each.proof === 'none' ? null : each.paidAt,
  }))
  const shown = rows.filter(({ proof }) => proof !== 'none')
  await db.run(sql`
    insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, status, decided_at, decided_by,
                                created_at, validity_fixed, filed_by)
    select topup, id, paise, paise, utr, phone, 'approved', paid_at, ${adminId}, paid_at, true, filed_by
      from ${columns(
        rows,
        'topup uuid, id uuid, paise bigint, utr text, phone text, paid_at timestamptz, filed_by uuid',
      )} each`)
  await db.run(sql`
    with credit as (
      insert into bank_credits (id, account_id, amount_paise, day, kind, proof, proven_at, differs, payer_name,
                                payer_key, import_id, first_seen_at)
      select credit, ${accountId}::uuid, paise, '2026-11-20', 'payment', proof, proven_at, differs, name, key,
             ${importId}::uuid, paid_at
        from ${columns(
          shown,
          `credit uuid, paise bigint, proof text, proven_at timestamptz, differs boolean, name text, key bytea,
           paid_at timestamptz`,
        )} each
    )
    insert into bank_matches (id, credit_id, topup_id, how, proof_then, made_at, admin_id)
    select gen_random_uuid(), credit, topup, 'approved', proof, paid_at, ${adminId}::uuid
      from ${columns(shown, 'credit uuid, topup uuid, proof text, paid_at timestamptz')} each`)
  await db.transaction(async (tx) => {
    const ids = rows.map(({ id }) => id)
    await lockWallets(tx, ids, AT, { wait: true })
    creditAll(
      tx,
      rows.map(({ id: userId, topup: topupId, paise: amount }) => ({
        userId,
        amount: paise(amount),
        allowance: allowedBefore(paise(amount)),
        kind: 'topup',
        description: 'Wallet top-up',
        topupId,
        expiresAt: null,
        now: AT,
      })),
    )
  })
}

/** Eight kinds of farmers, each with an inviter of their own, beside pairs who share nothing. */
export function farmersAndPairs(each: number, pairs: number) {
  const inviters: Person[] = []
  const inviter = (more: Partial<Person> = {}): Person => {
    const one = person(more)
    inviters.push(one)
    return one
  }
  const many = (make: (n: number) => Partial<Person>, of = inviter()) =>
    Array.from({ length: each }, (_, n) => person({ invitedBy: of.id, ...make(n) }))
  const oneName = inviter({ name: 'RAVI KUMAR' })
  const oneVpa = inviter()
  const onePhone = inviter()
  const oneDevice = inviter()
  const kinds: Record<string, Person[]> = {
    'one bank account, ten UPI IDs': many((n) => ({ name: 'Mr. Ravi  Kumar', vpa: `ravi${n % 10}@oksbi` }), oneName),
    'one UPI ID': many(() => ({ vpa: oneVpa.vpa }), oneVpa),
    'one phone': many(() => ({ phone: onePhone.phone }), onePhone),
    'one browser': many(() => ({ device: oneDevice.device }), oneDevice),
    'signed up beside another account': many(() => ({ sameBrowser: true })),
    'approved by hand, never shown': many((n) => ({ proof: n % 2 ? 'none' : 'alert' })),
    'credited by an admin': many(() => ({ filedForHim: true })),
    'no payer, too little or too late': many(
      (n) =>
        [
          { name: '', vpa: null },
          { paid: 199 },
          { joinedAt: new Date(AT.getTime() - 31 * DAY_MS) },
          { differs: true as const },
        ][n % 4] ?? {},
    ),
  }
  const honest = Array.from({ length: pairs }, () => {
    const by = inviter()
    return { by, friend: person({ invitedBy: by.id }) }
  })
  return { inviters, kinds, honest }
}
