import { literal, sql, type Sql } from './sql.ts'

const PAGE_ROWS = 1_000

/**
 * Yields rows, newest first, however many there are.
 * @param read takes the end of the statement: the condition, the order and the limit of the next page
 */
export async function* inPages<Row extends { _id: string; createdAt: string }>(
  read: (page: Sql) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let older = sql`true`
  for (;;) {
    const rows = await read(sql`${older} order by created_at desc, id desc limit ${literal(PAGE_ROWS)}`)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    older = sql`(created_at, id) < (${last.createdAt}::timestamptz, ${last._id}::uuid)`
  }
}
