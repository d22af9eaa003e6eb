/**
 * What stands in red in every panel: another UPI ID, or a new owner, of the last 72 hours. It goes when an owner says
 * that it was meant, or undoes it. It is read from the audit log, so no code that makes such a change can forget it.
 */
import * as z from 'zod/mini'
import type { SecurityAlert } from '../../contract/admins.ts'
import { ADMIN_ROLES } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { ALERT_LASTS_MS } from '../../contract/limits.ts'
import { audit } from '../audit/audit.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { saveUpi } from '../settings/save-settings.ts'
import { changeAdmin } from './manage-admins.ts'

const UpiChange = z.object({
  _id: z.string(),
  at: z.date(),
  by: z.string(),
  before: z.string(),
  isFirst: z.boolean(),
  now: z.string(),
})
const NewOwner = z.object({
  _id: z.string(),
  at: z.date(),
  by: z.string(),
  adminId: z.string(),
  username: z.string(),
  formerRole: z.nullable(z.enum(ADMIN_ROLES)),
})

/** Alerts that an admin has confirmed. For the UPI ID that goes for all earlier changes, too. */
const CONFIRMED = sql`select (after ->> 'entry')::uuid from audit_entries where action = 'admin.confirm-change'`

/** Makes one alert of several changes, from the UPI ID before them to the present one. */
async function readUpiAlert(db: Queries, since: Date): Promise<SecurityAlert[]> {
  const changes = await db.rows(sql(UpiChange)`
    select id as _id, at, admin_name as by, coalesce(before ->> 'upiId', '') as before,
           coalesce((select upi_id from settings), '') as now,
           not exists (select from audit_entries earlier
                        where earlier.action = 'settings.upi' and earlier.seq < entry.seq
                          and earlier.after ->> 'upiId' <> '')
             and coalesce(before ->> 'upiId', '') = '' as is_first
      from audit_entries entry
     where action = 'settings.upi' and after ? 'upiId' and at > ${since}
       and seq > coalesce((select max(seq) from audit_entries
                            where action = 'settings.upi' and id in (${CONFIRMED})), 0)
     order by seq`)
  const [first, ...others] = changes.filter(({ isFirst }) => !isFirst)
  if (!first || first.before === first.now) return []
  const { _id, at, by, now } = others.at(-1) ?? first
  return [{ _id, kind: 'upi', at: at.toISOString(), by, before: first.before, after: now }]
}

const readNewOwners = (db: Queries, since: Date) =>
  db.rows(sql(NewOwner)`
    select distinct on (admins.id) entry.id as _id, at, admin_name as by, admins.id as admin_id, username,
           case when entry.action = 'admin.update' and before ->> 'role' <> 'owner' then before ->> 'role'
            end as former_role
      from audit_entries entry
      join admins on entry.subject like '%(' || admins.id || ')' and admins.role = 'owner' and disabled_at is null
     where action in ('admin.create', 'admin.update') and at > ${since} and entry.admin_id is not null
       and after ->> 'role' = 'owner'
       and (action = 'admin.create' or before ->> 'role' <> 'owner'
            or before ->> 'disabledAt' is not null and after ->> 'disabledAt' is null)
       and entry.id not in (${CONFIRMED})
     order by admins.id, seq desc`)

export async function listAlerts(db: Queries, now: Date): Promise<SecurityAlert[]> {
  const since = new Date(now.getTime() - ALERT_LASTS_MS)
  const owners = await readNewOwners(db, since)
  return [
    ...(await readUpiAlert(db, since)),
    ...owners.map(({ _id, at, by, username, formerRole }) => ({
      _id,
      kind: 'owner' as const,
      at: at.toISOString(),
      by,
      before: formerRole ?? '',
      after: username,
    })),
  ]
}

/**
 * A thief has the session, but hardly the proof; and the owner whom he made has a proof, but is the new one. Either
 * answer sends a message to every owner.
 */
async function openAlert(db: Queries, id: string, call: Call<'admin'>) {
  call.requireProof()
  const since = new Date(call.now.getTime() - ALERT_LASTS_MS)
  const owners = await readNewOwners(db, since)
  if (owners.some(({ adminId }) => adminId === call.admin.id)) throw new Refusal('NEW_OWNER')
  const alert = (await listAlerts(db, call.now)).find(({ _id }) => _id === id.toLowerCase())
  if (!alert) throw new Refusal('NOT_FOUND')
  return { alert, owner: owners.find(({ _id }) => _id === alert._id) }
}

/** @throws Refusal STEP_UP_REQUIRED, NEW_OWNER, or NOT_FOUND if it is closed or something newer has happened */
export async function confirmAlert({ db }: Services, id: string, call: Call<'admin'>): Promise<{ message: string }> {
  const { alert, owner } = await openAlert(db, id, call)
  const subject = owner ? `${owner.username} (${owner.adminId})` : `UPI ID ${alert.after}`
  await db.transaction((tx) =>
    audit(tx, call, { action: 'admin.confirm-change', subject, after: { entry: alert._id } }),
  )
  return { message: 'Confirmed' }
}

/** Puts back what was before. @throws Refusal as `confirmAlert` */
export async function undoAlert(services: Services, id: string, call: Call<'admin'>): Promise<{ message: string }> {
  const { alert, owner } = await openAlert(services.db, id, call)
  if (!owner) await saveUpi(services, { upiId: alert.before }, call)
  else
    await changeAdmin(
      services,
      { id: owner.adminId, ...(owner.formerRole ? { role: owner.formerRole } : { disabled: true }) },
      call,
    )
  return { message: 'Undone' }
}
