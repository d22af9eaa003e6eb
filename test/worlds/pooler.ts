/** A real PgBouncer before an engine, where it is installed. */
import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../scripts/store-process.ts'
import type { PairedEngine } from './engine-pair.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const READY_MS_MAX = 10_000
/** It refuses to run as root. */
const NOBODY = 65_534

export const hasPooler = existsSync(PROGRAM)

/** @returns the connection string through it, and what ends it */
export async function startPooler(
  directory: string,
  engine: PairedEngine,
  { mode, ignored }: { mode: string; ignored: string },
): Promise<{ url: string; end(): void }> {
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const port = await freePort()
  const file = path.join(directory, `pgbouncer-${port}.ini`)
  const users = path.join(directory, 'users.txt')
  writeFileSync(users, '"chaabi_owner" ""\n')
  writeFileSync(
    file,
    `[databases]
postgres = host=${engine.address} port=5432
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
${ignored && `ignore_startup_parameters = ${ignored}`}
`,
  )
  const ids = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if ('uid' in ids) for (const each of [file, users]) chownSync(each, NOBODY, NOBODY)
  const child = spawn(PROGRAM, ['-q', file], { stdio: ['ignore', 'ignore', 'inherit'], ...ids })
  const end = () => void (child.exitCode === null && child.kill('SIGKILL'))
  const url = `postgres://chaabi_owner@127.0.0.1:${port}/postgres`
  for (const since = performance.now(); performance.now() - since < READY_MS_MAX; await sleep(50)) {
    const client = new pg.Client(url)
    client.on('error', () => {})
    const isReady = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isReady) return { url, end }
  }
  end()
  throw new Error('PgBouncer does not start')
}
