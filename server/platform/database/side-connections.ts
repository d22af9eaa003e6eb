/** Short connections outside the pool, which find out about the engine and about dead connections. */
import type pg from 'pg'
import * as z from 'zod/mini'
import type { Settings } from './connecting/connection-settings.ts'
import { lookAgain, PrimaryClient, serversOf } from './connecting/primary.ts'
import { sql, type Sql } from './sql.ts'
import type { Wired } from './connecting/wire.ts'

const TRIES_MAX = 5

/**
 * Tries to connect until the engine answers in any way. A refusal is an answer too. Of several servers, the primary has
 * to answer.
 * @returns false if it gave up, because the database closes
 */
export async function probe(settings: Settings, isClosing: () => boolean): Promise<boolean> {
  const servers = 'connectionString' in settings ? serversOf(settings.connectionString) : undefined
  if (servers) {
    while (!(await lookAgain(servers))) if (isClosing()) return false
    return true
  }
  for (;;) {
    const client = new PrimaryClient(settings)
    try {
      await client.connect()
      return true
    } catch (error) {
      if (!/timeout expired|ETIMEDOUT/.test((error as Error).message)) return true
    } finally {
      void client.end().catch(() => {})
    }
    if (isClosing()) return false
  }
}

/**
 * Asks on a new connection as the owner, because the role may not see what other sessions do.
 * @returns undefined if there was no answer
 */
async function askElsewhere(settings: Settings, statement: Sql): Promise<pg.QueryResult | undefined> {
  const { connectionTimeoutMillis: limitMs } = settings
  // This connection can die as well
  const client = new PrimaryClient({ ...settings, query_timeout: limitMs, options: `-c statement_timeout=${limitMs}` })
  try {
    await client.connect()
    return await client.query(statement.text, [...statement.values])
  } catch {
    // The probe finds out if the engine answers at all
    return undefined
  } finally {
    void client.end().catch(() => {})
  }
}

/** Asks which of these processes the engine has nothing to do for. @returns undefined if there was no answer */
export async function findIdle(
  settings: Settings,
  processIds: readonly number[],
): Promise<ReadonlySet<number> | undefined> {
  const result = await askElsewhere(
    settings,
    sql`
    select pid from unnest(${processIds}::int[]) as asked (pid)
     where not exists (select from pg_stat_activity each
                        where each.pid = asked.pid and coalesce(each.state, 'unknown') not like 'idle%')`,
  )
  if (!result) return undefined
  return new Set(z.parse(z.array(z.object({ pid: z.number() })), result.rows).map(({ pid }) => pid))
}

/**
 * @returns a function that destroys a connection without a goodbye, because a dead one would end only when the kernel
 *   gives up. The engine hears of it on another connection, so that it rolls back and frees the locks
 */
export function createReaper(settings: Settings, isClosing: () => boolean): (client: object) => void {
  let givenUp: number[] = []
  const endSessions = async (processIds: readonly number[]) => {
    givenUp = []
    const statement = sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where pid = any(${processIds}::int[]) and application_name = 'chaabi' and state <> 'active'`
    for (let tries = 1; tries <= TRIES_MAX; tries++)
      if (isClosing() || (await askElsewhere(settings, statement))) return
  }
  return (client) => {
    const { processID: processId, connection: wire } = client as Wired
    wire?.stream.destroy()
    if (!processId) return
    if (givenUp.length === 0) setImmediate(() => void endSessions(givenUp))
    givenUp.push(processId)
  }
}
