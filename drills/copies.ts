/**
 * Backups are made and copied to a bucket while buyers buy. They are killed at random moments, and the bucket breaks
 * calls off, sends halves and is busy. Each copy that the store called proven must restore from the bucket alone.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { findBroken } from '../server/platform/database/invariants.ts'
import { sql, type Database } from '../server/platform/database/database.ts'
import { BUCKET, fault, KEYS, startS3Server, type S3Server } from '../test/worlds/s3-server.ts'
import { startCrowd } from './crowd.ts'
import { seededDice } from './dice.ts'
import { newDirectory, type Drill, type DrillOptions } from './drill.ts'
import { seedShop } from './seed.ts'
import { command, endLater, startStore } from './store-process.ts'

const PLACE = `s3://${BUCKET}/drill`
const ROUNDS = 15
const ROUNDS_QUICK = 6
/** One of this many backups is not killed. */
const LET_THROUGH = 3
/** A backup is killed within this share of the time that a whole one takes. */
const SHARE_MAX = 1.2

export const drill: Drill = async (options) => {
  const { quick, count, directories, say } = options
  const rounds = count ?? (quick ? ROUNDS_QUICK : ROUNDS)
  const seed = Date.now() % 1_000_000
  const throwDice = seededDice(seed)
  const bucket = await startS3Server()
  endLater(async () => bucket.stop())
  const environment = {
    BACKUP_COPY_TO: PLACE,
    BACKUP_PASSPHRASE: 'a drill passphrase',
    AWS_ENDPOINT_URL: bucket.endpoint,
    AWS_REGION: 'ap-south-1',
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  }
  const store = await startStore({ directories, environment })
  const db = store.database()
  const shop = await seedShop(db, await store.sealer(), {
    buyers: 8,
    keys: quick ? 5_000 : 60_000,
    balancePaise: 100_000_000,
  })
  const crowd = startCrowd({ port: store.port, ...shop, again: true, pauseMs: 100 }, directories)

  /** The orders that were there before each proven copy was begun. */
  const proven = new Map<string, number>()
  let killed = 0
  let wholeMs = 0
  for (let round = 0; round < rounds; round++) {
    const letThrough = round % LET_THROUGH === 0
    makeTrouble(bucket, throwDice, letThrough)
    const before = await countOrders(db)
    const backup = await command('backup', [], store.dataDir, environment)
    if (!letThrough) {
      await sleep(throwDice(Math.round(wholeMs * SHARE_MAX)))
      kill(backup.pid)
    }
    const { code, tookMs, output } = await backup.ended
    if (code === null) killed++
    if (round === 0 && code !== 0) throw new Error(output.slice(-1_000))
    if (round === 0) wholeMs = tookMs
    for (const file of await readProven(db)) if (!proven.has(file)) proven.set(file, before)
    await sleep(1_000)
  }
  const report = await crowd.stop()
  await db.close()
  await store.stop()
  bucket.trouble = () => undefined

  say(`${killed} of ${rounds} were killed; each of the ${proven.size} proven copies is restored into an empty place`)
  const faults: string[] = []
  for (const [file, orders] of proven) {
    const said = await restoreFrom(file, orders, environment, options)
    if (said !== undefined) faults.push(`FAULT ${file}: ${said}`)
  }
  return {
    passed: faults.length === 0 && proven.size >= Math.ceil(rounds / LET_THROUGH) && killed > 0,
    figures: [
      `${rounds} backups to a bucket with troubles, ${killed} killed (seed ${seed}): ${proven.size} copies called ` +
        `proven, ${proven.size - faults.length} restored with all that was sold before them; ` +
        `${report.acknowledged} purchases meanwhile`,
      ...faults,
    ],
    proved: 'a copy counts only when it is whole, whatever was killed and whatever the bucket did.',
    cannotProve: 'a service that loses what it has kept; the bucket is a test’s own, which checks each signature.',
  }
}

/** @param mild only what passes when it is tried again */
function makeTrouble(bucket: S3Server, throwDice: (sides: number) => number, mild: boolean): void {
  let last = false
  bucket.trouble = ({ method }) => {
    const thrown = throwDice(mild ? 10 : 5)
    // Not twice, so that the next try of the same call is let through
    if (thrown > 1 || (mild && last)) return void (last = false)
    last = true
    if (thrown === 0) return fault(503, 'SlowDown')
    return method === 'GET' ? 'half' : 'reset'
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already
  }
}

const countOrders = (db: Database): Promise<number> => db.count(sql`select count(*) from orders`)
const File = z.object({ file: z.string() })
const readProven = async (db: Database): Promise<string[]> =>
  (await db.rows(sql(File)`select file from backups where copied_to = ${PLACE}`)).map(({ file }) => file)

/** @returns what is wrong, if anything is */
async function restoreFrom(
  file: string,
  orders: number,
  environment: Record<string, string>,
  { directories }: DrillOptions,
): Promise<string | undefined> {
  const dataDir = newDirectory(directories)
  const restored = await (await command('restore', ['--from', PLACE, file], dataDir, environment)).ended
  if (restored.code !== 0) return restored.output.slice(-1_000)
  const store = await startStore({ dataDir, environment })
  const db = store.database()
  const found = await countOrders(db)
  const broken = await findBroken(db, path.resolve(import.meta.dirname, '../server/migrations'))
  await db.close()
  await store.stop()
  if (found < orders) return `${found} of ${orders} orders`
  return broken.length === 0 ? undefined : JSON.stringify(broken)
}
