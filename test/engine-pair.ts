/** Two engines of this machine: a primary, and a standby that was copied from it and follows it. */
import { chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { findPrograms, privateDirectory } from '../server/platform/engine/postgres-cluster.ts'
import { chooseAccount } from '../server/platform/engine/postgres-identity.ts'

const PORT = 5432
const STANDBY = 'chaabi_standby'

export interface PairedEngine extends EmbeddedPostgres {
  /** An address of the loopback network that is this engine's alone. */
  readonly address: string
  readonly dataDir: string
}

const ownAddress = (): string => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`

export const urlOf = (...engines: Pick<PairedEngine, 'address'>[]): string =>
  `postgres://chaabi_owner@${engines.map(({ address }) => `${address}:${PORT}`).join(',')}/postgres`

/** @param settings over the usual ones */
export async function startPrimary(dataDir: string, settings: Record<string, string> = {}): Promise<PairedEngine> {
  return start(dataDir, settings)
}

async function start(dataDir: string, settings: Record<string, string>): Promise<PairedEngine> {
  const address = ownAddress()
  mkdirSync(path.dirname(dataDir), { recursive: true })
  const engine = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { listen_addresses: address, max_wal_senders: '10', ...settings },
  })
  return Object.assign(engine, { address, dataDir })
}

/** Copies the primary and lets the copy follow it. Resolves when it has caught up. */
export async function startStandby(
  primary: PairedEngine,
  dataDir: string,
  { synchronous, settings = {} }: { synchronous: boolean; settings?: Record<string, string> },
): Promise<PairedEngine> {
  const client = await connectTo(primary)
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    await copyCluster(primary.dataDir, dataDir)
    const { rows } = await client.query<{ label: string }>(`select labelfile as label from pg_backup_stop(false)`)
    const account = await accountOf(primary.dataDir)
    for (const [name, text] of [
      ['backup_label', rows[0]!.label],
      ['standby.signal', ''],
    ] as const) {
      const file = path.join(dataDir, name)
      writeFileSync(file, text, { mode: 0o600 })
      if (account.ids) chownSync(file, account.ids.uid, account.ids.gid)
    }
    const standby = await start(dataDir, {
      primary_conninfo: `host=${primary.address} port=${PORT} user=chaabi_owner application_name=${STANDBY}`,
      wal_retrieve_retry_interval: '100ms',
      ...settings,
    })
    await following(client)
    if (synchronous) {
      await client.query(`alter system set synchronous_standby_names = '${STANDBY}'`)
      await client.query('select pg_reload_conf()')
      await following(client, 'sync')
    }
    return standby
  } finally {
    await client.end()
  }
}

/** Makes the standby a primary of its own, which waits for no standby. */
export async function promote(standby: PairedEngine): Promise<void> {
  const client = await connectTo(standby)
  try {
    await client.query('select pg_promote(true, 30)')
    await client.query(`alter system reset synchronous_standby_names`)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

export async function connectTo({ host, port, user, database }: EmbeddedPostgres): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user, database })
  client.on('error', () => {})
  await client.connect()
  return client
}

const FOLLOWING_MS_MAX = 30_000

async function following(primary: pg.Client, state = '.*'): Promise<void> {
  for (const since = performance.now(); performance.now() - since < FOLLOWING_MS_MAX;) {
    const { rowCount } = await primary.query(
      `select from pg_stat_replication where state = 'streaming' and sync_state ~ $1`,
      [state],
    )
    if (rowCount) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The standby does not follow its primary')
}

const accountOf = async (dataDir: string) => chooseAccount(dataDir, (await findPrograms()).postgres, undefined)

/** The files of a run, and the log, which the standby asks for. */
const LEFT_OUT = /\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|postgresql\.auto\.conf)$/

async function copyCluster(from: string, to: string): Promise<void> {
  const account = await accountOf(from)
  rmSync(to, { recursive: true, force: true })
  mkdirSync(path.dirname(to), { recursive: true })
  privateDirectory(to, account)
  cpSync(from, to, { recursive: true, filter: (file) => !LEFT_OUT.test(file) })
  const { ids } = account
  if (!ids) return
  const { readdirSync } = await import('node:fs')
  for (const name of ['.', ...readdirSync(to, { recursive: true })])
    chownSync(path.join(to, String(name)), ids.uid, ids.gid)
}
