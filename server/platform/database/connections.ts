/** The pools of connections, which find dead ones and do not use them again. */
import pg from 'pg'
import {
  ANSWER_MARGIN_MS,
  ONE_PLAN,
  STATEMENT_TIMEOUT_MS,
  settingsOf,
  type DatabaseOptions,
} from './connecting/connection-settings.ts'
import type { Settings } from './connecting/connection-settings.ts'
import { busy } from './database-errors.ts'
import { PrimaryClient } from './connecting/primary.ts'
import { createReaper, findIdle, probe } from './side-connections.ts'
import { nameOf, type Sql } from './sql.ts'
import { createWatchdog, DatabaseTimeout, type Connection, type Watchdog } from './connecting/watchdog.ts'
import { writeTogether, type Asked, type Wired } from './connecting/wire.ts'

export type Connections = ReturnType<typeof createConnections>

/** The six writers of purchases, and two for approvals and alerts. */
const ONE_PLAN_MAX = 8
/** Stay open, because a new one needs a file, and a full disk has no room for it. */
const KEPT = 4
/** A statement of a call that takes as long holds somebody up. */
const SLOW_MS = 500

/** A statement without its values, and how long its answer took. */
export interface SlowStatement {
  text: string
  ms: number
}

export function createConnections(options: DatabaseOptions) {
  const { poolSize = 10, onError = () => {} } = options
  const settings = settingsOf(options)
  let closing = false
  let closed: Promise<unknown> | undefined
  /** Ignores connections that end while the store closes. */
  const onLost = (error: Error) => {
    if (!closing) onError(error)
  }
  const usual = openPool(settings, { min: Math.min(poolSize, KEPT), max: poolSize }, onLost)
  // Set for the whole connection, so that no transaction has to
  const planned = { ...settings, options: `${settings.options} ${ONE_PLAN}` }
  // One connection stays open, because its plans go with it
  const onePlan = openPool(planned, { min: 1, max: Math.min(poolSize, ONE_PLAN_MAX) }, onLost)
  const pools = [usual, onePlan]
  const giveUp = createReaper(settings, () => closing)
  /** One check per listening connection, because no query would notice that it died. */
  const listeners = new Set<() => void>()
  const checkListeners = () => {
    for (const check of listeners) check()
  }
  /**
   * The time when a dead connection was last found. Connections without an answer since then are not used again,
   * because the same fault may have ended them.
   */
  let deadSince = -Infinity
  const heardAt = new WeakMap<object, number>()
  for (const pool of pools) pool.on('connect', (client) => heardAt.set(client, performance.now()))
  const isHeard = (client: pg.PoolClient) => (heardAt.get(client) ?? Infinity) > deadSince
  const discard = (client: pg.PoolClient) => {
    client.release(true)
    giveUp(client)
  }
  const foundDead = () => {
    deadSince = performance.now()
    checkListeners()
    for (const pool of pools)
      for (let n = pool.idleCount; n > 0; n--)
        void pool.connect().then(
          (client) => (isHeard(client) ? client.release() : discard(client)),
          () => {},
        )
  }
  const watch = createWatchdog(
    async () => {
      if (await probe(settings, () => closing)) checkListeners()
    },
    { findIdle: (processIds) => findIdle(settings, processIds), foundDead },
  )

  /** Connects. Every error here means that the database is away or full. */
  const connect = async (how: { onePlan?: boolean } = {}) => {
    if (watch.isSilent) throw busy(new DatabaseTimeout())
    for (;;) {
      const client = await (how.onePlan ? onePlan : usual).connect().catch((error: unknown) => {
        throw busy(error)
      })
      if (isHeard(client)) return client
      discard(client)
    }
  }
  return {
    settings,
    pools,
    watch,
    listeners,
    onLost,
    giveUp,
    connect,
    discard,
    /** Notes that this connection has just answered. */
    noteAnswer: (client: object) => void heardAt.set(client, performance.now()),
    ...asking(pools, watch, options),
    close() {
      closing = true
      watch.close()
      return (closed ??= Promise.all(pools.map((pool) => pool.end())))
    },
  }
}

function openPool(settings: Settings, size: { min?: number; max: number }, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...settings, ...size, Client: PrimaryClient, idleTimeoutMillis: 60_000 })
  pool.on('error', onLost)
  // The pool itself tells of idle clients only
  pool.on('connect', (client) => client.on('error', onLost))
  return pool
}

/** @returns functions that send a statement or a command, watched by the watchdog, and who hears of slow ones */
function asking(pools: readonly pg.Pool[], watch: Watchdog, { statementTimeoutMs: usualTimeoutMs }: DatabaseOptions) {
  const lines = new WeakMap<object, Connection>()
  const lineOf = (client: Asked): Connection | undefined => lines.get(client)
  const slowListeners = new Set<(slow: SlowStatement) => void>()
  const timed = timing((slow) => {
    for (const tell of slowListeners) tell(slow)
  })
  for (const pool of pools)
    pool.on('connect', (client) => {
      const { processID: processId, connection: wire } = client as pg.PoolClient & Wired
      if (processId) lines.set(client, { processId, bytesRead: () => wire?.stream.bytesRead ?? 0 })
    })
  const ask = (client: Asked, statement: Sql, statementTimeoutMs = usualTimeoutMs ?? STATEMENT_TIMEOUT_MS) => {
    writeTogether(client)
    const answer = () =>
      client.query({
        name: nameOf(statement),
        text: statement.text,
        values: [...statement.values],
        rowMode: 'array',
        query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
      } as pg.QueryArrayConfig)
    // Upkeep can wait until the engine comes back
    if (statementTimeoutMs > STATEMENT_TIMEOUT_MS) return answer()
    return timed(client, statement.text, watch.run(answer, lineOf(client)))
  }
  const command = (client: Asked, text: string) => {
    writeTogether(client)
    return timed(
      client,
      text,
      watch.run(() => client.query(text), lineOf(client)),
    )
  }
  return { ask, command, slowListeners }
}

/** @returns a function that tells when an answer took long, in vain or not */
function timing(onSlow: (slow: SlowStatement) => void) {
  const answeredAt = new WeakMap<object, number>()
  return <T>(client: object, text: string, answer: Promise<T>): Promise<T> => {
    const sentAt = performance.now()
    const measure = () => {
      const now = performance.now()
      // Those that were sent together are answered one after another
      const ms = now - Math.max(sentAt, answeredAt.get(client) ?? 0)
      answeredAt.set(client, now)
      if (ms >= SLOW_MS) onSlow({ text, ms })
    }
    void answer.then(measure, measure)
    return answer
  }
}
