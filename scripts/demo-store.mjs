// The demo store as its owner runs it, for measuring what a person gets: a process, a directory and a port of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = path.resolve(import.meta.dirname, '..')
const START_MAX_MS = 120_000
const LOGINS = {
  buyer: { path: '/auth/login', body: { username: 'aarav', password: 'demo-buyer-key' } },
  admin: { path: '/admin/login', body: { username: 'admin', password: 'demo-admin-key' } },
}

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startDemoStore() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'chaabi-pages-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, ['scripts/run.mjs', 'demo'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
  for (const until = Date.now() + START_MAX_MS; ; await sleep(200)) {
    const isUp = await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isUp) return { url, stop }
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error('The store did not start')
    }
  }
}

/**
 * @param {string} url
 * @param {'buyer' | 'admin'} who
 * @returns {Promise<string>} the cookies of the session, as a header
 */
export async function logInToDemo(url, who) {
  const { path: where, body } = LOGINS[who]
  const answer = await fetch(`${url}/api${where}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`Login failed: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}
