/**
 * The one door to PostgreSQL: SQL written by hand in tagged templates (sql.ts), rows read through a schema,
 * transactions retried when the engine asks for it. Only this file and database-errors.ts import the driver.
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

/** What can be asked, inside a transaction or outside of one. */
export interface Queries {
  rows<S extends z.ZodMiniType>(schema: S, statement: Sql): Promise<Row<S>[]>
  /** The only row. @throws when there is not exactly one. */
  one<S extends z.ZodMiniType>(schema: S, statement: Sql): Promise<Row<S>>
  /** The row, if there is one. */
  maybe<S extends z.ZodMiniType>(schema: S, statement: Sql): Promise<Row<S> | undefined>
  /** @returns how many rows were changed. */
  run(statement: Sql): Promise<number>
}

/** Queries inside one transaction. Functions that move money or stock take this, so that their signature says so. */
export interface Transaction extends Queries {
  readonly inTransaction: true
  /** Changes rows, and need not be waited for: the commit goes out behind it, and fails when it does. */
  send(statement: Sql): Promise<unknown>
}

interface TransactionOptions {
  /** For imports and exports, which may take longer than a request should; milliseconds. */
  statementTimeoutMs?: number | undefined
  /** How long to wait for a lock, where it is not as long as usual; milliseconds. */
  lockTimeoutMs?: number | undefined
  /**
   * What is asked before the first answer goes out together with the `begin`. Only for work that begins with nothing but
   * reads and locks: were the `begin` to fail, they would have been asked outside of any transaction.
   */
  readsFirst?: boolean
  /**
   * Each statement keeps one plan, whatever it is asked for. Only where the right plan does not depend on that: the engine
   * would plan a list of few anew each time, because it takes a list of unknown length for ten.
   */
  onePlan?: boolean
}

export interface Database extends Queries {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * A dedicated connection for LISTEN; ends when `signal` aborts, reconnects by itself.
   * @param onListening called each time that it listens anew: what was sent before is lost
   */
  listen(channel: string, onMessage: (payload: string) => void, signal: AbortSignal, onListening?: () => void): void
  /** How busy the connections are, at this moment. */
  connections(): { inUse: number; idle: number; waiting: number; isSilent: boolean }
  /** Also a second time. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** A connection string, or the embedded server's socket. */
  connection: string | { host: string; port: number; user: string; database: string }
  /** The role to work as; its grants are the application's only rights. */
  role?: string
  poolSize?: number
  /** How long a query waits for a free connection before the answer is "busy"; milliseconds. */
  connectTimeoutMs?: number
  /** For upkeep outside of transactions, which takes its time; milliseconds. */
  statementTimeoutMs?: number
  onError?: (error: Error) => void
}

const STATEMENT_TIMEOUT_MS = 5_000
/** Waiting for a connection and then for a lock must stay within the three seconds that a caller is made to wait. */
const LOCK_TIMEOUT_MS = 1_500
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 1_200
/** For who listens, nobody waits. It begins while a start keeps this process busy, which is no reason to give up. */
const LISTEN_CONNECT_TIMEOUT_MS = 5_000
/** The engine ends what takes too long; where it does not even say so by then, it cannot be reached any more. */
const ANSWER_MARGIN_MS = 2_000
/** A connection whose other end is gone without a word is found out, also one that only listens; by either end. */
const KEEP_ALIVE_AFTER_MS = 10_000
const KEEP_ALIVE_TRIES = 3
const RETRIES_MAX = 5
const RECONNECT_DELAY_MS = 500

/** 64-bit integers arrive as text; those of this store are counts and paise, which fit a number exactly. */
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
/** What the driver knows of a connection, and does not declare. */
interface Wired {
  processID?: number | null
  connection?: { stream: Pick<Socket, 'bytesRead' | 'writableCorked' | 'cork' | 'uncork' | 'destroy'> }
}

/** What is asked in one turn goes out in one write: each wakes the engine, and costs the caller more than the question. */
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
    // What a transaction asks without waiting for an answer goes out together
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
  /** Connections that end while the store closes end as they should. */
  const onLost = (error: Error) => {
    if (!closing) onError(error)
  }
  const pool = new pg.Pool({ ...settings, max: poolSize, idleTimeoutMillis: 60_000 })
  pool.on('error', onLost)
  // The pool listens to idle clients only: without this, a client that dies while it works ends the process
  pool.on('connect', (client) => client.on('error', onLost))

  /** Any answer will do, also a refusal; only a door that stays shut is none. */
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
  /** Asks on a connection of its own, as the owner of all of them: a role's rights do not show what others do. */
  const elsewhere = async (statement: Sql): Promise<pg.QueryResult | undefined> => {
    // The line that is asked on can die as well
    const limits = { query_timeout: connectTimeoutMs, options: `-c statement_timeout=${connectTimeoutMs}` }
    const client = new pg.Client({ ...settings, ...limits })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.query(statement.text, [...statement.values])
    } catch {
      // Whether anybody answers is the knock's question
      return undefined
    } finally {
      void client.end().catch(() => {})
    }
  }
  /** Each looks whether the connection that it listens on is still one: nobody waits on it who would find out. */
  const listeners = new Set<() => void>()
  /**
   * What took one connection may have taken others, and when it did is not known. So those that have said nothing since
   * it was found out are not used again.
   */
  let deadSince = -Infinity
  const heardAt = new WeakMap<object, number>()
  let givenUp: number[] = []
  /**
   * Ends a connection without a goodbye: a line that is dead carries none, and whoever waited for its end would wait for
   * the kernel's. The engine is told elsewhere, so that it undoes what this one was in the middle of, and lets its locks
   * and its place go.
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
  /** Known from the moment that a connection is made. */
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
    // Upkeep has the time to wait for an engine that comes back
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

  /** Failing to connect always means that the database is away or full. */
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
      // After an error that the work swallowed, the engine answers a commit by undoing everything
      heardAt.set(client, performance.now())
      if (done !== 'COMMIT') throw new Error('The transaction was undone: an error inside it was not let through')
      return result
    } catch (caught) {
      // Of what was asked together, the first to fail is the reason: behind it, the engine takes nothing more
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

/** A promise that is waited for later: until then its error is not one that nobody heeds. */
function heeded<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** The timeouts go along with the `begin`, in one round trip. */
function beginning({ statementTimeoutMs, lockTimeoutMs, onePlan }: TransactionOptions): string {
  // Said here, whatever a server of one's own takes for usual: what is looked at under a lock must be what is there now
  let text = 'begin isolation level read committed'
  if (statementTimeoutMs !== undefined) text += `; set local statement_timeout = ${Math.trunc(statementTimeoutMs)}`
  if (lockTimeoutMs !== undefined) text += `; set local lock_timeout = ${Math.trunc(lockTimeoutMs)}`
  if (onePlan) text += '; set local plan_cache_mode = force_generic_plan'
  return text
}
