/** What messages say of a change that a thief in the house would make. Never what it was changed to. */
import * as z from 'zod/mini'
import { AUDIT_ACTIONS, type AuditAction } from '../../../../contract/audit.ts'
import type { Translate } from '../../../../contract/words.ts'
import { sql } from '../../../platform/database/database.ts'
import type { Tell } from '../wording.ts'

const Entry = z.object({
  action: z.string(),
  subject: z.string(),
  adminId: z.nullable(z.string()),
  adminName: z.string(),
  after: z.nullable(z.record(z.string(), z.unknown())),
})
type Entry = z.output<typeof Entry>

const tellSecurity: Tell = async ({ id, subjectId }, { db, t }) => {
  const entry = await db.maybe(sql(Entry)`
    select action, subject, admin_id, admin_name, after from audit_entries where id = ${subjectId}`)
  if (!entry) return { gone: 'Its entry in the audit log is gone' }
  const by = entry.adminId === null ? t('No admin was logged in.') : t('Done by {admin}.', { admin: entry.adminName })
  return {
    title: titleOf(entry, t),
    body: `${by} ${t('If none of your admins did this, open the panel, undo it and change your password.')}`,
    path: `/admin/audit?status=${entry.action}`,
    // A tag of its own, because a later harmless message would otherwise replace this one on the phone
    tag: id,
  }
}

function titleOf({ action, subject, after }: Entry, t: Translate): string {
  if (action === 'settings.upi' && after?.['upiId'] !== undefined) return t('Security: another UPI ID')
  if (action === 'admin.login') return t('Security: {admin} logged in on a new device', { admin: nameIn(subject) })
  if (action === 'admin.create' && after?.['role'] === 'owner')
    return t('Security: {admin} is a new owner', { admin: nameIn(subject) })
  const what = t(AUDIT_ACTIONS[action as AuditAction])
  // Only these are named by a username. Another name may hold what no message may
  return /^(?:admin|user)\./.test(action)
    ? t('Security: {what} ({name})', { what, name: nameIn(subject) })
    : t('Security: {what}', { what })
}

/** "diya (0199c1f0-…)" → "diya" */
const nameIn = (subject: string): string => subject.replace(/ \([\da-f-]{36}\)$/, '')

export const securityWords = { 'admin.security': tellSecurity }
