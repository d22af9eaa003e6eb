/** The list of backups in the database, which all nodes share. */
import { hostname } from 'node:os'
import * as z from 'zod/mini'
import { sql, type Queries } from '../platform/database/database.ts'

/** As many as a place on another machine keeps. */
const ROWS_KEPT = 30

/** The place of a backup that was downloaded. */
export const DOWNLOADED = 'download'

export interface MadeBackup {
  file: string
  madeAt: Date
  bytes: number
}

export async function noteBackup(db: Queries, { file, madeAt, bytes }: MadeBackup): Promise<void> {
  await db.run(sql`
    insert into backups (node, file, made_at, bytes) values (${hostname()}, ${file}, ${madeAt}, ${bytes})
        on conflict do nothing`)
  await db.run(sql`
    delete from backups
     where (node, file) not in (select node, file from backups order by made_at desc limit ${ROWS_KEPT})`)
}

/** Notes that a copy was read back and is the same. */
export async function noteCopy(db: Queries, backup: MadeBackup, place: string, now: Date): Promise<void> {
  await noteBackup(db, backup)
  await db.run(sql`
    update backups set copied_to = ${place}, copied_at = ${now} where node = ${hostname()} and file = ${backup.file}`)
}

const Newest = z.object({ madeAt: z.nullable(z.date()), copiedAt: z.nullable(z.date()) })

/** Returns when the newest backup was made on any node, and the newest of those in `place`. None is from the future. */
export const readNewest = (db: Queries, now: Date, place?: string): Promise<z.output<typeof Newest>> =>
  db.one(sql(Newest)`
    select max(made_at) as made_at, max(made_at) filter (where copied_to = ${place ?? null}) as copied_at
      from backups where made_at <= ${now}`)
