/** An rsync server of this machine, as another machine would run one for copies of backups. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/store-process.ts'

const READY_MS_MAX = 5_000

export const hasRsync = existsSync('/usr/bin/rsync')

/** @param directory for its files */
export async function startRsyncServer(directory: string): Promise<{ address: string; stop(): void }> {
  const port = await freePort()
  const there = path.join(directory, 'there')
  mkdirSync(there, { recursive: true })
  const file = path.join(directory, 'rsyncd.conf')
  const ids = process.getuid?.() === 0 ? 'uid = 0\ngid = 0\n' : ''
  writeFileSync(file, `use chroot = no\n${ids}[shop]\npath = ${there}\nread only = no\n`)
  const listen = [`--port=${port}`, '--address=127.0.0.1', `--config=${file}`]
  const child = spawn('rsync', ['--daemon', '--no-detach', ...listen], { stdio: 'ignore' })
  await untilOpen(port, 'rsync')
  return { address: `rsync://127.0.0.1:${port}/shop`, stop: () => void child.kill() }
}

export async function untilOpen(port: number, name: string): Promise<void> {
  for (const since = performance.now(); !(await isOpen(port)); await sleep(20))
    if (performance.now() - since > READY_MS_MAX) throw new Error(`${name} does not start`)
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(socket.destroy().destroyed)).on('error', () => resolve(false))
  })
