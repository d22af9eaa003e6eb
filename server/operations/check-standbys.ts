/** Looks at the standbys of the database, because what only one machine has is lost with it. */
import * as z from 'zod/mini'
import { sql, type Database } from '../platform/database/database.ts'
import { how } from '../reports/health-report.ts'
import { found, withHow, type Finding } from './findings.ts'

const Standbys = z.object({
  count: z.number(),
  /** Undefined if the database user may not see it. */
  synchronous: z.nullable(z.number()),
  lagBytes: z.nullable(z.number()),
})

export const readStandbys = (db: Database): Promise<z.output<typeof Standbys>> =>
  db.transaction(async (tx) => {
    // The store's role may not see what the owner sees
    await tx.run(sql`set local role none`)
    return tx.one(sql(Standbys)`
      select count(*) as count,
             case when current_setting('synchronous_commit') in ('off', 'local')
                    or current_setting('synchronous_standby_names') = '' then 0
                  when count(*) filter (where sync_state is null) > 0 then null
                  else count(*) filter (where sync_state in ('sync', 'quorum') and state = 'streaming')
             end as synchronous,
             max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint as lag_bytes
        from pg_stat_replication
       where state is distinct from 'backup'`)
  })

/** @param required as REQUIRE_STANDBY says */
export async function checkStandbys(db: Database, required: boolean): Promise<Finding[]> {
  const { count, synchronous, lagBytes } = await readStandbys(db)
  if (count === 0 && !required) return []
  if (synchronous === null)
    return [
      withHow(
        found('warning', 'We can’t see if the second copy of the database is up to date.'),
        how('The database user can’t see if a standby is synchronous. Allow it with: grant pg_monitor to that user.'),
      ),
    ]
  if (synchronous > 0) {
    const lag = lagBytes === null ? '' : ` The slowest is ${(lagBytes / 1e6).toFixed(1)} MB behind.`
    return [{ level: 'ok', text: `Standbys: ${count}, synchronous: ${synchronous}.${lag}` }]
  }
  return [
    withHow(
      found(required ? 'broken' : 'warning', 'If the server fails now, recent purchases are lost.'),
      how('No synchronous standby.'),
    ),
  ]
}
