/** Refuses a pooler before the store works on it, because there the store would break without a word. */
import { settingsOf, STATEMENT_TIMEOUT_MS } from './connection-settings.ts'
import { openServers, PrimaryClient } from './primary.ts'

/** Long, because at a start no caller waits and the machine is busy. */
const CONNECT_MS_MAX = 10_000

/**
 * Finds the primary and checks that nothing stands between the store and it. A pooler hands out process ids of its own,
 * and drops or refuses what a connection asks for at its start: the role, the timeouts.
 * @throws Error that says what to do
 */
export async function openDirectly(connection: string): Promise<void> {
  await openServers(connection)
  const client = new PrimaryClient(settingsOf({ connection, connectTimeoutMs: CONNECT_MS_MAX }))
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; timeoutMs: number }>(
      `select pg_backend_pid() as pid, setting::int as "timeoutMs" from pg_settings where name = 'statement_timeout'`,
    )
    const { processID: processId } = client as unknown as { processID: number }
    if (rows[0]?.pid !== processId || rows[0].timeoutMs !== STATEMENT_TIMEOUT_MS) throw pooler()
  } catch (error) {
    throw /startup parameter/.test((error as Error).message) ? pooler(error) : inWords(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Says which setting to correct when the server cannot be reached or lets nobody in. */
function inWords(error: unknown): unknown {
  const { code, message } = error as Error & { code?: string }
  if (code === undefined) return error
  // A name with several addresses fails without words
  const said = message || code
  return new Error(
    /^(28|3D)/.test(code)
      ? `The server in DATABASE_URL refuses. Correct the user, the password or the database. (${said})`
      : `The server in DATABASE_URL can’t be reached. Is it running, and is its name right? (${said})`,
    { cause: error },
  )
}

const pooler = (cause?: unknown): Error =>
  new Error(
    "DATABASE_URL leads through a pooler (PgBouncer, RDS Proxy, Neon's -pooler). " +
      'Name the server itself: a node needs 20 connections.',
    { cause },
  )
