/**
 * Senders of SMS that an owner adds to an account. The list of banks may lack one. Anybody can write such a name, so
 * it is on trial until a statement proves one of its messages, and even then its messages are only proposed.
 */
import * as z from 'zod/mini'
import { BANKS } from '../../../contract/banks.ts'
import { BankSender, type bankAlerts } from '../../../contract/bank-alerts.ts'
import { Refusal } from '../../../contract/errors.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { audit } from '../../audit/audit.ts'
import { sql, type Queries, type Sql } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { AddedSender } from '../reading/alerts/read-alert.ts'

const PER_ACCOUNT_MAX = 3
/** As operators write a sender of the register: their two letters, the name, and a mark for services. */
const REGISTERED = /^[A-Z]{2}-([A-Z]{6})(?:-[STG])?$/

/** @returns the name within a sender of the register's form */
export const registeredName = (sender: string): string | undefined => REGISTERED.exec(sender.trim().toUpperCase())?.[1]

/** @returns the sender of these banks that this one could be taken for: one letter, or the order of two, differs */
export function lookAlike(header: string, banks: readonly string[]): string | undefined {
  const known = BANKS.filter(({ key }) => banks.includes(key)).flatMap(({ senders }) => senders)
  return known.find((one) => {
    const apart = [0, 1, 2, 3, 4, 5].filter((at) => one[at] !== header[at])
    const [first = 0, second = 0] = apart
    const isSwapped = second === first + 1 && one[first] === header[second] && one[second] === header[first]
    return apart.length < 2 || (apart.length === 2 && isSwapped)
  })
}

export const readAdded = (db: Queries, accountIds: readonly string[]): Promise<AddedSender[]> =>
  db.rows(sql(() => z.object({ id: z.string(), header: z.string(), accountId: z.string(), isProven: z.boolean() }))`
    select id, header, account_id, proven_at is not null as is_proven from bank_senders
     where ended_at is null and account_id = any(${accountIds}::uuid[])`)

const readSenders = (db: Queries, which: Sql): Promise<BankSender[]> =>
  db.rows(sql(BankSender)`
    select sender.id as _id, header, added_at, proven_at, ended_at, ended_why,
           jsonb_build_object('_id', account.id, 'label', account.label) as account
      from bank_senders sender join bank_accounts account on account.id = account_id
     where ${which} order by ended_at is not null, added_at desc, sender.id limit 50`)

export const listSenders = async (db: Queries): Promise<{ senders: BankSender[] }> => ({
  senders: await readSenders(db, sql`closed_at is null`),
})

/**
 * @throws Refusal STEP_UP_REQUIRED; NOT_FOUND when no phone has sent a message of it, for that account, within a day;
 * INVALID_INPUT for a fourth
 */
export async function addSender(
  { db, events }: Services,
  { accountId, header }: z.output<(typeof bankAlerts.addSender)['input']>,
  by: Call<'admin'>,
): Promise<BankSender> {
  by.requireProof()
  const id = newId()
  const added = await db.transaction(async (tx) => {
    // Locks first, in a statement of its own: one that waits for the lock would count senders as they were before
    await tx.run(sql`select from bank_accounts where id = ${accountId} for no key update`)
    const account = await tx.maybe(sql(() => z.object({ label: z.string(), others: z.number(), isKnown: z.boolean() }))`
      select label,
             (select count(*)::int from bank_senders where account_id = account.id and ended_at is null) as others,
             exists (select from bank_senders where account_id = account.id and ended_at is null and header = ${header})
               as is_known
        from bank_accounts account
       where id = ${accountId} and closed_at is null
         and exists (select from bank_heard
                      where account_id = account.id and outcome = 'refused' and sender like '__-' || ${header} || '%'
                        and heard_at > ${new Date(by.now.getTime() - DAY_MS)})`)
    if (!account || account.isKnown) throw new Refusal('NOT_FOUND')
    if (account.others >= PER_ACCOUNT_MAX)
      throw new Refusal('INVALID_INPUT', {
        say: ['An account can have {most} added senders. Remove one first.', { most: PER_ACCOUNT_MAX }],
      })
    await tx.run(sql`
      insert into bank_senders (id, account_id, header, added_by, added_at)
      values (${id}, ${accountId}, ${header}, ${by.admin.id}, ${by.now})`)
    await audit(tx, by, { action: 'bank.add-sender', subject: `${header} (${account.label})` })
    return readSenders(tx, sql`sender.id = ${id}`)
  })
  events.publish({ to: 'admins', name: 'bank', data: {} })
  return one(added)
}

/** @throws Refusal NOT_FOUND */
export async function endSender(
  { db, events }: Services,
  { id }: { id: string },
  by: Call<'admin'>,
): Promise<BankSender> {
  const after = await db.transaction(async (tx) => {
    const ended = await tx.run(sql`
      update bank_senders set ended_at = ${by.now}, ended_why = 'by-admin' where id = ${id} and ended_at is null`)
    const after = one(await readSenders(tx, sql`sender.id = ${id}`))
    if (ended > 0)
      await audit(tx, by, { action: 'bank.end-sender', subject: `${after.header} (${after.account.label})` })
    return after
  })
  events.publish({ to: 'admins', name: 'bank', data: {} })
  return after
}

function one(senders: readonly BankSender[]): BankSender {
  const [sender] = senders
  if (!sender) throw new Refusal('NOT_FOUND')
  return sender
}
