/** The disk of the database is full for five seconds (a small tmpfs; needs root). */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import { ms, type Drill } from './drill.ts'
import { receiptOf } from './buyers.ts'
import { seedShop, type DrillShop } from './seed.ts'
import { send } from './send.ts'
import { endLater, startStore } from './store-process.ts'

const DISK_MB = 220
const FULL_MS = 5_000
const BLOCK = Buffer.alloc(256 * 1024)
const ANSWER_MS_MAX = 3_300
const RECOVERY_MS_MAX = 10_000

export const drill: Drill = async ({ say, directories }) => {
  const disk = mkdtempSync(path.join(tmpdir(), 'chaabi-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk], { stdio: 'pipe' })
  } catch (error) {
    rmSync(disk, { recursive: true })
    return {
      passed: true,
      skipped: true,
      figures: [`SKIPPED: no small disk can be mounted here (${(error as Error).message.trim()})`],
      proved: 'anything: it was skipped.',
      cannotProve: 'anything without root.',
    }
  }
  const unmount = () => execFileSync('umount', ['-l', disk], { stdio: 'pipe' })
  chmodSync(disk, 0o755)
  endLater(async () => {
    try {
      unmount()
    } catch {
      // Unmounted already
    }
  })
  const store = await startStore({ dataDir: disk })
  directories.push(disk)
  const before = store.database()
  const shop = await seedShop(before, await store.sealer(), { buyers: 16, keys: 20_000, balancePaise: 100_000_000 })
  await before.close()
  const { pid } = store
  const crowd = startCrowd({ port: store.port, ...shop, buyers: shop.buyers.slice(1), again: true }, directories)
  await sleep(1_500)
  const ballast = path.join(disk, 'ballast')
  const { reads, health } = await fillFor(FULL_MS, ballast, store.port)
  rmSync(ballast)
  say('the disk has room again')
  const began = performance.now()
  const recoveredMs = await firstPurchase(store.port, shop, crowd.acknowledgedFile, began)
  await sleep(1_000)
  const report = await crowd.stop()
  const db = store.database()
  const found = await compare(db, crowd.acknowledgedFile, shop)
  await db.close()
  const lived = store.alive && store.pid === pid
  await store.stop()
  unmount()
  return {
    passed:
      holds(found) &&
      failuresOf(report) === 0 &&
      report.unavailable > 0 &&
      report.longestUnavailableMs <= ANSWER_MS_MAX &&
      reads.answered > 0 &&
      reads.refused === 0 &&
      [...health].every((status) => status === 503) &&
      lived &&
      recoveredMs <= RECOVERY_MS_MAX,
    figures: [
      `disk of ${DISK_MB} MB full for ${FULL_MS / 1_000} s: ${inWords(found)}`,
      answersInWords(report),
      `reads meanwhile: ${reads.answered} answered, ${reads.refused} not; health said ` +
        `${[...health].join(', ')}; selling again ${ms(recoveredMs)} after there was room; ` +
        `the server process ${lived ? 'lived on' : 'DIED'}`,
    ],
    proved: 'a full disk costs 503s and never a purchase, and the store recovers without a hand.',
    cannotProve:
      'a disk that lies or fails to write; and that anybody noticed: `npm run doctor` warns before it is full.',
  }
}

/** Fills the disk with a file, and asks the store. @returns what was answered, and what the health said */
async function fillFor(forMs: number, ballast: string, port: number) {
  const until = performance.now() + forMs
  const reads = { answered: 0, refused: 0 }
  const health = new Set<number | undefined>()
  const file = openSync(ballast, 'w')
  while (performance.now() < until) {
    try {
      for (;;) writeSync(file, BLOCK)
    } catch {
      // Full
    }
    const answer = await send({ port: port, method: 'GET', path: '/api/settings/version' }).catch(() => undefined)
    if (answer?.status === 200) reads.answered++
    else reads.refused++
    health.add((await send({ port: port, method: 'GET', path: '/api/health' }).catch(() => undefined))?.status)
    await sleep(50)
  }
  closeSync(file)
  return { reads, health }
}

/** A purchase of our own, tried again and again. @returns milliseconds until it was answered */
async function firstPurchase(port: number, shop: DrillShop, acknowledgedFile: string, began: number): Promise<number> {
  const [buyer] = shop.buyers
  const key = randomUUID()
  const body = JSON.stringify({ productId: shop.productId, duration: shop.duration, quantity: 1 })
  while (performance.now() - began < RECOVERY_MS_MAX) {
    const answer = await send({
      port,
      method: 'POST',
      path: '/api/keys/buy',
      cookie: buyer?.cookie ?? '',
      body,
      headers: { 'idempotency-key': key },
      timeoutMs: 4_000,
    }).catch(() => undefined)
    if (answer?.status === 200) {
      appendFileSync(acknowledgedFile, `${key} ${receiptOf(answer.text)} ${buyer?.id}\n`)
      return performance.now() - began
    }
    await sleep(100)
  }
  return RECOVERY_MS_MAX + 1
}
