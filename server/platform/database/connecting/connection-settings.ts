/** Settings of connections to PostgreSQL. */
import pg from 'pg'

export interface DatabaseOptions {
  /** A connection string, or the embedded server's socket. */
  connection: string | { host: string; port: number; user: string; database: string }
  /** The role to work as. Its grants are the application's only rights. */
  role?: string
  poolSize?: number
  /** How long a query waits for a free connection before it is refused as busy, in ms. */
  connectTimeoutMs?: number
  /** A longer limit for upkeep outside transactions, in ms. */
  statementTimeoutMs?: number
  onError?: (error: Error) => void
}

export const STATEMENT_TIMEOUT_MS = 5_000
/** A caller waits three seconds at most, first for a connection and then for a lock. */
const LOCK_TIMEOUT_MS = 1_500
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 1_200
/** The engine ends slow statements itself. If it has not said so after this time, it cannot be reached. */
export const ANSWER_MARGIN_MS = 2_000
/** Both ends notice a dead connection after this time, also one that only listens. */
const KEEP_ALIVE_AFTER_MS = 10_000
const KEEP_ALIVE_TRIES = 3

/** Reads a 64-bit integer, which arrives as text. Counts and paise of this store fit a number exactly. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`)
  return value
}

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? safeInteger
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** For statements that are planned once, and read a few rows by index. */
export const ONE_PLAN =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off ' +
  // A scan that is turned off costs so much that the engine would compile it
  '-c jit=off'

export type Settings = ReturnType<typeof settingsOf>

/** Returns the driver's settings for each connection. */
export function settingsOf({
  connection,
  role,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  statementTimeoutMs: usualTimeoutMs = STATEMENT_TIMEOUT_MS,
}: DatabaseOptions) {
  return {
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    types,
    application_name: 'chaabi',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: usualTimeoutMs + ANSWER_MARGIN_MS,
    // Lets a transaction send statements without waiting for answers
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    options: [
      ...(role === undefined ? [] : [`-c role=${role}`]),
      `-c statement_timeout=${usualTimeoutMs}`,
      `-c lock_timeout=${LOCK_TIMEOUT_MS}`,
      `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
      `-c tcp_keepalives_idle=${KEEP_ALIVE_AFTER_MS / 1_000}`,
      `-c tcp_keepalives_interval=${KEEP_ALIVE_AFTER_MS / 1_000}`,
      `-c tcp_keepalives_count=${KEEP_ALIVE_TRIES}`,
      `-c tcp_user_timeout=${KEEP_ALIVE_AFTER_MS * KEEP_ALIVE_TRIES}`,
      '-c timezone=UTC',
    ].join(' '),
  }
}
