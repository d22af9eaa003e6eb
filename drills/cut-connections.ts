/** Connections to the database die silently (a cable, a firewall that forgets): one by one, then all together. */
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../server/platform/database/database.ts'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { answersInWords, compare, countOpen, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import { newDirectory, ms, within, type Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import { send } from './send.ts'
import { endLater, startStore } from './store-process.ts'

const PAGES = 32
const HISTORY = '/api/auth/balance-history'
const ANSWER_MS_MAX = 3_000
const RECOVERY_MS_MAX = 2_000
/** The time that the scheduler may add on a busy machine. */
const TOLERANCE_MS = 300

export const drill: Drill = async ({ quick, directories }) => {
  const cuts = quick ? 3 : 20
  const cutsOfAll = quick ? 1 : 5
  const dataDir = newDirectory(directories)
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), log: () => {} })
  endLater(() => postgres.stop())
  const network = await openNetwork(path.join(postgres.host, `.s.PGSQL.${postgres.port}`))
  endLater(async () => network.close())
  const store = await startStore({
    dataDir,
    databaseUrl: `postgres://${postgres.user}@127.0.0.1:${network.port}/${postgres.database}`,
  })
  const direct = () =>
    openDatabase({
      connection: { host: postgres.host, port: postgres.port, user: postgres.user, database: postgres.database },
      poolSize: 2,
    })
  const db = direct()
  const shop = await seedShop(db, await store.sealer(), { buyers: 32, keys: 60_000, balancePaise: 100_000_000 })
  const crowd = startCrowd({ port: store.port, ...shop, again: true }, directories)
  await sleep(1_500)

  for (let n = 0; n < cuts; n++) {
    network.cutOne()
    await sleep(1_000)
  }
  const backMs: number[] = []
  let lines = 0
  for (let n = 0; n < cutsOfAll; n++) {
    // Pages that are asked for together take more than the one connection that purchases share
    const pages = Array.from({ length: PAGES }, (_, page) =>
      send({ port: store.port, method: 'GET', path: HISTORY, cookie: shop.buyers[page]?.cookie ?? '' }),
    )
    await Promise.allSettled(pages)
    // The store still checks a dead one, over another connection
    network.cutOne()
    await sleep(600 + Math.random() * 900)
    lines = Math.max(lines, network.cutAll())
    backMs.push(await store.untilHealthy())
    await sleep(4_000)
  }
  const report = await crowd.stop()
  const found = await compare(db, crowd.acknowledgedFile, shop)
  const open = await countOpen(db)
  await db.close()
  await store.stop()
  network.close()
  await postgres.stop()
  const worst = Math.max(...backMs)
  return {
    passed:
      holds(found) &&
      failuresOf(report) === 0 &&
      report.cutOff === 0 &&
      report.unavailable > 0 &&
      open === 0 &&
      report.longestUnavailableMs <= within(ANSWER_MS_MAX, { quick }) + TOLERANCE_MS &&
      worst <= within(RECOVERY_MS_MAX, { quick }),
    figures: [
      `${cuts} connections that were at work cut without a word, then all, up to ${lines}, at once ${cutsOfAll} ` +
        `times: ${inWords(found)}`,
      answersInWords(report),
      `healthy ${backMs.map(ms).join(', ')} after each cut of all, transactions left open ${open}`,
    ],
    proved: 'a connection that dies without a word costs its callers a 503 in time, and never a purchase.',
    cannotProve: 'a network that loses some packets of many; these lines are dead or whole.',
  }
}

interface Line {
  alive: boolean
  passedAt: number
}

/** A network whose lines can be cut so that neither end learns of it. */
async function openNetwork(
  socketPath: string,
): Promise<{ port: number; cutOne(): void; cutAll(): number; close(): void }> {
  const lines = new Set<Line>()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(socketPath)
    const line: Line = { alive: true, passedAt: performance.now() }
    lines.add(line)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (data) => {
        if (!line.alive) return
        line.passedAt = performance.now()
        to.write(data)
      })
      from.on('close', () => {
        sockets.delete(from)
        if (!line.alive) return
        lines.delete(line)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    /** The one that was used last. */
    cutOne() {
      const [busiest] = [...lines].toSorted((a, b) => b.passedAt - a.passedAt)
      if (!busiest) return
      busiest.alive = false
      lines.delete(busiest)
    },
    cutAll() {
      const count = lines.size
      for (const line of lines) line.alive = false
      lines.clear()
      return count
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
