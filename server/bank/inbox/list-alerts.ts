/** Messages, and lines of files, that are not credits. */
import * as z from 'zod/mini'
import { BankSighting, type bankAlerts } from '../../../contract/bank-alerts.ts'
import { LINE_REASONS, reasonIn } from '../../../contract/bank-shapes.ts'
import { sql } from '../../platform/database/database.ts'
import type { Services } from '../../platform/services.ts'

const Row = z.extend(z.omit(BankSighting, { text: true }), {
  sealed: z.nullable(z.instanceof(Buffer)),
  total: z.number(),
})

export async function listAlerts(
  { db, sealer }: Services,
  { outcome, limit, skip }: z.output<(typeof bankAlerts.unread)['input']>,
): Promise<z.output<(typeof bankAlerts.unread)['output']>> {
  const which = outcome ? sql`sighting.outcome = ${outcome}` : sql`sighting.outcome not in ('credit', 'proposed')`
  const rows = await db.rows(sql(Row)`
    select sighting.id as _id, outcome, why, amount_paise as amount, day::text as day, at, line,
           seen_at, credit_id, text_sealed as sealed, count(*) over ()::int as total,
           case when account.id is not null then jsonb_build_object('_id', account.id, 'label', account.label)
           end as account,
           case when device.id is not null then jsonb_build_object('_id', device.id, 'name', device.name)
           end as device
      from bank_sightings sighting
      left join bank_accounts account on account.id = sighting.account_id
      left join bank_devices device on device.id = sighting.device_id
     where ${which}
     order by seen_at desc, sighting.id desc
     limit ${limit} offset ${skip}`)
  return {
    alerts: rows.map(({ sealed, total: _, why, ...row }) => {
      return { ...row, why: reasonIn(LINE_REASONS, why), text: sealed && sealer.open('bank-sighting', row._id, sealed) }
    }),
    total: rows[0]?.total ?? 0,
  }
}
