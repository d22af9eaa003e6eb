/** Engines of this machine that copy from each other: a primary, and a standby that follows it. */
import { randomInt } from 'node:crypto'
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../server/platform/engine/embedded-postgres.ts'
import { findPrograms, privateDirectory } from '../../server/platform/engine/postgres-cluster.ts'
import { chooseAccount } from '../../server/platform/engine/postgres-identity.ts'
import { serverProcesses } from '../../server/platform/engine/postgres-processes.ts'

const PORT = 5432
const STANDBY = 'chaabi_standby'
const FOLLOWING_MS_MAX = 30_000
/** Nobody listens there. */
const NOWHERE = '127.255.255.254'

export interface PairedEngine extends EmbeddedPostgres {
  /** An address of the loopback network that is this engine's alone. */
  readonly address: string
  readonly dataDir: string
}

export const ownAddress = (): string => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`

export const urlOf = (...engines: Pick<PairedEngine, 'address'>[]): string =>
  `postgres://chaabi_owner@${engines.map(({ address }) => `${address}:${PORT}`).join(',')}/postgres`

export async function startPrimary(dataDir: string, address = ownAddress()): Promise<PairedEngine> {
  mkdirSync(path.dirname(dataDir), { recursive: true })
  const settings = { listen_addresses: address, wal_keep_size: '512MB', wal_retrieve_retry_interval: '100ms' }
  const engine = await startEmbeddedPostgres({ dataDir, log: () => {}, settings })
  return Object.assign(engine, { address, dataDir })
}

/** Copies the primary and lets the copy follow it. Resolves when it has caught up. */
export async function startStandby(
  primary: PairedEngine,
  dataDir: string,
  { synchronous, address }: { synchronous: boolean; address?: string },
): Promise<PairedEngine> {
  return on(primary, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`)
    const own = await copyCluster(primary.dataDir, dataDir)
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)')
    own('backup_label', rows[0]!.label)
    own('standby.signal', '')
    own('postgresql.auto.conf', `primary_conninfo = '${conninfoTo(primary.address)}'\n`)
    const standby = await startPrimary(dataDir, address)
    await following(client)
    if (synchronous) {
      await client.query(`alter system set synchronous_standby_names = '${STANDBY}'`)
      await client.query('select pg_reload_conf()')
      await following(client, 'sync')
    }
    return standby
  })
}

const conninfoTo = (address: string): string =>
  `host=${address} port=${PORT} user=chaabi_owner application_name=${STANDBY}`

export const promote = (standby: PairedEngine): Promise<unknown> =>
  on(standby, (client) => client.query('select pg_promote(true, 30)'))

/** The standby hears of nothing more. What its primary had sent is lost too, because the receiver ends. */
export const cutReceiver = (standby: PairedEngine): Promise<unknown> =>
  on(standby, async (client) => {
    await client.query(`alter system set primary_conninfo = '${conninfoTo(NOWHERE)}'`)
    await client.query('select pg_reload_conf()')
  })

/** Ends all processes of the engine, as a power failure does. It is not started again. */
export async function crash(engine: PairedEngine): Promise<void> {
  const postmaster = Number.parseInt(readFileSync(path.join(engine.dataDir, 'postmaster.pid'), 'utf8'), 10)
  const name = /cluster_name=([\w-]+)/.exec(readFileSync(`/proc/${postmaster}/cmdline`, 'utf8'))?.[1] ?? ''
  const stopping = engine.stop()
  for (const pid of serverProcesses(name)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has just ended
    }
  }
  await stopping
}

async function on<T>({ host, port, user, database }: EmbeddedPostgres, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ host, port, user, database })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function following(primary: pg.Client, state = '.*'): Promise<void> {
  for (const since = performance.now(); performance.now() - since < FOLLOWING_MS_MAX; await sleep(50)) {
    const { rowCount } = await primary.query(
      `select from pg_stat_replication where state = 'streaming' and sync_state ~ $1`,
      [state],
    )
    if (rowCount) return
  }
  throw new Error('The standby does not follow its primary')
}

/** The files of a run, and the log, which the standby asks for. */
const LEFT_OUT = /\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|postgresql\.auto\.conf)$/

/** @returns a function that writes a file of the copy */
async function copyCluster(from: string, to: string): Promise<(name: string, text: string) => void> {
  const { postgres } = await findPrograms()
  const account = await chooseAccount(from, postgres, undefined)
  rmSync(to, { recursive: true, force: true })
  mkdirSync(path.dirname(to), { recursive: true })
  privateDirectory(to, account)
  cpSync(from, to, { recursive: true, filter: (file) => !LEFT_OUT.test(file) })
  const own = (name: string) => {
    if (account.ids) chownSync(path.join(to, name), account.ids.uid, account.ids.gid)
  }
  for (const name of readdirSync(to, { recursive: true })) own(String(name))
  return (name, text) => {
    writeFileSync(path.join(to, name), text, { mode: 0o600 })
    own(name)
  }
}
