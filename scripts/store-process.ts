// The built store as its owner runs it: a process of its own, on a port and in a directory that the caller chooses.
// What measures, breaks or visits a store starts it here.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { get } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = path.resolve(import.meta.dirname, '..')
const HEALTH_MS_MAX = 2_000
const STOP_MS_MAX = 20_000

export interface LaunchOptions {
  port: number
  dataDir: string
  mode?: 'start' | 'demo'
  /** For Node itself: profiling, a module to load first. */
  nodeArguments?: readonly string[]
  /** scripts/run.mjs when absent, which builds first where the build is old. */
  program?: string
  /** The first admin, where there is none yet. */
  admin?: { username: string; password: string }
  /** Over everything else. */
  environment?: Record<string, string | undefined>
  /** Sees nothing of the environment that this process runs in. */
  isolated?: boolean
  /** Runs as this account; as that of the caller when absent. */
  account?: { uid: number; gid: number } | undefined
  /** Where its output goes. When absent, only its errors are shown. */
  stdio?: StdioOptions
}

export interface LaunchedStore {
  readonly child: ChildProcess
  readonly url: string
  readonly pid: number
  readonly alive: boolean
  /** Its exit code, null after a signal. */
  readonly ended: Promise<number | null>
  /** Waits for the first 200 of /api/health. @returns milliseconds. @throws Error when it ends, or takes too long */
  untilHealthy(options?: { withinMs?: number; everyMs?: number }): Promise<number>
  /** SIGTERM, and SIGKILL after 20 s; waits until it is gone. */
  stop(): Promise<{ code: number | null; tookMs: number }>
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>
}

export function launchStore({
  port,
  dataDir,
  mode = 'start',
  nodeArguments = [],
  program = 'scripts/run.mjs',
  admin,
  environment = {},
  isolated = false,
  account,
  stdio = ['ignore', 'ignore', 'inherit'],
}: LaunchOptions): LaunchedStore {
  const child = spawn(process.execPath, [...nodeArguments, program, mode], {
    cwd: ROOT,
    ...account,
    stdio,
    env: {
      ...(isolated ? { PATH: process.env.PATH } : process.env),
      PORT: String(port),
      DATA_DIR: dataDir,
      ...(admin === undefined ? {} : { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password }),
      ...environment,
    },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    get alive() {
      return isAlive()
    },
    ended,
    async untilHealthy({ withinMs = 120_000, everyMs = 100 } = {}) {
      const began = performance.now()
      while (!(await isHealthy(port))) {
        if (!isAlive()) throw new Error(`The store ended with ${child.exitCode ?? child.signalCode}`)
        if (performance.now() - began > withinMs) throw new Error('The store does not become healthy')
        await sleep(everyMs)
      }
      return performance.now() - began
    },
    async stop() {
      const began = performance.now()
      child.kill('SIGTERM')
      const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
      const code = await ended
      clearTimeout(hard)
      return { code, tookMs: performance.now() - began }
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    // No agent: a connection that is kept would be one more to drain
    const asking = get({ host: '127.0.0.1', port, path: '/api/health', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asking.setTimeout(HEALTH_MS_MAX, () => asking.destroy(new Error('no answer in time')))
    asking.on('error', () => resolve(false))
  })
}

/**
 * An admin has then proven who they are, for ten minutes.
 * @returns the cookies of the session, as a header. @throws Error when it is refused
 */
export async function logInAt(
  url: string,
  where: string,
  login: { username: string; password: string },
): Promise<string> {
  const cookies = new Map<string, string>()
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: [...cookies.values()].join('; ') },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`Login failed: ${answer.status} ${await answer.text()}`)
    for (const [pair = ''] of answer.headers.getSetCookie().map((line) => line.split(';')))
      cookies.set(pair.split('=')[0] ?? '', pair)
  }
  await post(where, login)
  if (where === '/admin/login') await post('/admin/step-up', { password: login.password })
  return [...cookies.values()].join('; ')
}

/** @returns the answer's body. @throws Error unless it is a 2xx */
export async function callStore(
  { port }: { port: number },
  { method, path: where, cookie = '', body }: { method: string; path: string; cookie?: string; body?: unknown },
): Promise<any> /* oxlint-disable-line typescript/no-explicit-any -- answers of every shape */ {
  const answer = await fetch(`http://127.0.0.1:${port}/api${where}`, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

/** @returns a port that nobody listens on */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}
