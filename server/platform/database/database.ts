/**
 * The only way to PostgreSQL. SQL is written by hand in tagged templates (sql.ts). Rows are read through a schema.
 * Transactions are tried again when the engine asks for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import * as z from 'zod/mini'
import type { DatabaseOptions } from './connecting/connection-settings.ts'
import { createConnections, type Connections, type SlowStatement } from './connections.ts'
import { hasLeft, isLost, isRetryable, isUnanswered, sqlState, unavailable, undone } from './database-errors.ts'
import { listen } from './listen.ts'
import { rowsOf } from './rows.ts'
import type { Query, Sql } from './sql.ts'

export type { DatabaseOptions } from './connecting/connection-settings.ts'
export { violates, wasRolledBack } from './database-errors.ts'
export { allOf, columns, literal, planned, prepared, sql, type Query, type Sql } from './sql.ts'

const RETRIES_MAX = 5

type Row<S extends z.ZodMiniType> = z.output<S>

/** Queries inside a transaction or outside one. A row has its columns' names in camel case: `user_id` is `userId`. */
export interface Queries {
  rows<S extends z.ZodMiniType>(query: Query<S>): Promise<Row<S>[]>
  /** Returns the only row. @throws Error when there is not exactly one */
  one<S extends z.ZodMiniType>(query: Query<S>): Promise<Row<S>>
  /** Returns the first row, if there is one. */
  maybe<S extends z.ZodMiniType>(query: Query<S>): Promise<Row<S> | undefined>
  /** Returns the first column of all rows: texts such as ids. */
  texts(statement: Sql): Promise<string[]>
  /** Returns the first column of the first row, if there is one. */
  text(statement: Sql): Promise<string | undefined>
  /** Returns a number: the first column of the only row. */
  count(statement: Sql): Promise<number>
  /** Returns true or false: the first column of the only row. */
  holds(statement: Sql): Promise<boolean>
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
   * Takes a connection that keeps one plan per statement, whatever its parameters are. Only for statements whose best
   * plan is always the same, and reads a few rows by index. Otherwise the engine plans short lists each time, because
   * it assumes ten elements for an unknown length. In a small store it would also read whole tables for ten.
   */
  onePlan?: boolean
}

export interface Database extends Queries {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Listens on a connection of its own until `signal` aborts. Reconnects automatically.
   * @param onListening is called each time it starts to listen, because earlier messages are lost
   */
  listen(channel: string, onMessage: (payload: string) => void, signal: AbortSignal, onListening?: () => void): void
  /** Tells of each statement of a call that was slow, until `signal` aborts. Upkeep may take long. */
  onSlow(tell: (slow: SlowStatement) => void, signal: AbortSignal): void
  /** Counts the connections by use, now. */
  connections(): { inUse: number; idle: number; waiting: number; isSilent: boolean }
  /** A second call does nothing. */
  close(): Promise<unknown>
}

export function openDatabase(options: DatabaseOptions): Database {
  const connections = createConnections(options)
  const { pools, watch, connect, ask, noteAnswer, discard, slowListeners } = connections

  async function single(statement: Sql): Promise<pg.QueryArrayResult> {
    const client = await connect()
    try {
      const result = await ask(client, statement)
      noteAnswer(client)
      client.release()
      return result
    } catch (error) {
      if (sqlState(error) === undefined || hasLeft(error)) discard(client)
      else client.release()
      throw unavailable(error)
    }
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(connections, work, options)
      } catch (error) {
        if (attempt >= RETRIES_MAX || !isRetryable(error)) throw unavailable(error)
        await sleep(Math.random() * 10 * 2 ** attempt)
      }
    }
  }

  const all = (count: 'totalCount' | 'idleCount' | 'waitingCount') => pools.reduce((sum, pool) => sum + pool[count], 0)
  return {
    ...queriesBy(single),
    transaction,
    listen: (channel, onMessage, signal, onListening) => listen(connections, channel, onMessage, signal, onListening),
    onSlow(tell, signal) {
      slowListeners.add(tell)
      signal.addEventListener('abort', () => slowListeners.delete(tell), { once: true })
    },
    connections: () => ({
      inUse: all('totalCount') - all('idleCount'),
      idle: all('idleCount'),
      waiting: all('waitingCount'),
      isSilent: watch.isSilent,
    }),
    close: () => connections.close(),
  }
}

const [TextValue, CountValue, BooleanValue] = [z.string(), z.number(), z.boolean()]

function queriesBy(run: (statement: Sql) => Promise<pg.QueryArrayResult>): Queries {
  const rows = async <S extends z.ZodMiniType>(query: Query<S>): Promise<Row<S>[]> => {
    return rowsOf(await run(query)).map((row) => z.parse(query.row, row))
  }
  const firsts = async <S extends z.ZodMiniType>(schema: S, statement: Sql): Promise<Row<S>[]> =>
    (await run(statement)).rows.map(([value]: unknown[]) => z.parse(schema, value))
  const single = <Found>([found, ...others]: Found[], { text }: Sql): Found => {
    if (found === undefined || others.length > 0) throw new Error(`Expected one row: ${text}`)
    return found
  }
  return {
    rows,
    one: async (query) => single(await rows(query), query),
    maybe: async (query) => (await rows(query))[0],
    texts: (statement) => firsts(TextValue, statement),
    text: async (statement) => (await firsts(TextValue, statement))[0],
    count: async (statement) => single(await firsts(CountValue, statement), statement),
    holds: async (statement) => single(await firsts(BooleanValue, statement), statement),
    async run(statement) {
      return (await run(statement)).rowCount ?? 0
    },
  }
}

async function once<T>(
  { connect, ask, command, noteAnswer, discard }: Connections,
  work: (tx: Transaction) => Promise<T>,
  { readsFirst = false, onePlan = false, ...settings }: TransactionOptions,
): Promise<T> {
  const { statementTimeoutMs } = settings
  const client = await connect({ onePlan })
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
      ...queriesBy(async (statement) => (await Promise.all([asked(statement), begun]))[0]),
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
    noteAnswer(client)
    if (done !== 'COMMIT') throw new Error('The transaction was undone: an error inside it was not let through')
    return result
  } catch (caught) {
    // The first statement that failed is the reason, because the engine refuses all later ones
    const error = sqlState(caught) === undefined ? caught : (firstError ?? caught)
    if (!committing && error instanceof Error && !isLost(error)) undone.add(error)
    broken = isUnanswered(error) || hasLeft(error)
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

/** Marks a promise as handled, because it is awaited later. */
function heeded<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** Joins the settings to the `begin`, so that both take one round trip. */
function beginning({ statementTimeoutMs, lockTimeoutMs }: TransactionOptions): string {
  const settings = Object.entries({
    ...(statementTimeoutMs !== undefined && { statement_timeout: Math.trunc(statementTimeoutMs) }),
    ...(lockTimeoutMs !== undefined && { lock_timeout: Math.trunc(lockTimeoutMs) }),
  })
  // Set explicitly, because an external server may default to another level. Reads under a lock must see current rows
  const begin = 'begin isolation level read committed'
  return [begin, ...settings.map(([name, value]) => `set local ${name} = ${value}`)].join('; ')
}
