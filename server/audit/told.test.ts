import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AUDIT_ACTIONS, type AuditAction } from '../../contract/audit.ts'
import { withStore } from '../../test/store.ts'
import { newId } from '../platform/ids.ts'
import { sql } from '../platform/database/database.ts'
import { audit, type AuditedChange } from './audit.ts'
import { isTold, TOLD } from './told.ts'

type Values = Pick<AuditedChange, 'before' | 'after'>

/** Where it depends on the values: some with a message, and some without. */
const SAMPLES: Partial<Record<AuditAction, { told: Values; quiet: Values }>> = {
  'admin.login': { told: { after: { newDevice: true } }, quiet: {} },
  'bank.change-phone': {
    told: { before: { paused: true }, after: { paused: false } },
    quiet: { before: { paused: false }, after: { paused: true } },
  },
  'messages.channel': {
    told: { before: { isOn: true }, after: { isOn: false } },
    quiet: { before: { isOn: false }, after: { isOn: true } },
  },
  'settings.store': { told: { after: { supportUrl: 'https://t.me/other' } }, quiet: { after: { topupMax: 500 } } },
  'settings.upi': { told: { after: { upiId: 'other@upi' } }, quiet: { after: { paymentEnabled: false } } },
}

test('every change that the audit log knows is told to owners, or says why not', () =>
  withStore(async ({ db, clock }) => {
    await db.run(
      sql`insert into channels (name, is_on) values ('push', true) on conflict (name) do update set is_on = true`,
    )
    const admin = { id: newId(), username: 'owner' }
    const by = { admin, address: '', userAgent: '', now: clock.now() }
    const tell = async (action: AuditAction, values: Values) => {
      const before = await db.count(sql`select count(*) from outbox_messages where kind = 'admin.security'`)
      // The admin of the entry is no row here, and its key refers to none
      await db.transaction((tx) => audit(tx, { ...by, admin: null }, { action, subject: 'x', ...values }))
      return (await db.count(sql`select count(*) from outbox_messages where kind = 'admin.security'`)) > before
    }
    for (const action of Object.keys(AUDIT_ACTIONS) as AuditAction[]) {
      const told = TOLD[action]
      if (typeof told === 'object') expect(told.not.length, action).toBeGreaterThan(10)
      if (action === 'bank.rules') {
        expect(isTold(action, { by })).toBe(true)
        expect(await tell(action, {}), 'the store itself').toBe(false)
        continue
      }
      if (typeof told !== 'function') {
        expect(await tell(action, {}), action).toBe(told === true)
        continue
      }
      const sample = SAMPLES[action]
      if (!sample) throw new Error(`${action} needs a sample`)
      expect(await tell(action, sample.told), action).toBe(true)
      expect(await tell(action, sample.quiet), action).toBe(false)
    }
    const untold = await db.rows(sql(z.object({ n: z.number() }))`
      select 1 as n from outbox_messages message
       where kind = 'admin.security' and not exists (select from audit_entries where id = message.subject_id)`)
    expect(untold, 'each names its entry').toEqual([])
  }))
