import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { paise } from '../../contract/money.ts'
import { withDatabase } from '../../test/database.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { withStore } from '../../test/store.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { createSnapshotCache } from '../platform/database/snapshot-cache.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { settingsRoutes } from './routes.ts'
import { refreshVersion, saveNotice, saveSite, saveStore, saveUpi } from './save-settings.ts'
import { ensureSettings, readSettings } from './settings.ts'

test('a new store has its defaults, also when many ask for the first time at once', () =>
  withDatabase(async (db) => {
    const all = await Promise.all(Array.from({ length: 8 }, () => readSettings(db)))

    for (const settings of all)
      expect(settings).toMatchObject({
        websiteName: 'Chaabi',
        websiteTitle: 'Chaabi: licence keys, delivered instantly',
        notice: '',
        upiId: '',
        paymentEnabled: true,
        topupValidityDays: null,
        version: 1,
      })
  }))

test('the name in UPI apps goes with its UPI ID, and comes back with it', () =>
  withDatabase(async (db) => {
    const by = await givenAdminCall(db)
    const save = async (form: Parameters<typeof saveUpi>[1]) => {
      const { upiId, payeeName } = await saveUpi(servicesOf(db), form, by)
      return `${upiId} ${payeeName}`
    }

    expect(await save({ upiId: 'old@okaxis', payeeName: 'RAMESH KUMAR' })).toBe('old@okaxis RAMESH KUMAR')
    expect(await save({ paymentEnabled: false })).toBe('old@okaxis RAMESH KUMAR')
    expect(await save({ upiId: 'new@okaxis' })).toBe('new@okaxis ')
    expect(await save({ upiId: 'old@okaxis' })).toBe('old@okaxis RAMESH KUMAR')
    await save({ upiId: 'new@okaxis' })
    expect(await save({ upiId: 'old@okaxis', payeeName: '' }), 'as a form sends it').toBe('old@okaxis RAMESH KUMAR')
    expect(await save({ upiId: 'new@okaxis', payeeName: 'SITA & SONS' })).toBe('new@okaxis SITA & SONS')
    expect(await save({ upiId: '' })).toBe(' ')
  }))

test('the name in UPI apps takes what banks write, and asks for a proof', () =>
  withStore(async (store) => {
    const { owner, visitor } = await openShop(store)
    const save = async (payeeName: string) => (await owner.put('/settings/upi', { payeeName })).body
    await owner.put('/settings/upi', { upiId: 'shop@okaxis' })

    for (const name of ['RAMESH KUMAR', "M/S D'SOUZA & CO.", 'रमेश कुमार', 'Shop-24'])
      expect(await save(`  ${name} `)).toMatchObject({ payeeName: name })
    for (const name of ['<b>', 'RA\u202eMESH', 'RAMESH\nKUMAR', 'x'.repeat(51), 'a@b', '₹500'])
      expect(await save(name)).toMatchObject({ fields: { payeeName: expect.any(String) } })
    expect((await visitor().get('/settings/upi')).body).toMatchObject({ payeeName: 'Shop-24' })
    await owner.put('/settings/upi', { payeeName: '' })
    expect((await visitor().get('/settings/upi')).body).not.toHaveProperty('payeeName')
  }))

test('a start leaves saved settings as they are', () =>
  withDatabase(async (db) => {
    await saveNotice(servicesOf(db), { text: 'Closed on Sunday' }, await givenAdminCall(db))

    await ensureSettings(db)

    expect(await readSettings(db)).toMatchObject({ notice: 'Closed on Sunday' })
  }))

test('an untouched title follows the name, in every language, and a written one stays', () =>
  withDatabase(async (db) => {
    const save = async (form: Partial<Parameters<typeof saveSite>[1]>) => {
      const { websiteName, websiteTitle } = await readSettings(db)
      await saveSite(servicesOf(db), { websiteName, websiteTitle, ...form }, await givenAdminCall(db))
      const saved = await readSettings(db)
      return [saved.websiteName, saved.websiteTitle, saved.websiteTitleHi]
    }

    expect(await save({ websiteName: 'Indore Game Keys' })).toEqual([
      'Indore Game Keys',
      'Indore Game Keys: licence keys, delivered instantly',
      'Indore Game Keys: लाइसेंस keys, तुरंत डिलीवरी',
    ])
    const long = 'A very long name of a store that sells keys for games '.repeat(2).slice(0, 79)
    expect(await save({ websiteName: long })).toEqual([long, long, long])
    expect((await save({ websiteName: 'Indore Keys' }))[1]).toBe('Indore Keys: licence keys, delivered instantly')
    expect((await save({ websiteTitle: 'Keys of Indore' }))[1]).toBe('Keys of Indore')
    expect((await save({ websiteName: 'Bhopal Keys' }))[1]).toBe('Keys of Indore')
  }))

/** Returns the call for the version of the settings. */
function versionOf(services: Services): () => Promise<{ settingsVersion: number }> {
  const version = settingsRoutes(services).version as (
    input: object,
    call: Pick<Call, 'cached'>,
  ) => Promise<{ settingsVersion: number }>
  return () => version({}, { cached: createSnapshotCache(services.db).view() })
}

function away(db: Database): Database {
  const refuse = () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE'))
  return { ...db, one: refuse, maybe: refuse, text: refuse, holds: refuse, count: refuse }
}

test('a page asks for the settings once, however much of them it shows, and sees each change', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    let asked = 0
    services.db = {
      ...db,
      maybe(query) {
        asked++
        return db.maybe(query)
      },
    }
    const { notice, upi, version } = settingsRoutes(services)
    const cache = createSnapshotCache(db)
    const open = () => {
      const call = { cached: cache.view(), now: new Date() } as Call
      return Promise.all([notice({}, call), upi({}, call), version({}, call)])
    }
    await open()
    asked = 0
    for (let n = 0; n < 10; n++) expect((await open())[0]).toEqual({ text: '' })
    // Sets an upper bound only, because other tests write to the same engine, which ends the cache
    expect(asked).toBeLessThanOrEqual(10)
    await saveNotice(servicesOf(db), { text: 'Closed on Sunday' }, await givenAdminCall(db))
    expect((await open())[0]).toEqual({ text: 'Closed on Sunday' })
  }))

test('pages are told the version that was known last while the database is away', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const answer = versionOf(services)
    expect(await answer()).toEqual({ settingsVersion: 1 })
    await refreshVersion(services, await givenAdminCall(db))
    expect(await answer()).toEqual({ settingsVersion: 2 })

    services.db = away(db)

    expect(await answer()).toEqual({ settingsVersion: 2 })
  }))

test('pages are told the version also when the database has gone before the first of them asked', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const answer = versionOf(services)

    services.db = away(db)

    expect(await answer()).toEqual({ settingsVersion: 1 })
  }))

test('the name of the site and a forced refresh raise the version; notice and UPI do not', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const by = await givenAdminCall(db)

    await saveNotice(services, { text: 'Hello' }, by)
    await saveUpi(services, { upiId: 'shop@okaxis' }, by)
    expect((await readSettings(db)).version).toBe(1)
    await saveSite(services, { websiteName: 'Keys', websiteTitle: 'Keys, at once' }, by)
    await refreshVersion(services, by)

    expect((await readSettings(db)).version).toBe(3)
    expect(services.told.map(({ to, name, data }) => [to, name, data])).toEqual([
      ['everyone', 'settings', { settingsVersion: 1 }],
      ['everyone', 'settings', { settingsVersion: 1 }],
      ['everyone', 'settings', { settingsVersion: 2 }],
      ['everyone', 'settings', { settingsVersion: 3 }],
    ])
  }))

test('of UPI ID and payment switch, what is not sent stays', () =>
  withDatabase(async (db) => {
    const by = await givenAdminCall(db)
    await saveUpi(servicesOf(db), { upiId: 'shop@okaxis', paymentEnabled: true }, by)

    await saveUpi(servicesOf(db), { paymentEnabled: false }, by)
    expect(await readSettings(db)).toMatchObject({ upiId: 'shop@okaxis', paymentEnabled: false })

    await saveUpi(servicesOf(db), { upiId: '' }, by)
    expect(await readSettings(db)).toMatchObject({ upiId: '', paymentEnabled: false })
  }))

test('each change stands in the audit log with what it was and what it is', () =>
  withDatabase(async (db) => {
    const by = await givenAdminCall(db)
    await saveUpi(servicesOf(db), { upiId: 'old@okaxis' }, by)

    await saveUpi(servicesOf(db), { upiId: 'new@okaxis' }, by)

    const entry = await db.one(sql(
      z.object({ action: z.string(), admin: z.string(), before: z.unknown(), after: z.unknown() }),
    )`
      select action, admin_name as admin, before, after from audit_entries order by seq desc limit 1`)
    expect(entry).toEqual({
      action: 'settings.upi',
      admin: by.admin.username,
      before: { upiId: 'old@okaxis' },
      after: { upiId: 'new@okaxis' },
    })
  }))

test('raising the version by many admins at once loses none', () =>
  withDatabase(async (db) => {
    const by = await givenAdminCall(db)

    await Promise.all(Array.from({ length: 10 }, () => refreshVersion(servicesOf(db), by)))

    expect((await readSettings(db)).version).toBe(11)
  }))

test('what buyers read asks for a proof once there is a UPI ID, and the first name of a store does not', () =>
  withDatabase(async (db) => {
    let asked = 0
    const by = { ...(await givenAdminCall(db)), requireProof: () => void (asked += 1) }
    const name = (websiteName: string) => saveSite(servicesOf(db), { websiteName, websiteTitle: websiteName }, by)

    await name('Nova Keys')
    await saveNotice(servicesOf(db), { text: 'We open soon' }, by)
    expect(asked).toBe(0)
    await saveUpi(servicesOf(db), { upiId: 'nova@okaxis' }, by)
    expect(asked).toBe(1)
    await name('Pay to thief@ybl')
    await saveNotice(servicesOf(db), { text: 'Pay to thief@ybl' }, by)

    expect(asked).toBe(3)
  }))

test('the audit log has the amounts of a changed setting in rupees, as every other amount there', () =>
  withDatabase(async (db) => {
    const call = { ...(await givenAdminCall(db)), requireProof: () => undefined }
    await saveStore(servicesOf(db), { topupMax: paise(2_500_000), stepUpAbove: paise(500_000) }, call)

    const entry = await db.one(sql(z.object({ after: z.record(z.string(), z.unknown()) }))`
      select after from audit_entries where action = 'settings.store'`)
    expect(entry.after).toEqual({ topupMax: 25_000, stepUpAbove: 5_000 })
  }))
