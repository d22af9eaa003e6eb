import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { GUIDE_STEPS } from '../../contract/guide.ts'
import { enrolled } from '../../test/worlds/admins.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import { base64, webp } from '../../test/pictures.ts'

test('the guide sees what is done, keeps what was marked, and lets what is done later count', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { owner } = shop
    const statesOf = async (by = owner) =>
      Object.fromEntries((await by.api.reports.guide({})).steps.map(({ name, state }) => [name, state]))
    const open = Object.fromEntries(GUIDE_STEPS.map((name) => [name, 'open']))
    expect(Object.keys(await statesOf())).toEqual([...GUIDE_STEPS])
    expect(await statesOf()).toEqual({ ...open, upiId: 'done', referralCode: 'done' })

    await owner.api.settings.markGuideStep({ step: 'buyerView', state: 'done' })
    await owner.api.settings.markGuideStep({ step: 'face', state: 'skipped' })
    await owner.api.settings.markGuideStep({ step: 'twoStep', state: 'skipped' })
    expect(await statesOf()).toMatchObject({ buyerView: 'done', face: 'skipped', twoStep: 'skipped', backup: 'open' })

    await owner.api.settings.saveSite({ websiteName: 'Nova', websiteTitle: 'Nova keys' })
    expect(await statesOf()).toMatchObject({ name: 'done', face: 'skipped' })
    await owner.api.pictures.saveOfStore({ place: 'logo', data: base64(webp(512, 512)) })
    await owner.api.payments.createPlan({ amount: 100, bonus: 120 })
    await shop.buyer()
    expect(await statesOf()).toMatchObject({ face: 'done', plans: 'done', share: 'done', twoStep: 'skipped' })
    const { browser } = await enrolled(shop)
    expect(await statesOf(browser)).toMatchObject({ twoStep: 'done' })
    await owner.api.settings.markGuideStep({ step: 'backup', state: 'done' })
    expect(await statesOf()).toMatchObject({ backup: 'open' })
    await owner.api.settings.markGuideStep({ step: 'phone', state: 'done' })
    expect(await statesOf()).toMatchObject({ phone: 'open' })
    const keys = {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: Buffer.alloc(16, 1).toString('base64url'),
    }
    await browser.api.messages.subscribe({ endpoint: 'https://fcm.googleapis.com/one', keys })
    expect(await statesOf(browser)).toMatchObject({ phone: 'done' })
    await store.db.run(sql`
      insert into backups (node, file, made_at, bytes, copied_to, copied_at)
      values ('one', 'a', now(), 1, 'elsewhere', now())`)
    expect(await statesOf()).toMatchObject({ backup: 'done' })
    expect(await owner.put('/settings/guide', { step: 'all', state: 'done' })).toMatchObject({ status: 400 })
  }))
