import { sql, type Sql } from './database.ts'

/** The day in India of a timestamptz, as a date. */
export const indianDay = (moment: Sql): Sql => sql`(${moment} at time zone 'Asia/Kolkata')::date`

/** The timestamptz at which that day began. */
export const startOfIndianDay = (moment: Sql): Sql => sql`date_trunc('day', ${moment}, 'Asia/Kolkata')`
