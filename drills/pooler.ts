/** The store is started through a pooler, in both of its modes. Skipped where PgBouncer is not installed. */
import { chownSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../scripts/store-process.ts'
import { startPrimary, urlOf, type PairedEngine } from '../test/worlds/engine-pair.ts'
import { ms, type Drill } from './drill.ts'
import { endLater, runStore } from './store-process.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const REFUSED_MS_MAX = 5_000
const READY_MS_MAX = 10_000
const WORDS = /leads through a pooler .* Name the server itself: a node needs 20 connections\./
/** It refuses to run as root. */
const NOBODY = 65_534

export const drill: Drill = async ({ directories }) => {
  const about = {
    proved: 'a pooler is refused in words before the store works on it.',
    cannotProve: 'poolers other than PgBouncer.',
  }
  if (!existsSync(PROGRAM)) return { passed: true, skipped: true, figures: ['PgBouncer is not installed'], ...about }
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-drill-'))
  directories.push(directory)
  const engine = await startPrimary(path.join(directory, 'a/postgres'))
  endLater(() => engine.stop())
  const figures: string[] = []
  let passed = true
  for (const mode of ['transaction', 'session'])
    for (const ignored of ['', 'options']) {
      const port = await startPooler(
        path.join(tmpdir(), `chaabi-pooler-${process.pid}`),
        engine,
        mode,
        ignored,
        directories,
      )
      const url = `postgres://chaabi_owner@127.0.0.1:${port}/postgres`
      const { code, tookMs, output } = await runStore('start', url, path.join(directory, 'store'))
      passed &&= code === 1 && WORDS.test(output) && tookMs <= REFUSED_MS_MAX
      figures.push(
        `${mode} mode, ignore_startup_parameters=${ignored || '(none)'}: exit code ${code} after ${ms(tookMs)}: ` +
          output.trim(),
      )
    }
  const direct = await runStore('doctor', urlOf(engine), path.join(directory, 'store'))
  await engine.stop()
  figures.push(`without it: exit code of the doctor ${direct.code}`)
  return { passed: passed && direct.code === 0, figures, ...about }
}

async function startPooler(
  directory: string,
  engine: PairedEngine,
  mode: string,
  ignored: string,
  directories: string[],
): Promise<number> {
  directories.push(directory)
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
  endLater(async () => void (child.exitCode === null && child.kill('SIGKILL')))
  for (const since = performance.now(); performance.now() - since < READY_MS_MAX; await sleep(50)) {
    const client = new pg.Client(`postgres://chaabi_owner@127.0.0.1:${port}/postgres`)
    client.on('error', () => {})
    const isReady = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isReady) return port
  }
  throw new Error('PgBouncer does not start')
}
