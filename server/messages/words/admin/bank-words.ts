/** What is said of the bank's alarms. Names nobody, and no reference or amount. */
import * as z from 'zod/mini'
import { OFF_REASONS, reasonIn, type AlarmKind } from '../../../../contract/bank-shapes.ts'
import { countSilent } from '../../../bank/phones/silent-phones.ts'
import { sql } from '../../../platform/database/database.ts'
import type { Tell } from '../wording.ts'

const PATH = '/admin/payment-manager'

const SENTENCES: Record<Exclude<AlarmKind, 'automation-off'>, string> = {
  'alert-not-in-statement': 'An SMS alert reported money that is not in the statement. The alert may be fake.',
  'approved-without-money': 'A top-up was approved, but the bank has no such money.',
  'amount-after-approval': 'A top-up was approved, but the bank shows another amount.',
  'rival-after-automatic': 'A second user asks for money that was approved automatically.',
  'taken-back-by-bank': 'The bank reversed a top-up you approved, or it was your own transfer.',
  'wording-ended': 'A statement says otherwise than an SMS in a wording that you let count. It doesn’t count any more.',
}

const tellAlarm: Tell = async ({ kind, data }, { db, t }) => {
  const alarm = data['alarm'] as keyof typeof SENTENCES
  const count = await db.count(sql`
    select count(*) from bank_alarms where kind = ${alarm} and closed_at is null`)
  if (count === 0) return { gone: 'The alarm is closed' }
  return {
    title: t('{count, plural, one {Bank alarm} other {# bank alarms}}', { count }),
    body: t(SENTENCES[alarm]),
    path: PATH,
    tag: `${kind}.${alarm}`,
  }
}

const tellOff: Tell = async (_, { db, t }) => {
  const { why } = await db.one(
    sql(() => z.object({ why: z.nullable(z.string()) }))`select off_why as why from bank_rules`,
  )
  if (why === null) return { gone: 'Automatic approval is on again' }
  return {
    title: t('Automatic approval turned itself off'),
    body: t('{reason}. New requests wait for your approval.', { reason: [reasonIn(OFF_REASONS, why) ?? ''] }),
    path: PATH,
    tag: 'bank.automation-off',
  }
}

const tellSilent: Tell = async (_, { db, now, t }) => {
  const count = await countSilent(db, now)
  if (count === 0) return { gone: 'The phone sends again' }
  return {
    title: t('{count, plural, one {A phone is silent} other {# phones are silent}}', { count }),
    body: t('No SMS came for a day, though buyers sent top-ups. Open the app that forwards SMS, and send a test.'),
    path: '/admin/settings/bank',
    tag: 'bank.phone-silent',
  }
}

export const bankWords = {
  'bank.alarm': tellAlarm,
  'bank.automation-off': tellOff,
  'bank.phone-silent': tellSilent,
}
