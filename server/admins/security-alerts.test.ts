import { expect, test } from 'vitest'
import { anAdmin, unproven } from '../../test/worlds/admins.ts'
import { openShop, OWNER, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type Browser } from '../../test/store.ts'
import { HOUR_MS } from '../../contract/time.ts'

const withShop = (work: (shop: Shop) => Promise<void>) => withStore(async (store) => work(await openShop(store)))
const alertsOf = async (browser: Browser) => (await browser.api.admins.alerts()).alerts
const only = async (browser: Browser) => {
  const [alert, ...others] = await alertsOf(browser)
  if (!alert || others.length > 0) throw new Error('Not one alert')
  return alert
}

test('the first UPI ID is no alert, and another one is, in every panel, for 72 hours', () =>
  withShop(async (shop) => {
    expect(await alertsOf(shop.owner)).toEqual([])
    const { browser: reader } = await anAdmin(shop, 'read-only')
    await shop.owner.api.settings.saveUpi({ upiId: 'thief@ybl' })
    expect(await alertsOf(reader)).toMatchObject([
      { kind: 'upi', by: OWNER.username, before: 'shop@okaxis', after: 'thief@ybl' },
    ])
    shop.store.clock.advance(72 * HOUR_MS)
    const later = shop.visitor()
    await later.api.sessions.adminLogin(OWNER)
    expect(await alertsOf(later)).toEqual([])
  }))

test('two steps over an empty UPI ID are one alert, and undo puts back what was before both', () =>
  withShop(async (shop) => {
    await shop.owner.api.settings.saveUpi({ upiId: '' })
    await shop.owner.api.settings.saveUpi({ upiId: 'thief@ybl' })
    const alert = await only(shop.owner)
    expect(alert).toMatchObject({ before: 'shop@okaxis', after: 'thief@ybl' })
    await shop.owner.api.admins.undoAlert({ id: alert._id })
    expect(await shop.owner.api.settings.upi({})).toMatchObject({ upiId: 'shop@okaxis' })
    expect(await alertsOf(shop.owner)).toEqual([])
  }))

test('“This was me” closes it for all, and not for a change that came after it was read', () =>
  withShop(async (shop) => {
    await shop.owner.api.settings.saveUpi({ upiId: 'new@okaxis' })
    const read = await only(shop.owner)
    await shop.owner.api.settings.saveUpi({ upiId: 'thief@ybl' })
    expect((await shop.owner.put(`/admin/alerts/${read._id}/confirm`)).body).toMatchObject({ code: 'NOT_FOUND' })
    const newest = await only(shop.owner)
    await shop.owner.api.admins.confirmAlert({ id: newest._id })
    const { browser: reader } = await anAdmin(shop, 'read-only')
    expect(await alertsOf(reader)).toEqual([])
    await shop.owner.api.settings.saveUpi({ upiId: 'third@ybl' })
    expect(await only(reader)).toMatchObject({ before: 'thief@ybl', after: 'third@ybl' })
  }))

test('a new owner stands in red, answers for nothing meanwhile, and undo takes the role away', () =>
  withShop(async (shop) => {
    const added = await anAdmin(shop)
    const { admin: helper } = await anAdmin(shop, 'support')
    await shop.owner.api.admins.update({ id: helper._id, role: 'owner' })
    await shop.owner.api.settings.saveUpi({ upiId: 'thief@ybl' })
    const alerts = await alertsOf(shop.owner)
    expect(alerts.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['upi', 'shop@okaxis', 'thief@ybl'],
      ['owner', '', added.admin.username],
      ['owner', 'support', helper.username],
    ])
    for (const { _id } of alerts)
      for (const answer of ['confirm', 'undo'])
        expect((await added.browser.put(`/admin/alerts/${_id}/${answer}`)).body).toMatchObject({ code: 'NEW_OWNER' })
    for (const { _id, kind } of alerts) if (kind === 'owner') await shop.owner.api.admins.undoAlert({ id: _id })
    const { admins } = await shop.owner.api.admins.list()
    expect(admins.find(({ _id }) => _id === added.admin._id)?.disabledAt).not.toBeNull()
    expect(admins.find(({ _id }) => _id === helper._id)).toMatchObject({ role: 'support', disabledAt: null })
    expect(await only(shop.owner)).toMatchObject({ kind: 'upi' })
  }))

test('either answer asks for a proof, and no other role may give it', () =>
  withShop(async (shop) => {
    const owner = await unproven(shop)
    const { admin } = await owner.api.sessions.adminCheck()
    // The new owner has been confirmed
    for (const alert of await alertsOf(shop.owner)) await shop.owner.api.admins.confirmAlert({ id: alert._id })
    expect(admin.role).toBe('owner')
    await shop.owner.api.settings.saveUpi({ upiId: 'thief@ybl' })
    const { _id } = await only(owner)
    const { browser: helper } = await anAdmin(shop, 'support')
    for (const answer of ['confirm', 'undo']) {
      expect((await owner.put(`/admin/alerts/${_id}/${answer}`)).body).toMatchObject({ code: 'STEP_UP_REQUIRED' })
      expect((await helper.put(`/admin/alerts/${_id}/${answer}`)).body).toMatchObject({ code: 'FORBIDDEN_ROLE' })
    }
    expect(await only(owner)).toMatchObject({ _id })
  }))
