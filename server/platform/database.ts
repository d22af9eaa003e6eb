/**
 * The one door to PostgreSQL: SQL written by hand in tagged templates, every statement named (unnamed ones
 * run at 0.65 of the speed), rows read through a schema, transactions retried when the engine asks for it.
 * Only this file imports the driver.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { EngineSilent, watchForSilence, type Line } from './silence.ts'

/** A statement and its parameters; made by `sql`, and may be nested in another one. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** Runs unnamed. */
  readonly isPlannedAnew?: true
}

const SQL_PART = Symbol('sql')
const names = new Map<string, string>()
/**
 * Dynamic lists make a few dozen texts; thousands mean that a value has got into a text. Such statements run
 * unnamed: slower, but neither the engine's memory nor the store depends on what a client asks for.
 */
const NAMES_MAX = 2_000

/** Named when it is run and not when it is written: what is spliced into another statement needs none. */
function nameOf({ text, isPlannedAnew }: Sql): string | undefined {
  if (isPlannedAnew) return undefined
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= NAMES_MAX) return undefined
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}

/** sql`select … where id = ${id}`: a value becomes a parameter, another sql`…` is spliced in. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const values: unknown[] = []
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    if (isSql(part)) {
      text += part.text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + values.length}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
    text += strings[index + 1] ?? ''
  })
  return { text, values, [SQL_PART]: true } as Sql
}

/**
 * A whole number written into the text. For `limit`: a parameter there makes the planner guess a tenth
 * of the table. The caller bounds how many different numbers there can be.
 */
export function literal(value: number): Sql {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} cannot be written into SQL`)
  return { text: String(value), values: [], [SQL_PART]: true } as Sql
}

/**
 * A statement that is planned anew for each call. A prepared one soon gets a plan for any value, and there is no
 * such plan for a search: what few rows match is best found by an index, what most match by reading along.
 */
export function planned(statement: Sql): Sql {
  return { ...statement, isPlannedAnew: true }
}

/** A statement that stands in a file. */
export function prepared(text: string): Sql {
  return { text, values: [], [SQL_PART]: true } as Sql
}

/** Joins conditions with `and`; true when there are none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`)
}

function isSql(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && SQL_PART in part
}

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
}

interface TransactionOptions {
  /** For imports and exports, which may take longer than a request should; milliseconds. */
  statementTimeoutMs?: number | undefined
  /** How long to wait for a lock, where it is not as long as usual; milliseconds. */
  lockTimeoutMs?: number | undefined
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
/** The engine ends what takes too long; where it does not even say so by then, it cannot be reached any more. */
const ANSWER_MARGIN_MS = 2_000
/** A connection whose other end is gone without a word is found out, also one that only listens. */
const KEEP_ALIVE_AFTER_MS = 10_000
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
  connection?: { stream: { bytesRead?: number } }
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
      '-c timezone=UTC',
    ].join(' '),
  }
  let closing = false
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
        return
      } catch (error) {
        if (!/timeout expired|ETIMEDOUT/.test((error as Error).message)) return
      } finally {
        void client.end().catch(() => {})
      }
      if (closing) return
    }
  }
  /** Asks on a connection of its own, as the owner of all of them: a role's rights do not show what others do. */
  const elsewhere = async (statement: Sql): Promise<pg.QueryResult | undefined> => {
    const client = new pg.Client({ ...settings, options: `-c statement_timeout=${connectTimeoutMs}` })
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
  /** What took one connection may have taken others: those that have said nothing since then are not used again. */
  let deadSince = -Infinity
  const heardAt = new WeakMap<object, number>()
  const watch = watchForSilence(knock, {
    async findIdle(processIds) {
      const result = await elsewhere(sql`
        select pid from unnest(${processIds}::int[]) as asked (pid)
         where not exists (select from pg_stat_activity each
                            where each.pid = asked.pid and coalesce(each.state, 'unknown') not like 'idle%')`)
      return new Set(z.parse(z.array(z.object({ pid: z.number() })), result?.rows ?? []).map(({ pid }) => pid))
    },
    hangUp(processIds, since) {
      deadSince = since
      // Its locks go with it, where it was in the middle of something
      void elsewhere(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where pid = any(${processIds}::int[]) and application_name = 'chaabi' and state <> 'active'`)
    },
  })
  const lines = new WeakMap<object, Line>()
  /** Known from the moment that a connection is made. */
  const lineOf = (client: Asked): Line | undefined => lines.get(client)
  pool.on('connect', (client) => {
    heardAt.set(client, performance.now())
    const { processID: processId, connection: wire } = client as pg.PoolClient & Wired
    if (processId) lines.set(client, { processId, bytesRead: () => wire?.stream.bytesRead ?? 0 })
  })

  const ask = (client: Asked, statement: Sql, statementTimeoutMs = usualTimeoutMs) => {
    const answer = () =>
      client.query({
        name: nameOf(statement),
        text: statement.text,
        values: [...statement.values],
        query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
      } as pg.QueryConfig)
    // Upkeep has the time to wait for an engine that comes back
    return statementTimeoutMs > STATEMENT_TIMEOUT_MS ? answer() : watch.hear(answer, lineOf(client))
  }
  const command = (client: Asked, text: string) => watch.hear(() => client.query(text), lineOf(client))

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

  /** Failing to connect always means that the database is away or full. */
  const connect = async () => {
    if (watch.isSilent) throw busy(new EngineSilent())
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw busy(error)
      })
      if ((heardAt.get(client) ?? Infinity) > deadSince) return client
      client.release(true)
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
      client.release(sqlState(error) === undefined)
      throw unavailable(error)
    }
  }

  async function once<T>(
    work: (tx: Transaction) => Promise<T>,
    { statementTimeoutMs, lockTimeoutMs }: TransactionOptions,
  ): Promise<T> {
    const client = await connect()
    let broken = false
    let committing = false
    try {
      await command(client, beginning({ statementTimeoutMs, lockTimeoutMs }))
      const result = await work({
        ...queries((statement) => ask(client, statement, statementTimeoutMs)),
        inTransaction: true,
      })
      committing = true
      const { command: done } = await command(client, 'commit')
      // After an error that the work swallowed, the engine answers a commit by undoing everything
      heardAt.set(client, performance.now())
      if (done !== 'COMMIT') throw new Error('The transaction was undone: an error inside it was not let through')
      return result
    } catch (error) {
      if (!committing && error instanceof Error && !isLost(error)) undone.add(error)
      broken = isUnanswered(error)
      if (!broken)
        await command(client, 'rollback').catch(() => {
          broken = true
        })
      throw error
    } finally {
      client.release(broken)
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
        const client = new pg.Client(settings)
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
          await ended
        } catch (error) {
          onLost(error as Error)
        }
        signal.removeEventListener('abort', stop)
        await client.end().catch(onLost)
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
      return pool.end()
    },
  }
}

/** The timeouts go along with the `begin`, in one round trip. */
function beginning({ statementTimeoutMs, lockTimeoutMs }: TransactionOptions): string {
  let text = 'begin'
  if (statementTimeoutMs !== undefined) text += `; set local statement_timeout = ${Math.trunc(statementTimeoutMs)}`
  if (lockTimeoutMs !== undefined) text += `; set local lock_timeout = ${Math.trunc(lockTimeoutMs)}`
  return text
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** The driver gave up waiting: what became of the statement is not known, and the connection is good for nothing. */
function isUnanswered(error: unknown): boolean {
  return error instanceof EngineSilent || (error instanceof Error && error.message === 'Query read timeout')
}

/** Serialization failures and deadlocks: the engine undid everything, and trying again is right. */
function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '')
}

const BUSY_STATES = [
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '25P03', // idle_in_transaction_session_timeout
  '53100', // disk full
  '53200', // out of memory
  '53300', // too many connections
  '57P01', // shut down by an administrator
  '57P02', // crashed
  '57P03', // starting up
]

/** Turns "the database is away or busy" into the refusal that says so; anything else stays what it is. */
function unavailable(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const state = sqlState(error)
  const isBusy =
    isLost(error) ||
    (state !== undefined && (BUSY_STATES.includes(state) || state.startsWith('08') || isRetryable(error)))
  return isBusy ? busy(error) : error
}

/** The driver's own errors: there is no connection, or not any more. */
function isLost(error: unknown): boolean {
  if (error instanceof EngineSilent) return true
  return (
    sqlState(error) === undefined &&
    error instanceof Error &&
    /ECONN|ENOENT|EPIPE|ETIMEDOUT|terminated|timeout exceeded|read timeout|Connection ended|not queryable/i.test(
      `${(error as NodeJS.ErrnoException).code} ${error.message}`,
    )
  )
}

function busy(cause: unknown): Refusal {
  const refusal = new Refusal('SERVICE_UNAVAILABLE', { retryAfterMs: 1_000 })
  refusal.cause = cause
  return refusal
}

/** Errors that ended a transaction before its commit was asked for. */
const undone = new WeakSet<Error>()

/**
 * Whether an error says that its transaction was undone for certain: it came before the commit was asked for, or the
 * engine itself said so.
 */
export function wasRolledBack(error: unknown): boolean {
  if (error instanceof Error && undone.has(error)) return true
  const state = sqlState(error) ?? sqlState((error as Error | undefined)?.cause)
  return state !== undefined && !state.startsWith('08') && !state.startsWith('57P')
}

/** Whether an error is a violation of the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}
