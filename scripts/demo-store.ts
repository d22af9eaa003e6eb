// The demo store as its owner runs it, for measuring what a person gets: a process, a directory and a port of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, launchStore, logInAt } from './store-process.ts'

const START_MS_MAX = 300_000
const LOGINS = {
  buyer: { path: '/auth/login', body: { username: 'aarav', password: 'demo-buyer-key' } },
  admin: { path: '/admin/login', body: { username: 'admin', password: 'demo-admin-key' } },
}

export async function startDemoStore(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'chaabi-pages-'))
  const port = await freePort()
  const store = launchStore({
    port,
    dataDir,
    mode: 'demo',
    environment: { RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'warn' },
  })
  const stop = async () => {
    await store.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    // It may have to be built first, beside other programs
    await store.untilHealthy({ everyMs: 200, withinMs: START_MS_MAX })
    return { url: `http://localhost:${port}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @returns the cookies of the session, as a header */
export function logInToDemo(url: string, who: keyof typeof LOGINS): Promise<string> {
  const { path: where, body } = LOGINS[who]
  return logInAt(url, where, body)
}
