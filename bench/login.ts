/**
 * Logging in costs a password check by design and should cost nothing beside it; and a storm of logins leaves
 * buyers alone.
 */
import { fork } from 'node:child_process'
import path from 'node:path'
import { hashPassword } from '../server/platform/passwords/passwords.ts'
import type { Load } from './http-load.ts'
import type { Bench } from './report.ts'
import { expectOnly, startBenchStore, useLog, type BenchStore } from './running-store.ts'
import { buyerCookie, seedBuyers, seedCatalogue, purchase } from './seed.ts'

const BUYERS = 200
/** The others log in, which ends the session that they came with. */
const WHO_BUY = 100
const PRODUCTS = 20
const PASSWORD = 'a bench buyer key'
const LOGIN_CONNECTIONS = 32
/** An everyday hour, far from the peak: what is asked is whether logins slow it down. */
const PURCHASES = { connections: 8, everyMs: 40 }

export const bench: Bench = {
  title: 'Logins, and purchases during a storm of them',
  seconds: 3,
  async measure({ runs, seconds }, report) {
    const forMs = seconds * 1_000
    const hash = await hashPassword(PASSWORD)
    const store = await startBenchStore(async (db) => {
      await seedBuyers(db, BUYERS, hash)
      await seedCatalogue(db, { from: 0, count: PRODUCTS, stock: 2_000 })
      await useLog(db)
    })
    try {
      const raw: number[] = []
      const logins: number[] = []
      const quiet: number[] = []
      const stormy: number[] = []
      await buy(store, 1_000)
      for (let run = 0; run < runs; run++) {
        raw.push(await rawHashes(forMs))
        const alone = await store.load({ connections: LOGIN_CONNECTIONS, everyMs: 0, forMs, requests: loginRequests() })
        expectOnly('200', alone)
        logins.push(alone.perSecond)
        quiet.push(await buy(store, forMs))
        const storm = store.load({
          connections: LOGIN_CONNECTIONS,
          everyMs: 0,
          forMs: forMs + 1_000,
          requests: loginRequests(),
        })
        stormy.push(await buy(store, forMs))
        await storm
      }
      report.add({
        what: `logins, ${LOGIN_CONNECTIONS} at once`,
        unit: '/s',
        values: logins,
        yardstick: { what: 'raw argon2, as many at once as the store does', values: raw },
        goal: { atLeast: 0.9 },
      })
      report.add({
        what: 'p99 of a purchase during the storm',
        unit: 'ms',
        values: stormy,
        yardstick: { what: 'quiet', values: quiet },
        goal: { atMost: 2 },
      })
    } finally {
      await store.stop()
    }
  },
}

/** @returns the p99 in milliseconds */
async function buy(store: BenchStore, forMs: number): Promise<number> {
  const requests = Array.from({ length: WHO_BUY }, (_, n) => purchase(n, n % PRODUCTS))
  const result = await store.load({ ...PURCHASES, forMs, requests })
  expectOnly('200', result)
  return result.p99
}

function loginRequests(): Load['requests'] {
  return Array.from({ length: BUYERS - WHO_BUY }, (_, n) => ({
    method: 'POST',
    path: '/api/auth/login',
    // The device's cookie, without which the one-device rule would turn the second login away
    cookie: buyerCookie(WHO_BUY + n),
    body: JSON.stringify({ username: `bench${WHO_BUY + n + 1}`, password: PASSWORD }),
  }))
}

function rawHashes(forMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, 'raw-hashes.ts'), [], { execArgv: ['--import', 'tsx'] })
    child.once('message', (perSecond) => resolve(perSecond as number))
    child.once('error', reject)
    child.send(forMs)
  })
}
