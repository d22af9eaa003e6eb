/** Tells the owner of a phone that sends nothing while buyers pay. Android has probably put its app to sleep. */
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts'
import { sql, type Database, type Queries } from '../../platform/database/database.ts'
import { enqueue, hasChannel } from '../../platform/outbox.ts'

const KIND = 'bank.phone-silent'

const Silent = z.object({ id: z.string(), name: z.string() })

/** @returns phones without a word for a day, though somebody has asked for a top-up since then */
const silentPhones = (now: Date) => sql(Silent)`
  select id, 'bank.phone-silent ' || id || ' ' || extract(epoch from heard) as name
    from (select id, coalesce(last_seen_at, created_at) as heard from bank_devices
           where ended_at is null and paused_at is null) device
   where heard <= ${new Date(now.getTime() - DAY_MS)}
     and exists (select from topup_requests where created_at > heard)`

export async function countSilent(db: Queries, now: Date): Promise<number> {
  return (await db.rows(silentPhones(now))).length
}

/** Tells each silence once, in at most one message an hour. */
export async function tellSilentPhones(db: Database, now: Date): Promise<void> {
  if (!(await hasChannel(db))) return
  await db.transaction(async (tx) => {
    const [untold] = await tx.rows(sql(Silent)`
      select * from (${silentPhones(now)}) silent
       where not exists (select from outbox_messages where dedupe = silent.name)
         and not exists (select from outbox_messages
                          where kind = ${KIND} and created_at > ${new Date(now.getTime() - HOUR_MS)})
       order by name limit 1`)
    if (untold) enqueue(tx, { kind: KIND, subjectId: untold.id, dedupe: untold.name, now })
  })
}
