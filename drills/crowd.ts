/** Starts the buyers' process, and compares their records with the store's. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { sql, type Database } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import type { BuyersOptions, BuyersReport } from './buyers.ts'
import { newDirectory } from './drill.ts'
import { PRICE_PAISE, type DrillShop } from './seed.ts'
import { endLater } from './store-process.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

export interface Crowd {
  acknowledgedFile: string
  /** Stops after every running order has its answer. */
  stop(): Promise<BuyersReport>
  /** Resolves when it ends without `stop`. */
  ended: Promise<BuyersReport>
}

export function startCrowd(options: Omit<BuyersOptions, 'acknowledgedFile'>, directories: string[]): Crowd {
  const directory = newDirectory(directories)
  const acknowledgedFile = path.join(directory, 'acknowledged.txt')
  writeFileSync(acknowledgedFile, '')
  const { child, ended } = runApart<BuyersReport>(
    'buyers',
    { ...options, acknowledgedFile } satisfies BuyersOptions,
    directory,
  )
  return {
    acknowledgedFile,
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Runs a program of the drills in a process of its own, which prints its report at the end. */
export function runApart<Report>(name: 'buyers' | 'listeners', options: object, directory: string) {
  const optionsFile = path.join(directory, 'options.json')
  writeFileSync(optionsFile, JSON.stringify(options))
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(ROOT, `drills/${name}.ts`), optionsFile], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (part: string) => (output += part))
  const ended = new Promise<Report>((resolve, reject) => {
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as Report)
      else reject(new Error(`The ${name} ended with code ${code}`))
    })
  })
  ended.catch(() => {})
  endLater(async () => void (child.exitCode === null && child.kill('SIGKILL')))
  return { child, ended }
}

export interface Comparison {
  stored: number
  /** Acknowledged, but absent from the books, or there under another id or user. */
  lost: number
  /** In the books, but never acknowledged. */
  unknown: number
  /** More than one order under a key. */
  double: number
  /** Buyers whose balance is not what they had, less the price of each order that was confirmed. */
  mischarged: number
  /** Licence keys that more than one order got. */
  soldTwice: number
  /** Invariants that do not hold. */
  broken: string[]
}

const OrderRow = z.object({ id: z.string(), key: z.nullable(z.string()), userId: z.string() })
const WalletRow = z.object({ userId: z.string(), balance: z.number() })

/** Compares the buyers' records with the store's. */
export async function compare(db: Database, acknowledgedFile: string, shop: DrillShop): Promise<Comparison> {
  const orders = await db.rows(
    sql(OrderRow)`select id, idempotency_key as key, user_id from orders where product_id = ${shop.productId}`,
  )
  const wallets = await db.rows(sql(WalletRow)`
    select user_id, balance_paise as balance from wallets
     where user_id = any(${shop.buyers.map(({ id }) => id)}::uuid[])`)
  const stored = new Map(orders.map((order) => [order.key, order]))
  const acknowledged = new Set<string>()
  const toldTo = new Map<string, string>()
  const due = new Map(shop.buyers.map(({ id }) => [id, shop.balancePaise]))
  let lost = 0
  let soldTwice = 0
  for (const line of readFileSync(acknowledgedFile, 'utf8').split('\n').filter(Boolean)) {
    const [key = '', orderId = '', texts = '', userId = ''] = line.split(' ')
    acknowledged.add(key)
    due.set(userId, (due.get(userId) ?? 0) - PRICE_PAISE)
    const order = stored.get(key)
    if (order?.id !== orderId || order?.userId !== userId) lost++
    for (const text of texts.split(',')) {
      if ((toldTo.get(text) ?? orderId) !== orderId) soldTwice++
      toldTo.set(text, orderId)
    }
  }
  const broken = await findBroken(db, path.join(ROOT, 'server/migrations'))
  return {
    stored: orders.length,
    lost,
    unknown: orders.filter(({ key }) => key === null || !acknowledged.has(key)).length,
    double: orders.length - stored.size,
    mischarged: wallets.filter(({ userId, balance }) => due.get(userId) !== balance).length,
    soldTwice,
    broken: broken.map((each) => each.invariant),
  }
}

/** Transactions that the store began and left where they were. One at work is idle for a moment, too. */
export function countOpen(db: Database): Promise<number> {
  return db.count(sql`
    select count(*) from pg_stat_activity
     where application_name = 'chaabi' and pid <> pg_backend_pid() and state like 'idle in transaction%'
       and state_change < clock_timestamp() - interval '300 ms'`)
}

export const holds = (found: Comparison): boolean =>
  [found.lost, found.unknown, found.double, found.mischarged, found.soldTwice, found.broken.length].every(
    (count) => count === 0,
  )

export function inWords(found: Comparison): string {
  const broken = found.broken.length > 0 ? `: ${found.broken.join('; ')}` : ''
  return (
    `lost ${found.lost}, double ${found.double}, half ${found.broken.length}, without an answer ${found.unknown}, ` +
    `buyers charged wrongly ${found.mischarged}, keys handed out twice ${found.soldTwice} ` +
    `(${found.stored} orders stored)${broken}`
  )
}

/** @param refusals how many buyers had to be refused */
export function failuresOf(report: BuyersReport, { refusals = 0 }: { refusals?: number } = {}): number {
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0)
  return (
    report.failed +
    report.contradicted +
    report.unavailableWithoutRetryAfter +
    sum(report.unexpected) +
    Math.abs(sum(report.refused) - refusals)
  )
}

export function answersInWords(report: BuyersReport): string {
  const refused = Object.entries(report.refused).map(([code, count]) => `${code} ${count}`)
  const unexpected = Object.entries(report.unexpected).map(([what, count]) => `${count} × ${what}`)
  return [
    `${report.sent} requests, ${report.acknowledged} purchases acknowledged, 503 ${report.unavailable} (without ` +
      `Retry-After ${report.unavailableWithoutRetryAfter}), cut off ${report.cutOff}`,
    ...(refused.length > 0 ? [refused.join(', ')] : []),
    `failed ${report.failed}, contradicted ${report.contradicted}, unexpected ` +
      `${unexpected.length === 0 ? 0 : unexpected.join(' | ')}`,
    `p50 ${Math.round(report.p50Ms)} ms, p99 ${Math.round(report.p99Ms)} ms, longest ` +
      `${Math.round(report.longestMs)} ms, longest 503 ${Math.round(report.longestUnavailableMs)} ms`,
  ].join('; ')
}
