/** Starts the buyers' process, and compares what they wrote down with what the store kept. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { sql, type Database } from '../server/platform/database.ts'
import { findBroken } from '../server/platform/invariants.ts'
import type { BuyersOptions, BuyersReport } from './buyers.ts'
import { endLater } from './store-process.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

export interface Crowd {
  acknowledgedFile: string
  /** Lets every order under way come to its answer. */
  stop(): Promise<BuyersReport>
  /** Resolves when it has ended by itself. */
  ended: Promise<BuyersReport>
}

export function startCrowd(options: Omit<BuyersOptions, 'acknowledgedFile'>, directories: string[]): Crowd {
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-crowd-'))
  directories.push(directory)
  const acknowledgedFile = path.join(directory, 'acknowledged.txt')
  const optionsFile = path.join(directory, 'options.json')
  writeFileSync(acknowledgedFile, '')
  writeFileSync(optionsFile, JSON.stringify({ ...options, acknowledgedFile } satisfies BuyersOptions))
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(ROOT, 'drills/buyers.ts'), optionsFile], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (part: string) => (output += part))
  const ended = new Promise<BuyersReport>((resolve, reject) => {
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as BuyersReport)
      else reject(new Error(`The buyers ended with code ${code}`))
    })
  })
  ended.catch(() => {})
  endLater(async () => void (child.exitCode === null && child.kill('SIGKILL')))
  return {
    acknowledgedFile,
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

export interface Comparison {
  stored: number
  /** Acknowledged, and not in the books, or there under another id or user. */
  lost: number
  /** In the books, and nobody was told. */
  unknown: number
  /** More than one order under a key. */
  double: number
  /** Invariants that do not hold. */
  broken: string[]
}

const OrderRow = z.object({ id: z.string(), key: z.string(), userId: z.string() })

/** @param migrations the directory of invariants.sql */
export async function compare(db: Database, acknowledgedFile: string, productId: string): Promise<Comparison> {
  const orders = await db.rows(
    OrderRow,
    sql`select id, idempotency_key as key, user_id as "userId" from orders where product_id = ${productId} and idempotency_key is not null`,
  )
  const stored = new Map(orders.map((order) => [order.key, order]))
  const acknowledged = new Set<string>()
  let lost = 0
  for (const line of readFileSync(acknowledgedFile, 'utf8').split('\n').filter(Boolean)) {
    const [key = '', orderId, userId] = line.split(' ')
    acknowledged.add(key)
    const order = stored.get(key)
    if (order?.id !== orderId || order?.userId !== userId) lost++
  }
  const broken = await findBroken(db, path.join(ROOT, 'server/migrations'))
  return {
    stored: orders.length,
    lost,
    unknown: orders.filter((order) => !acknowledged.has(order.key)).length,
    double: orders.length - stored.size,
    broken: broken.map((each) => each.invariant),
  }
}

/** Transactions that the store began and left where they were. */
export async function countOpen(db: Database): Promise<number> {
  const { open } = await db.one(
    z.object({ open: z.number() }),
    sql`
    select count(*) as open from pg_stat_activity
     where application_name = 'chaabi' and pid <> pg_backend_pid() and state like 'idle in transaction%'`,
  )
  return open
}

export const holds = (found: Comparison): boolean =>
  found.lost === 0 && found.unknown === 0 && found.double === 0 && found.broken.length === 0

export function inWords(found: Comparison): string {
  return `lost ${found.lost}, double ${found.double}, half ${found.broken.length}, without an answer ${found.unknown} (${found.stored} orders stored)${
    found.broken.length > 0 ? `: ${found.broken.join('; ')}` : ''
  }`
}

export function failuresOf(report: BuyersReport): number {
  return (
    report.failed +
    report.contradicted +
    report.unavailableWithoutRetryAfter +
    Object.values(report.unexpected).reduce((sum, count) => sum + count, 0)
  )
}

export function answersInWords(report: BuyersReport): string {
  const refused = Object.entries(report.refused).map(([code, count]) => `${code} ${count}`)
  const unexpected = Object.entries(report.unexpected).map(([what, count]) => `${count} × ${what}`)
  return [
    `${report.sent} requests, ${report.acknowledged} purchases acknowledged, 503 ${report.unavailable} (without Retry-After ${report.unavailableWithoutRetryAfter}), cut off ${report.cutOff}`,
    ...(refused.length > 0 ? [refused.join(', ')] : []),
    `failed ${report.failed}, contradicted ${report.contradicted}, unexpected ${unexpected.length === 0 ? 0 : unexpected.join(' | ')}`,
    `p50 ${Math.round(report.p50Ms)} ms, p99 ${Math.round(report.p99Ms)} ms, longest ${Math.round(report.longestMs)} ms, longest 503 ${Math.round(report.longestUnavailableMs)} ms`,
  ].join('; ')
}
