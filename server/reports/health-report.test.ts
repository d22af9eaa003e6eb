import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { DAY_MS } from '../../contract/time.ts'
import { withDatabase } from '../../test/database.ts'
import { runDoctor } from '../../test/run-doctor.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { examineAtNight } from '../operations/doctor.ts'
import { storeJobs } from '../operations/jobs.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { manualClock } from '../platform/clock.ts'
import { runDueJobs } from '../platform/jobs.ts'
import { readHealthReport } from './health-report.ts'

vi.setConfig({ testTimeout: 90_000 })

const place = { migrations: path.resolve('server/migrations'), dataDir: tmpdir() }
const allJobs = (db: Database) => storeJobs(db, (now) => examineAtNight(db, place, now))

async function breakABook(db: Database): Promise<string> {
  const userId = await givenUser(db, { balance: 100 })
  await db.run(sql`update wallets set balance_paise = balance_paise + 1 where user_id = ${userId}`)
  return userId
}

test('an invariant that is broken is found at night, and every admin is told which', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const userId = await breakABook(store.db)

    await runDueJobs(store.db, allJobs(store.db), store.clock)

    const { body } = await shop.owner.get('/admin/health-report')
    expect(body).toMatchObject({ ok: false, isOld: false, checkedAt: store.clock.now().toISOString() })
    expect((body as { broken: string[] }).broken).toContainEqual(expect.stringMatching(`^I4a .*${userId}`))
    expect((await shop.visitor().get('/metrics')).body).toMatch(/^chaabi_store_healthy 0$/m)
  }))

test('doctor names it, and its exit code says so', () =>
  withDatabase(async (db) => {
    const userId = await breakABook(db)
    const dataDir = mkdtempSync(path.join(tmpdir(), 'chaabi-doctor-'))
    try {
      const { code, said } = await runDoctor(db, dataDir)
      expect(said).toMatch(new RegExp(`^BROKEN I4a .*${userId}`, 'm'))
      expect(said).toMatch(/^WARNING Your store has no backup yet\. Make one: npm run backup$/m)
      expect(code).toBe(1)
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  }))

test('a check that nobody has done for two days is as bad as one that failed', () =>
  withDatabase(async (db) => {
    const clock = manualClock('2026-11-20T00:00:00Z')
    const warnings = ['A warning is for a quiet hour']
    await runDueJobs(
      db,
      storeJobs(db, () => Promise.resolve({ broken: [], warnings })),
      clock,
    )
    const checkedAt = '2026-11-20T00:00:00.000Z'
    expect(await readHealthReport(db, clock.now())).toMatchObject({ ok: true, isOld: false, warnings, checkedAt })
    await db.run(sql`update jobs set next_at = ${new Date('2027-01-01')}`)
    clock.advance(2 * DAY_MS)
    expect(await readHealthReport(db, clock.now())).toMatchObject({ ok: true, isOld: false })
    clock.advance(1)
    expect(await readHealthReport(db, clock.now())).toMatchObject({ ok: false, isOld: true, broken: [], checkedAt })
  }))

test('a proxy on this machine that nobody trusts is told in red, with what to set', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const broken = async () => (await shop.owner.api.reports.healthReport()).broken
    expect(await broken()).toEqual([])

    await shop.visitor().call('GET', '/products', undefined, { 'x-forwarded-for': '203.0.113.9' })

    const [fault = ''] = await broken()
    expect(fault).toMatch(/^All visitors share one rate limit/)
    const { ok, hows } = await shop.owner.api.reports.healthReport()
    expect(ok).toBe(false)
    expect(hows?.[fault]?.values, 'what is typed on the server is apart').toEqual({ setting: 'TRUST_PROXY=127.0.0.1' })
  }))

test('a proxy that is trusted is nothing to tell of', () =>
  withStore(
    async (store) => {
      const shop = await openShop(store)
      await shop.visitor().call('GET', '/products', undefined, { 'x-forwarded-for': '203.0.113.9' })
      expect(await shop.owner.api.reports.healthReport()).toMatchObject({ broken: [] })
    },
    { trustProxy: ['127.0.0.1'] },
  ))
