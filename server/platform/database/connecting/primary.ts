/**
 * Finds the primary among the servers of a connection string, and never works on a standby.
 *
 * `postgres://user:password@db1:5432,db2:5432/chaabi` is read as libpq reads it. All connections of this process to
 * these servers go to the one that was the primary last. Whenever one of them ends, the servers are asked again, all at
 * once, until one of them is the primary.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

interface Servers {
  /** One connection string for each server. */
  readonly all: readonly string[]
  /** The connection string of the server that was the primary last. */
  current: string
  /** The search that is under way. */
  search?: Promise<boolean> | undefined
}

/** A server that says nothing for this long is dead. */
const ANSWER_MS_MAX = 1_200
/** A standby may become the primary any moment. */
const ASK_AGAIN_MS = 100
const SEARCH_MS_MAX = 5_000
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(\/[^?]*)?(\?.*)?$/
const PRIMARY = ['read-write', 'primary']

/**
 * Splits a connection string into one for each of its servers.
 * @throws Error in one line, if it asks for anything but the primary or is no connection string
 */
export function splitServers(url: string): string[] {
  const [, front = '', hosts = '', name = '', query = ''] = PARTS.exec(url) ?? []
  const settings = new URLSearchParams(query)
  const wanted = settings.get('target_session_attrs')
  settings.delete('target_session_attrs')
  if (wanted !== null && !PRIMARY.includes(wanted))
    throw new Error('The store needs the primary. In DATABASE_URL, leave out target_session_attrs or use read-write.')
  const named = hosts.split(',')
  const several = named.length > 1
  const rest = settings.size === 0 ? '' : `?${settings.toString()}`
  const all = named.map((host) => `${front}${host}${several && !/:\d+$/.test(host) ? ':5432' : ''}${name}${rest}`)
  const isWrong = several ? settings.has('host') || named.includes('') : url.includes(',')
  if (isWrong || !all.every((each) => URL.canParse(each)))
    throw new Error('DATABASE_URL must look like postgres://user:password@db1:5432,db2:5432/chaabi')
  return all
}

/** Names another database on the same servers. */
export const onServers = (url: string, database: string): string =>
  url.replace(PARTS, (_, front: string, hosts: string, _name, query = '') => `${front}${hosts}/${database}${query}`)

/** What this process knows about the servers of each connection string, whichever database it names on them. */
const known = new Map<string, Servers>()

/** @returns the servers, if the connection string names several */
export function serversOf(connection: unknown): Servers | undefined {
  if (typeof connection !== 'string' || !connection.includes(',')) return undefined
  let servers = known.get(connection)
  if (!servers) {
    const all = splitServers(connection)
    known.set(connection, (servers = { all, current: currentAmong(all) }))
  }
  return servers
}

/** Begins where the same servers' other databases are, so that a restore's databases need no search. */
function currentAmong(all: readonly string[]): string {
  const hostsOf = (url: string) => url.replace(PARTS, '$1$2')
  const found = [...known.values()].find((each) => hostsOf(each.all.join()) === hostsOf(all.join()))
  return all.find((url) => found && hostsOf(url) === hostsOf(found.current)) ?? all[0]!
}

/** Not for reads either: there the same snapshot text can mean other rows, and kept reads compare that text. */
class StandbyError extends Error {
  constructor() {
    super(
      'DATABASE_URL names a standby, which only answers reads. Name the primary, ' +
        'or all servers: postgres://user:password@db1:5432,db2:5432/chaabi',
    )
  }
}

/** A connection to the primary. The engine says at the login if it is a standby. */
export class PrimaryClient extends pg.Client {
  private readonly wire: Wire
  private isStandby = false

  constructor(config: pg.ClientConfig = {}) {
    const servers = serversOf(config.connectionString)
    super(servers ? { ...config, connectionString: servers.current } : config)
    this.wire = (this as unknown as { connection: Wire }).connection
    this.wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on'
    })
    if (servers) this.wire.once('end', () => void lookAgain(servers))
    // The connection may end right after its login. The next query on it reports that
    this.on('error', () => {})
  }

  override connect(): Promise<this>
  override connect(callback: (error?: Error) => void): void
  override connect(callback?: (error?: Error) => void): Promise<this> | void {
    const connected = super.connect().then(() => {
      if (!this.isStandby) return this
      this.wire.stream.destroy()
      throw new StandbyError()
    })
    if (!callback) return connected
    void tell(connected, callback)
  }
}

/** Calls back as the driver's pool wants it. */
async function tell(connected: Promise<unknown>, callback: (error?: Error) => void): Promise<void> {
  const error = await connected.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  )
  callback(error)
}

/** Members of the driver's connection that its types do not declare. */
interface Wire {
  stream: { destroy(): void }
  on(event: 'parameterStatus', heard: (status: { parameterName: string; parameterValue: string }) => void): void
  once(event: 'end', heard: () => void): void
}

/**
 * Asks all servers until one is the primary, for a few seconds. Keeps the last primary if none of them becomes one.
 * @returns true if it found one
 */
export function lookAgain(servers: Servers): Promise<boolean> {
  const search = async () => {
    try {
      servers.current = await findPrimary(servers.all, SEARCH_MS_MAX)
      return true
    } catch {
      return false
    } finally {
      servers.search = undefined
    }
  }
  return (servers.search ??= search())
}

/**
 * Asks each server on its own, because a dead machine answers only after a while.
 * @param withinMs how long a server is asked again; 0 asks each once
 * @throws Error that says of each server why it is not the primary
 */
async function findPrimary(all: readonly string[], withinMs = 0): Promise<string> {
  const clients = new Set<pg.Client>()
  const until = performance.now() + withinMs
  let found = false
  const ask = async (url: string): Promise<string> => {
    for (;;) {
      const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: ANSWER_MS_MAX })
      clients.add(client)
      try {
        await client.connect()
        found = true
        return url
      } catch (error) {
        if (found || performance.now() > until) throw error
      }
      clients.delete(client)
      void client.end().catch(() => {})
      await sleep(ASK_AGAIN_MS, undefined, { ref: false })
    }
  }
  try {
    return await Promise.any(all.map(ask))
  } catch (error) {
    const reasons = (error as AggregateError).errors as (Error & { code?: string })[]
    const lines = reasons.map((reason, n) => `${serverIn(all[n]!)} ${inWords(reason)}`)
    throw new Error(`No server in DATABASE_URL is a primary: ${lines.join(', ')}.`, { cause: error })
  } finally {
    for (const client of clients) void client.end().catch(() => {})
  }
}

const serverIn = (url: string): string => PARTS.exec(url)?.[2] ?? ''
const inWords = (error: Error & { code?: string }): string =>
  error instanceof StandbyError
    ? 'is a standby'
    : error instanceof pg.DatabaseError
      ? `refuses (${error.message})`
      : `does not answer (${error.code ?? error.message})`

/** Finds the primary before the first connection. @throws Error that says of each server why it is not the primary */
export async function openServers(connection: string): Promise<void> {
  const servers = serversOf(connection)
  if (servers) servers.current = await findPrimary(servers.all)
}
