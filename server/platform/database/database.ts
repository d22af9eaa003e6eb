/**
 * The only way to PostgreSQL. SQL is written by hand in tagged templates (sql.ts). Rows are read through a schema.
 * Transactions are tried again when the engine asks for it.
 */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod/mini'
import { busy, isLost, isRetryable, isUnanswered, sqlState, unavailable, undone } from './database-errors.ts'
import { DatabaseTimeout, createWatchdog, type Connection } from './watchdog.ts'
import { nameOf, sql, type Sql } from './sql.ts'

export { violates, wasRolledBack } from './database-errors.ts'
export { allOf, literal, planned, prepared, sql, type Sql } from './sql.ts'

type Row<S extends z.ZodMiniType> = z.output<S>

/** Queries inside a transaction or outside one. */
export interface Queries {
  rows<S extends z.ZodMiniType>(schema: S, statement: Sql): Promise<Row<S>[]>
  /** Returns the only row. @throws Error when there is not exactly one */
  one<S extends z.ZodMiniType>(schema: S, statement: Sql): Promise<Row<S>>
  /** Returns the first row, if there is one. */
  maybe<S extends z.ZodMiniType>(schema: S, statement: Sql): Promise<Row<S> | undefined>
  /** @returns how many rows were changed. */
  run(statement: Sql): Promise<number>
}

/** Queries inside one transaction. Functions that move money or stock take this, so that their signature says so. */
export interface Transaction extends Queries {
  readonly inTransaction: true
  /** Changes rows. The caller need not wait, because the commit fails if this fails. */
  send(statement: Sql): Promise<unknown>
}

interface TransactionOptions {
  /** A longer limit for imports and exports, in ms. */
  statementTimeoutMs?: number | undefined
  /** Replaces the usual limit for waiting for a lock, in ms. */
  lockTimeoutMs?: number | undefined
  /**
   * Sends the first statements together with the `begin`. Only for work that begins with reads and locks: if the
   * `begin` failed, these statements would run outside a transaction.
   */
  readsFirst?: boolean
  /**
   * Keeps one plan per statement, whatever its parameters are. Only for statements whose best plan is always the same.
   * Otherwise the engine plans short lists each time, because it assumes ten elements for an unknown length.
   */
  onePlan?: boolean
}

export interface Database extends Queries {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Listens on a connection of its own until `signal` aborts. Reconnects by itself.
   * @param onListening is called each time it starts to listen, because earlier messages are lost
   */
  listen(channel: string, onMessage: (payload: string) => void, signal: AbortSignal, onListening?: () => void): void
  /** Counts the connections by use, now. */
  connections(): { inUse: number; idle: number; waiting: number; isSilent: boolean }
  /** May be called twice. */
  close(): Promise<void>
}

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

const STATEMENT_TIMEOUT_MS = 5_000
/** A caller waits three seconds at most, first for a connection and then for a lock. */
const LOCK_TIMEOUT_MS = 1_500
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 1_200
/** Longer, because no caller waits for a listener and a starting process is busy. */
const LISTEN_CONNECT_TIMEOUT_MS = 5_000
/** The engine ends slow statements itself. If it has not said so after this time, it cannot be reached. */
const ANSWER_MARGIN_MS = 2_000
/** Both ends notice a dead connection after this time, also one that only listens. */
const KEEP_ALIVE_AFTER_MS = 10_000
const KEEP_ALIVE_TRIES = 3
const RETRIES_MAX = 5
const RECONNECT_DELAY_MS = 500

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

type Asked = Pick<pg.ClientBase, 'query'>
/** Members of the driver's connection that its types do not declare. */
interface Wired {
  processID?: number | null
  connection?: { stream: Pick<Socket, 'bytesRead' | 'writableCorked' | 'cork' | 'uncork' | 'destroy'> }
}

/** Sends the statements of one event-loop turn in one write, because a write costs more than a statement. */
function writeTogether(client: Asked): void {
  const { stream } = (client as Wired).connection ?? {}
  if (!stream || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

export function openDatabase({
  connection,
  role,
  poolSize = 16,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  statementTimeoutMs: usualTimeoutMs = STATEMENT_TIMEOUT_MS,
  onError = () => {},
}: DatabaseOptions): Database {
  const settings = {
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
  let closing = false
  let closed: Promise<void> | undefined
  /** Ignores connections that end while the store closes. */
  const onLost = (error: Error) => {
    if (!closing) onError(error)
  }
  const pool = new pg.Pool({ ...settings, max: poolSize, idleTimeoutMillis: 60_000 })
  pool.on('error', onLost)
  // The pool listens to idle clients only. An error of a busy client would otherwise end the process
  pool.on('connect', (client) => client.on('error', onLost))

  /** Tries to connect until the engine answers in any way. A refusal is an answer too. */
  const knock = async () => {
    for (;;) {
      const client = new pg.Client(settings)
      client.on('error', () => {})
      try {
        await client.connect()
        break
      } catch (error) {
        if (!/timeout expired|ETIMEDOUT/.test((error as Error).message)) break
      } finally {
        void client.end().catch(() => {})
      }
      if (closing) return
    }
    for (const check of listeners) check()
  }
  /** Asks on a new connection as the owner, because the role may not see what other sessions do. */
  const elsewhere = async (statement: Sql): Promise<pg.QueryResult | undefined> => {
    // This connection can die as well
    const limits = { query_timeout: connectTimeoutMs, options: `-c statement_timeout=${connectTimeoutMs}` }
    const client = new pg.Client({ ...settings, ...limits })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.query(statement.text, [...statement.values])
    } catch {
      // The knock finds out if the engine answers at all
      return undefined
    } finally {
      void client.end().catch(() => {})
    }
  }
  /** One check per listening connection, because no query would notice that it died. */
  const listeners = new Set<() => void>()
  /**
   * The time when a dead connection was last found. Connections without an answer since then are not used again,
   * because the same fault may have ended them.
   */
  let deadSince = -Infinity
  const heardAt = new WeakMap<object, number>()
  let givenUp: number[] = []
  /**
   * Destroys a connection without a goodbye, because a dead one would end only when the kernel gives up. The engine
   * hears of it on another connection, so that it rolls back and frees the locks.
   */
  const giveUp = (client: object) => {
    const { processID: processId, connection: wire } = client as Wired
    wire?.stream.destroy()
    if (!processId) return
    if (givenUp.length === 0) setImmediate(() => void endSessions(givenUp))
    givenUp.push(processId)
  }
  const endSessions = async (processIds: readonly number[]) => {
    givenUp = []
    const statement = sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where pid = any(${processIds}::int[]) and application_name = 'chaabi' and state <> 'active'`
    for (let tries = 1; tries <= RETRIES_MAX; tries++) if (closing || (await elsewhere(statement))) return
  }
  const watch = createWatchdog(knock, {
    async findIdle(processIds) {
      const result = await elsewhere(sql`
        select pid from unnest(${processIds}::int[]) as asked (pid)
         where not exists (select from pg_stat_activity each
                            where each.pid = asked.pid and coalesce(each.state, 'unknown') not like 'idle%')`)
      if (!result) return undefined
      return new Set(z.parse(z.array(z.object({ pid: z.number() })), result.rows).map(({ pid }) => pid))
    },
    foundDead() {
      deadSince = performance.now()
      for (const check of listeners) check()
      for (let n = pool.idleCount; n > 0; n--)
        void pool.connect().then(
          (client) => (isHeard(client) ? client.release() : discard(client)),
          () => {},
        )
    },
  })
  const lines = new WeakMap<object, Connection>()
  const lineOf = (client: Asked): Connection | undefined => lines.get(client)
  pool.on('connect', (client) => {
    heardAt.set(client, performance.now())
    const { processID: processId, connection: wire } = client as pg.PoolClient & Wired
    if (processId) lines.set(client, { processId, bytesRead: () => wire?.stream.bytesRead ?? 0 })
  })

  const ask = (client: Asked, statement: Sql, statementTimeoutMs = usualTimeoutMs) => {
    writeTogether(client)
    const answer = () =>
      client.query({
        name: nameOf(statement),
        text: statement.text,
        values: [...statement.values],
        query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
      } as pg.QueryConfig)
    // Upkeep can wait until the engine comes back
    return statementTimeoutMs > STATEMENT_TIMEOUT_MS ? answer() : watch.run(answer, lineOf(client))
  }
  const command = (client: Asked, text: string) => {
    writeTogether(client)
    return watch.run(() => client.query(text), lineOf(client))
  }

  const queries = (run: (statement: Sql) => Promise<pg.QueryResult>): Queries => {
    const rows = async <S extends z.ZodMiniType>(schema: S, statement: Sql): Promise<Row<S>[]> => {
      const result = await run(statement)
      return result.rows.map((row) => z.parse(schema, row))
    }
    return {
      rows,
      async one(schema, statement) {
        const [row, ...others] = await rows(schema, statement)
        if (row === undefined || others.length > 0) throw new Error(`Expected one row: ${statement.text}`)
        return row
      },
      async maybe(schema, statement) {
        return (await rows(schema, statement))[0]
      },
      async run(statement) {
        return (await run(statement)).rowCount ?? 0
      },
    }
  }

  const isHeard = (client: pg.PoolClient) => (heardAt.get(client) ?? Infinity) > deadSince
  const discard = (client: pg.PoolClient) => {
    client.release(true)
    giveUp(client)
  }

  /** Connects. Every error here means that the database is away or full. */
  const connect = async () => {
    if (watch.isSilent) throw busy(new DatabaseTimeout())
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw busy(error)
      })
      if (isHeard(client)) return client
      discard(client)
    }
  }

  async function single(statement: Sql): Promise<pg.QueryResult> {
    const client = await connect()
    try {
      const result = await ask(client, statement)
      heardAt.set(client, performance.now())
      client.release()
      return result
    } catch (error) {
      if (sqlState(error) === undefined) discard(client)
      else client.release()
      throw unavailable(error)
    }
  }

  async function once<T>(
    work: (tx: Transaction) => Promise<T>,
    { readsFirst = false, ...settings }: TransactionOptions,
  ): Promise<T> {
    const { statementTimeoutMs } = settings
    const client = await connect()
    let broken = false
    let committing = false
    let firstError: unknown
    const asked = (statement: Sql) => {
      const answer = ask(client, statement, statementTimeoutMs)
      answer.catch((error: unknown) => (firstError ??= error))
      return answer
    }
    try {
      const begun = heeded(command(client, beginning(settings)))
      if (!readsFirst) await begun
      const sent: Promise<unknown>[] = []
      const result = await work({
        ...queries(async (statement) => (await Promise.all([asked(statement), begun]))[0]),
        inTransaction: true,
        send(statement) {
          const answer = asked(statement)
          sent.push(answer)
          return answer
        },
      })
      committing = true
      const [{ command: done }] = await Promise.all([command(client, 'commit'), ...sent])
      // If the work swallowed an error, the engine answers the commit with a rollback
      heardAt.set(client, performance.now())
      if (done !== 'COMMIT') throw new Error('The transaction was undone: an error inside it was not let through')
      return result
    } catch (caught) {
      // The first statement that failed is the reason, because the engine refuses all later ones
      const error = sqlState(caught) === undefined ? caught : (firstError ?? caught)
      if (!committing && error instanceof Error && !isLost(error)) undone.add(error)
      broken = isUnanswered(error)
      if (!broken)
        await command(client, 'rollback').catch(() => {
          broken = true
        })
      throw error
    } finally {
      if (broken) discard(client)
      else client.release()
    }
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(work, options)
      } catch (error) {
        if (attempt >= RETRIES_MAX || !isRetryable(error)) throw unavailable(error)
        await sleep(Math.random() * 10 * 2 ** attempt)
      }
    }
  }

  function listen(
    channel: string,
    onMessage: (payload: string) => void,
    signal: AbortSignal,
    onListening: () => void = () => {},
  ): void {
    const connect = async (): Promise<void> => {
      while (!signal.aborted) {
        const client = new pg.Client({
          ...settings,
          connectionTimeoutMillis: Math.max(connectTimeoutMs, LISTEN_CONNECT_TIMEOUT_MS),
        })
        let stop = () => {}
        const ended = new Promise<void>((resolve) => {
          stop = resolve
          client.on('error', stop)
          client.on('end', stop)
          signal.addEventListener('abort', stop, { once: true })
        })
        client.on('notification', (message) => onMessage(message.payload ?? ''))
        try {
          await client.connect()
          await client.query(`listen "${channel.replaceAll('"', '""')}"`)
          onListening()
          const check = () =>
            void client.query({ text: 'select', query_timeout: connectTimeoutMs } as pg.QueryConfig).catch(stop)
          listeners.add(check)
          await ended
          listeners.delete(check)
        } catch (error) {
          onLost(error as Error)
        }
        signal.removeEventListener('abort', stop)
        const over = client.end().catch(onLost)
        if (!signal.aborted) giveUp(client)
        await over
        if (!signal.aborted) await sleep(RECONNECT_DELAY_MS)
      }
    }
    void connect()
  }

  return {
    ...queries(single),
    transaction,
    listen,
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      isSilent: watch.isSilent,
    }),
    close() {
      closing = true
      watch.close()
      return (closed ??= pool.end())
    },
  }
}

/** Marks a promise as handled, because it is awaited later. */
function heeded<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** Joins the timeouts to the `begin`, so that both take one round trip. */
function beginning({ statementTimeoutMs, lockTimeoutMs, onePlan }: TransactionOptions): string {
  // Set explicitly, because an external server may default to another level. Reads under a lock must see current rows
  let text = 'begin isolation level read committed'
  if (statementTimeoutMs !== undefined) text += `; set local statement_timeout = ${Math.trunc(statementTimeoutMs)}`
  if (lockTimeoutMs !== undefined) text += `; set local lock_timeout = ${Math.trunc(lockTimeoutMs)}`
  if (onePlan) text += '; set local plan_cache_mode = force_generic_plan'
  return text
}
