import { expect, test } from 'vitest'
import { anAdmin, enrolled } from '../../test/worlds/admins.ts'
import { OWNER, openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { recoverAdmin } from './recover-admin.ts'

test('an owner who has lost the password and the app gets in again from the machine, and nobody else stays in', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { admin, browser, recoveryCodes } = await enrolled(shop)
    await shop.owner.api.admins.update({ id: admin._id, disabled: true })

    const { username, password } = await recoverAdmin(store.db, admin.username.toUpperCase(), store.clock.now())

    expect({ username, password }).toEqual({ username: admin.username, password: expect.stringMatching(/^[\w-]{20}$/) })
    expect((await browser.get('/admin/check')).status, 'the old session').toBe(401)
    const [totp = ''] = recoveryCodes
    for (const old of [{ password: OWNER.password }, { password: OWNER.password, totp }])
      expect((await shop.visitor().post('/admin/login', { username, ...old })).status).toBe(401)
    const back = shop.visitor()
    expect((await back.post('/admin/login', { username, password })).status).toBe(200)
    expect((await back.get('/admin/check')).body).toMatchObject({
      admin: { role: 'owner', hasGivenPassword: true, hasSecondFactor: false },
    })
    expect((await shop.owner.get('/admin/check')).status, 'another owner').toBe(200)
    const { entries } = await shop.owner.api.reports.audit({ action: 'admin.update', limit: 1 })
    expect(entries).toMatchObject([
      {
        action: 'admin.update',
        admin: 'system',
        from: expect.stringContaining('npm run recover-admin') as string,
        after: { password: 'changed', secondFactor: 'removed' },
      },
    ])
  }))

test('without a name nobody is meant, not even an only owner, and nothing changes', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const now = store.clock.now()
    await expect(recoverAdmin(store.db, undefined, now)).rejects.toThrow(
      'Name the admin: npm run recover-admin -- NAME (owners: owner)',
    )
    expect((await shop.owner.get('/admin/check')).status, 'the session goes on').toBe(200)
    await expect(recoverAdmin(store.db, 'nobody', now)).rejects.toThrow('No admin called nobody (owners: owner)')
    const again = await recoverAdmin(store.db, OWNER.username, now)
    const owner = shop.visitor()
    await owner.post('/admin/login', { username: OWNER.username, password: again.password })
    owner.provesWith = again.password
    const { admin } = await anAdmin({ ...shop, owner })
    await expect(recoverAdmin(store.db, undefined, now)).rejects.toThrow(
      `Name the admin: npm run recover-admin -- NAME (owners: owner, ${admin.username})`,
    )
  }))
