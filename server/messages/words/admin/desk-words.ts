/** What messages about claims and the store's health say to admins. */
import * as z from 'zod/mini'
import type { Translate } from '../../../../contract/words.ts'
import { sql } from '../../../platform/database/database.ts'
import type { Tell, Words } from '../wording.ts'

const tellClaims: Tell = async ({ kind }, { db, t }) => {
  const { open, due } = await db.one(sql(() => z.object({ open: z.number(), due: z.number() }))`
    select count(*) as open, count(*) filter (where due_told_at is not null) as due
      from key_claims where status = 'open' and opened_by is null`)
  const count = kind === 'claim.due' ? due : open
  if (count === 0) return { gone: 'Already answered' }
  return {
    title: t(kind === 'claim.due' ? 'An answer is due in 12 hours' : 'A buyer reported a key'),
    body: t('{count, plural, one {# claim waits} other {# claims wait}} for your answer.', { count }),
    path: '/admin/claims',
    tag: kind,
  }
}

const ofHealth =
  (said: (t: Translate) => Pick<Words, 'title' | 'body'>): Tell =>
  ({ kind }, { t }) =>
    Promise.resolve({ ...said(t), path: '/admin/dashboard', tag: kind.split('.')[0] ?? kind })

export const deskWords = {
  'claim.opened': tellClaims,
  'claim.due': tellClaims,
  'health.red': ofHealth((t) => ({
    title: t('Your store has a problem'),
    body: t('A check failed. Open Store health to see what to do.'),
  })),
  'health.warning': ofHealth((t) => ({
    title: t('Your store has a warning'),
    body: t('It may be about your backups. Open Store health to see what to do.'),
  })),
  'health.green': ofHealth((t) => ({ title: t('Your store is healthy again'), body: t('All checks pass.') })),
}
