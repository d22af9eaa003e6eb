/**
 * Phones that forward their bank's alerts. An owner makes a one-time code, the phone shows it and gets its token, which
 * opens the door for alerts and nothing else. The store keeps only hashes of both.
 */
import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { bankPhones } from '../../../contract/bank-phones.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { BankDevice } from '../../../contract/bank-phones.ts'
import { PAUSE_REASONS, reasonIn } from '../../../contract/bank-shapes.ts'
import { smsAbove } from '../../../contract/banks.ts'
import { Refusal } from '../../../contract/errors.ts'
import { audit } from '../../audit/audit.ts'
import { sql, type Database, type Queries, type Sql, type Transaction } from '../../platform/database/database.ts'
import type { Call, CallingDevice } from '../../platform/http/http.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'

const CODE_BYTES = 16
const TOKEN_BYTES = 32
const CODE_LASTS_MS = 10 * 60_000
const UNKNOWN_SENDERS_MAX = 3

type Input<N extends keyof typeof bankPhones> = z.output<InputOf<(typeof bankPhones)[N]>>
type Output<N extends keyof typeof bankPhones> = z.output<(typeof bankPhones)[N]['output']>

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const secretOf = (bytes: number): string => randomBytes(bytes).toString('base64url')

/**
 * @param publicOrigin that of PUBLIC_URL, the only sign that phones reach the store over HTTPS
 * @throws Refusal STEP_UP_REQUIRED, NOT_FOUND, HTTPS_REQUIRED
 */
export async function invite(
  { db }: Services,
  publicOrigin: string | undefined,
  { name, accountIds }: Input<'invite'>,
  by: Call<'admin'>,
): Promise<Output<'invite'>> {
  by.requireProof()
  const ids = [...new Set(accountIds)]
  const code = secretOf(CODE_BYTES)
  const expiresAt = new Date(by.now.getTime() + CODE_LASTS_MS)
  await db.transaction(async (tx) => {
    if ((await countOpen(tx, ids)) < ids.length) throw new Refusal('NOT_FOUND')
    if (!publicOrigin?.startsWith('https:')) throw new Refusal('HTTPS_REQUIRED')
    await tx.run(sql`
      insert into bank_pairings (code_hash, name, account_ids, created_by, expires_at)
      values (${hashOf(code)}, ${name}, ${ids}::uuid[], ${by.admin.id}, ${expiresAt})`)
    await audit(tx, by, { action: 'bank.invite-phone', subject: name, after: { accounts: ids } })
  })
  return { code, url: `${publicOrigin}/phone#${code}`, expiresAt: expiresAt.toISOString() }
}

function countOpen(tx: Queries, ids: readonly string[]): Promise<number> {
  return tx.count(sql`select count(*)::int from bank_accounts where id = any(${ids}::uuid[]) and closed_at is null`)
}

/** Ends an admin's unused codes. */
export async function endPairingsOf(tx: Transaction, adminId: string, now: Date): Promise<void> {
  await tx.run(sql`update bank_pairings set used_at = ${now} where created_by = ${adminId} and used_at is null`)
}

const Pairing = z.object({ name: z.string(), accountIds: z.array(z.string()), createdBy: z.string() })

/** @throws Refusal PAIRING_INVALID when the code is wrong, old or used */
export async function pair(
  { db, events }: Services,
  publicOrigin: string | undefined,
  { code }: Input<'pair'>,
  by: Call,
): Promise<Output<'pair'>> {
  const token = secretOf(TOKEN_BYTES)
  const device = { _id: newId(), name: '' }
  await db.transaction(async (tx) => {
    const pairing = await tx.maybe(sql(Pairing)`
      update bank_pairings set used_at = ${by.now}
       where code_hash = ${hashOf(code)} and used_at is null and expires_at > ${by.now}
      returning name, account_ids, created_by`)
    if (!pairing) throw new Refusal('PAIRING_INVALID')
    device.name = pairing.name
    await tx.run(sql`
      insert into bank_devices (id, name, token_hash, created_by, created_at)
      values (${device._id}, ${pairing.name}, ${hashOf(token)}, ${pairing.createdBy}, ${by.now})`)
    await tx.run(sql`
      insert into bank_device_accounts (device_id, account_id)
      select ${device._id}, id from bank_accounts where id = any(${pairing.accountIds}::uuid[]) and closed_at is null`)
    // Names the admin who made the code, because nobody is logged in on the phone
    const nobody = { admin: null, address: by.address, userAgent: by.userAgent, now: by.now }
    await audit(tx, nobody, { action: 'bank.connect-phone', subject: `${pairing.name} (${device._id})` })
  })
  events.publish({ to: 'admins', name: 'bank', data: {} })
  return { device, token, url: `${publicOrigin ?? ''}/api/bank/alerts` }
}

const Row = z.extend(z.omit(BankDevice, { smsAbove: true }), { banks: z.array(z.string()) })

/** The banks of a phone's open accounts. @param deviceId its id */
export const banksOf = (deviceId: Sql): Sql => sql`array(
  select bank from bank_device_accounts link join bank_accounts account on account.id = link.account_id
   where link.device_id = ${deviceId} and closed_at is null)`

/** Up to it a phone may hear of no money. */
export function withFloor<T extends { banks: string[] }>({ banks, ...row }: T): Omit<T, 'banks'> & Floor {
  const floor = smsAbove(banks)
  return { ...row, ...(floor > 0 && { smsAbove: floor }) }
}
type Floor = Pick<BankDevice, 'smsAbove'>

export async function readDevices(db: Queries, which: Sql = sql`true`): Promise<BankDevice[]> {
  const rows = await db.rows(sql(Row)`
    select id as _id, name, created_at, last_seen_at, reached_at, sms_at, bank_at, paused_at,
           paused_why, ended_at,
           coalesce((select jsonb_agg(jsonb_build_object('_id', account.id, 'label', account.label)
                                      order by account.created_at, account.id)
                       from bank_device_accounts link join bank_accounts account on account.id = link.account_id
                      where link.device_id = device.id), '[]') as accounts,
           ${banksOf(sql`device.id`)} as banks,
           array(select sender from bank_heard heard
                  where heard.device_id = device.id and outcome = 'refused' and why = 'sender'
                    and not exists (select from bank_senders
                                     where ended_at is null and heard.sender like '__-' || header || '%')
                  group by sender order by max(heard_at) desc limit ${UNKNOWN_SENDERS_MAX}) as unknown_senders
      from bank_devices device
     where ${which}
     order by ended_at is not null, created_at desc, id`)
  return rows.map((row) => ({ ...withFloor(row), pausedWhy: reasonIn(PAUSE_REASONS, row.pausedWhy) }))
}

/** @throws Refusal NOT_FOUND, and STEP_UP_REQUIRED to let a paused phone speak again */
export async function updateDevice(
  { db, events }: Services,
  { id, paused, ended }: Input<'updateDevice'>,
  by: Call<'admin'>,
): Promise<BankDevice> {
  if (paused === false) by.requireProof()
  const device = await db.transaction(async (tx) => {
    await tx.run(sql`select from bank_devices where id = ${id} for update`)
    const [before] = await readDevices(tx, sql`id = ${id}`)
    if (!before) throw new Refusal('NOT_FOUND')
    const isPaused = paused ?? before.pausedAt !== null
    await tx.run(sql`
      update bank_devices
         set paused_at = case when ${isPaused} then coalesce(paused_at, ${by.now}) end,
             paused_why = case when ${isPaused} then coalesce(paused_why, 'by-admin') end,
             ended_at = case when ${ended ?? false} then coalesce(ended_at, ${by.now}) else ended_at end
       where id = ${id}`)
    const [after] = await readDevices(tx, sql`id = ${id}`)
    if (!after) throw new Refusal('NOT_FOUND')
    const shown = ({ pausedAt, endedAt }: BankDevice) => ({ paused: pausedAt !== null, ended: endedAt !== null })
    await audit(tx, by, {
      action: 'bank.change-phone',
      subject: `${after.name} (${id})`,
      before: shown(before),
      after: shown(after),
    })
    return after
  })
  events.publish({ to: 'admins', name: 'bank', data: {} })
  return device
}

const Caller = z.object({ id: z.string(), isPaused: z.boolean() })

/** @returns the phone with this token; null when none has it, or it was disconnected */
export function findDevice(db: Database, token: string): Promise<CallingDevice | null> {
  return db
    .maybe(sql(Caller)`
    select id, paused_at is not null as is_paused from bank_devices
     where token_hash = ${hashOf(token)} and ended_at is null`)
    .then((device) => device ?? null)
}
