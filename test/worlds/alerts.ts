/** Phones and their alerts, as they stand in the database. */
import { randomBytes } from 'node:crypto'
import { parseRupees, ZERO } from '../../contract/money.ts'
import { recordCredits } from '../../server/bank/credits/record-credits.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import type { TestStore } from '../store.ts'

export async function givenDevice(db: Database, accountId: string): Promise<string> {
  const id = newId()
  await db.run(sql`
    with device as (
      insert into bank_devices (id, name, token_hash, created_by, created_at)
      select ${id}, 'Phone', ${randomBytes(32)}::bytea, id, now() from admins limit 1)
    insert into bank_device_accounts (device_id, account_id) values (${id}, ${accountId})`)
  return id
}

/** An alert that was understood. */
export async function givenAlert(
  { db, clock, app }: TestStore,
  alert: { accountId: string; deviceId: string; ref: string; amount: number; vpa?: string; at?: Date },
): Promise<void> {
  const now = clock.now()
  const { accountId, deviceId, ref, amount, vpa = null, at = now } = alert
  const day = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10)
  const amountPaise = parseRupees(amount) ?? ZERO
  await db.transaction(async (tx) => {
    const [recorded] = await recordCredits(
      tx,
      { accountId, importId: null, deviceId, sealer: app.services.sealer, now },
      [
        {
          amountPaise,
          day,
          at,
          refs: [ref],
          kind: 'payment',
          proof: 'alert',
          payerName: '',
          payerVpa: vpa,
          note: '',
          lineKey: null,
          line: null,
        },
      ],
    )
    await tx.run(sql`
      insert into bank_sightings (id, source_key, device_id, credit_id, outcome, account_id, amount_paise, day, at,
                                  seen_at)
      values (${newId()}, ${randomBytes(32)}, ${deviceId}, ${recorded?.creditId}, 'credit', ${accountId},
              ${amountPaise}, ${day}, ${at}, ${now})`)
  })
}
