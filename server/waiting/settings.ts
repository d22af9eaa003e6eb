import * as z from 'zod/mini'
import type { WaitingSettings } from '../../contract/waiting.ts'
import { audit, type By } from '../audit/audit.ts'
import { sql, type Database, type Queries } from '../platform/database/database.ts'

const Row = z.object({ autoBuy: z.boolean(), leadDays: z.number() })

export function readWaitingSettings(db: Queries): Promise<WaitingSettings> {
  return db.one(sql(Row)`select auto_buy, lead_days from waiting_settings`)
}

export function saveWaitingSettings(
  db: Database,
  change: { autoBuy?: boolean | undefined; leadDays?: number | undefined },
  by: By,
): Promise<WaitingSettings> {
  return db.transaction(async (tx) => {
    const before = await tx.one(sql(Row)`select auto_buy, lead_days from waiting_settings for update`)
    const { autoBuy = before.autoBuy, leadDays = before.leadDays } = change
    const after = { autoBuy, leadDays }
    await tx.run(sql`update waiting_settings set auto_buy = ${autoBuy}, lead_days = ${leadDays}`)
    await audit(tx, by, { action: 'settings.waiting', subject: 'Waiting list', before, after })
    return after
  })
}
