/**
 * A store's week under a manual clock: sign-ups, top-ups, sales, a restock, prices, a deduction and a gift that
 * expire. The test keeps its own books, and in the end every page must agree with them.
 */
import { existsSync } from 'node:fs'
import type { APIRequestContext } from '@playwright/test'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { dayOf } from '../../contract/india.ts'
import { expect, filterBy, freshUtr, holdPauses, rowOf, said, sendHeld, test } from './admin-counter.ts'
import { callsOf, enterPanel, LONG, PASSWORD } from './people.ts'
import { ADMIN, openStore, WEB } from './timed-store.ts'

/** The expected values, reckoned by hand. Amounts are whole rupees. */
class Book {
  readonly sales = new Map<string, { orders: number; revenue: number }>()
  readonly topUps = new Map<string, number>()

  sold(day: string, revenue: number) {
    const before = this.sales.get(day) ?? { orders: 0, revenue: 0 }
    this.sales.set(day, { orders: before.orders + 1, revenue: before.revenue + revenue })
  }
  paid(day: string, amount: number) {
    this.topUps.set(day, (this.topUps.get(day) ?? 0) + amount)
  }
  get revenue() {
    return [...this.sales.values()].reduce((sum, day) => sum + day.revenue, 0)
  }
  get orders() {
    return [...this.sales.values()].reduce((sum, day) => sum + day.orders, 0)
  }
}

// `shop` has built the pages.
test('a week of a shop, and every page agrees with the book', LONG, async ({ browser, playwright, shop: _ }) => {
  expect(existsSync(WEB)).toBe(true)
  const end = new Date()
  const store = await openStore(new Date(end.getTime() - 6 * DAY_MS))
  const requests: APIRequestContext[] = []
  const calls = async () => {
    const request = await playwright.request.newContext({ baseURL: store.url })
    requests.push(request)
    return callsOf(request)
  }
  const context = await browser.newContext({ baseURL: store.url })
  const page = await context.newPage()
  const owner = callsOf(context.request)
  const goto = async (path: string) => {
    await page.goto(path)
    // The guide's bar comes with the scripts, and moves what is below it
    await page.waitForFunction(() => !('noteEarly' in globalThis))
  }
  const book = new Book()
  const today = () => dayOf(store.clock.now())
  const tick = () => store.clock.advance(MINUTE_MS)
  const toDay = async (day: number) => {
    store.clock.set(new Date(end.getTime() - (6 - day) * DAY_MS))
    // An admin's session does not outlast the night.
    await enterPanel(context.request, ADMIN)
  }

  try {
    await toDay(0)
    const keys = (prefix: string, count: number) =>
      Array.from({ length: count }, (_each, n) => `${prefix}-WEEK-000${n}`)
    await test.step('before the first day: the steps of a new store, each behind its link', async () => {
      const steps = page.getByRole('region', { name: 'Set up your store' })
      const follow = async (step: string, done: number) => {
        // A closing dialog goes back in the history, which would cancel another navigation
        await page.waitForFunction(() => !(history.state as { isLayer?: boolean } | null)?.isLayer)
        await goto('/admin')
        if (done === 0) await page.getByRole('button', { name: 'Leave the guide' }).click()
        await expect(steps.getByText(`${done} of 6 complete`)).toBeVisible()
        await steps.getByRole('link', { name: step }).click()
      }
      await follow('Create a referral code', 0)
      await page.getByRole('button', { name: 'New code' }).click()
      const code = page.getByRole('dialog', { name: 'New referral code' })
      await code.getByLabel('Code', { exact: true }).fill('WEEK20')
      await code.getByLabel('Description').fill('To start with')
      await code.getByLabel('Sign-up reward (₹)').fill('20')
      await code.getByRole('button', { name: 'Add code' }).click()
      await expect(said(page, /^WEEK20/)).toBeVisible()

      await follow('Add a product', 1)
      await page.getByRole('button', { name: 'New product' }).click()
      const draft = page.getByRole('dialog', { name: 'New product' })
      await draft.getByLabel('Name').fill('Nova Pass')
      await draft.getByLabel('Duration 1').fill('10 Days')
      await draft.getByLabel('Price 1').fill('100')
      await draft.getByRole('button', { name: 'Add duration' }).click()
      await draft.getByLabel('Duration 2').fill('1 Month')
      await draft.getByLabel('Price 2').fill('250')
      await draft.getByRole('button', { name: 'Add product' }).click()
      await expect(said(page, /^Nova Pass/)).toBeVisible()

      await follow('Add your UPI ID', 2)
      await page.getByLabel('UPI ID', { exact: true }).fill('week@okaxis')
      await page.getByRole('button', { name: 'Save UPI ID' }).click()
      await expect(steps.getByText('3 of 6 complete')).toBeVisible()

      await follow('Add keys', 3)
      await expect(page).toHaveURL(/\/admin\/key-manager$/)
    })
    const productId = (await owner.catalogue.list({})).find(({ name }) => name === 'Nova Pass')?._id ?? ''
    await owner.keys.add({ productId, duration: '10 Days', keys: keys('TEN', 6) })
    await owner.keys.add({ productId, duration: '1 Month', keys: keys('MONTH', 3) })
    await owner.settings.saveSite({ websiteName: 'Week', websiteTitle: 'Week' })
    await owner.settings.saveStore({ supportUrl: 'https://wa.me/919812345671' })
    await goto('/admin')
    await expect(page.getByRole('region', { name: 'Today' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Set up your store' })).toBeHidden()
    const plan = await owner.payments.createPlan({ amount: 500, bonus: 550 })

    const signUp = async (username: string) => {
      const own = await calls()
      const registration = { email: `${username}@example.in`, username, password: PASSWORD, referralCode: 'week20' }
      await own.sessions.register(registration)
      await own.sessions.login({ username, password: PASSWORD })
      tick()
      return own
    }
    const [asha, bela, chetan] = [await signUp('asha'), await signUp('bela'), await signUp('chetan')]
    type Own = typeof asha
    const ids = new Map((await owner.users.list({})).users.map(({ username, _id }) => [username, _id]))
    const idOf = (username: string) => ids.get(username) ?? ''

    const ask = async (own: Own, amount: number, planId?: string) => {
      tick()
      const meta = planId ? { meta: { offer: true, planId } } : {}
      const request = { amount, utr: freshUtr(), payerName: '9812345678', ...meta }
      return (await own.payments.addMoney(request)).payment._id
    }
    const approve = async (id: string, amount: number) => {
      tick()
      await owner.payments.approve({ id })
      book.paid(today(), amount)
    }
    const buy = async (own: Own, duration: string, quantity: number, unitPrice: number) => {
      tick()
      const { order } = await own.orders.place({ productId, duration, quantity })
      expect(order).toMatchObject({ unitPrice, amount: unitPrice * quantity })
      book.sold(today(), unitPrice * quantity)
    }
    const balance = async (own: Own) => (await own.sessions.me({})).balance

    await test.step('day 1: first money, of which one transfer never came', async () => {
      await approve(await ask(asha, 300), 300)
      await approve(await ask(bela, 500, plan._id), 500)
      await owner.payments.reject({ id: await ask(chetan, 200), reason: 'No such transfer.' })
      expect(await Promise.all([asha, bela, chetan].map(balance))).toEqual([320, 570, 0])
    })

    await test.step('day 2: first sales, and a deduction for three days', async () => {
      await toDay(1)
      await buy(asha, '10 Days', 2, 100)
      await buy(bela, '1 Month', 1, 250)
      await owner.users.update({ id: idOf('bela'), balance: -50, expiresInDays: 3, reason: 'Paid twice' })
      await approve(await ask(chetan, 200), 200)
      expect(await Promise.all([asha, bela, chetan].map(balance))).toEqual([120, 270, 220])
    })

    await test.step('day 3: a gift for two days, and a sale in the browser', async () => {
      await toDay(2)
      await owner.users.update({ id: idOf('asha'), balance: 100, expiresInDays: 2, reason: 'For the weekend' })
      const storageState = (await requests[2]?.storageState()) ?? { cookies: [], origins: [] } // of chetan
      const phone = await browser.newContext({ baseURL: store.url, storageState })
      const shopper = await phone.newPage()
      await shopper.goto('/buy?product=Nova+Pass&duration=10+Days')
      tick()
      await shopper.getByRole('button', { name: 'Buy with Wallet' }).click()
      await expect(shopper.getByRole('list', { name: 'Your keys' }).getByRole('listitem')).toHaveCount(1)
      await phone.close()
      book.sold(today(), 100)
      expect(await Promise.all([asha, bela, chetan].map(balance))).toEqual([220, 270, 120])
    })

    await test.step('day 4: a higher price, but not for everybody', async () => {
      await toDay(3)
      await goto('/admin/product-manager')
      await page.getByRole('button', { name: 'Edit Nova Pass' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit Nova Pass' })
      await dialog.getByLabel('Price 1').fill('120')
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await expect(said(page, 'Nova Pass saved')).toBeVisible()
      await owner.users.update({ id: idOf('bela'), customPrices: [{ productId, duration: '10 Days', price: 90 }] })
      await buy(bela, '10 Days', 2, 90)
      expect(await balance(bela)).toBe(90)
    })

    await test.step('day 5: sold out, and restocked with a list that was half known', async () => {
      await toDay(4)
      await approve(await ask(chetan, 150), 150)
      await expect(chetan.orders.place({ productId, duration: '10 Days', quantity: 2 })).rejects.toThrow('OUT_OF_STOCK')
      await goto(`/admin/key-manager?product=${productId}&duration=10+Days`)
      await page.getByRole('button', { name: 'Add keys' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add keys' })
      await dialog.getByRole('textbox').fill([...keys('TEN', 2), ...keys('NEW', 4)].join('\n'))
      await dialog.getByRole('button', { name: 'Check 6 keys' }).click()
      await dialog.getByRole('button', { name: 'Add 4 new keys' }).click()
      await expect(dialog.getByText('4 keys added')).toBeVisible()
      await buy(chetan, '10 Days', 1, 120)
      expect(await balance(chetan)).toBe(150)
    })

    await test.step('day 6: the gift is gone, the deduction is back', async () => {
      await toDay(5)
      expect(await Promise.all([asha, bela].map(balance))).toEqual([120, 140])
      await expect(asha.orders.place({ productId, duration: '1 Month', quantity: 1 })).rejects.toThrow(
        'INSUFFICIENT_BALANCE',
      )
      await approve(await ask(asha, 200), 200)
      await buy(asha, '1 Month', 1, 250)
    })

    await test.step('today: the queue in the browser', async () => {
      await toDay(6)
      await buy(bela, '10 Days', 1, 90)
      await ask(asha, 60)
      await ask(chetan, 75)
      await ask(bela, 400)
      await holdPauses(page)
      await goto('/admin/payment-manager')
      await page.getByRole('button', { name: 'Approve ₹60 from asha' }).click()
      await sendHeld(page)
      await expect(rowOf(page, '₹60').getByText('₹60 credited')).toBeVisible()
      book.paid(today(), 60)
      await page.getByRole('button', { name: 'Reject ₹75 from chetan' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click()
      await expect(rowOf(page, '₹75').getByText('Rejected', { exact: true })).toBeVisible()
    })

    const balances = { asha: 130, bela: 50, chetan: 150 }
    await test.step('the wallets, as their owners see them and as the admin does', async () => {
      for (const [name, own] of Object.entries({ asha, bela, chetan })) {
        const history = await own.wallet.history({})
        const sum = history.reduce((total, { delta }) => total + Math.round(delta * 100), 0) / 100
        expect({ name, balance: await balance(own), sum }).toEqual({
          name,
          balance: balances[name as keyof typeof balances],
          sum: balances[name as keyof typeof balances],
        })
      }
      await goto('/admin/user-manager')
      for (const [name, amount] of Object.entries(balances)) {
        await expect(rowOf(page, name).getByText(`₹${amount}`, { exact: true })).toBeVisible()
      }
      await expect(rowOf(page, 'bela').getByText('1 custom price')).toBeVisible()
    })

    await test.step('the keys', async () => {
      const sold = (await Promise.all([asha, bela, chetan].map((own) => own.keys.mine({})))).flat()
      const all = await owner.keys.list({ productId })
      expect(new Set(sold.map(({ key }) => key)).size).toBe(9)
      expect(
        all
          .filter(({ status }) => status === 'assigned')
          .map(({ key }) => key)
          .toSorted(),
      ).toEqual(sold.map(({ key }) => key).toSorted())
      await goto(`/admin/key-manager?product=${productId}`)
      await filterBy(page, async () => {
        await expect(page.getByLabel('Product').locator('option:checked')).toHaveText('Nova Pass · 4 available')
        await expect(page.getByLabel('Duration').getByRole('option', { name: '10 Days · 3 available' })).toBeAttached()
        await expect(page.getByLabel('Duration').getByRole('option', { name: '1 Month · 1 available' })).toBeAttached()
      })
    })

    await test.step('the sales book', async () => {
      expect(book.revenue).toBe(1_190)
      await goto('/admin/purchases')
      await expect(page.getByText('₹1,190', { exact: true })).toBeVisible()
      await expect(page.locator('[data-row]')).toHaveCount(book.orders)
      await expect(page.getByRole('heading', { name: new RegExp(`^Purchases\\s?${book.orders}$`) })).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Pages' }), 'all of them are here').toHaveCount(0)
    })

    await test.step('the dashboard', async () => {
      await goto('/admin/dashboard')
      const figures = page.getByRole('region', { name: 'Today' })
      await expect(figures.getByRole('link', { name: /^Pending payments ₹400 .* 1$/ })).toBeVisible()
      await expect(figures.getByRole('link', { name: /^Sales today ₹90/ })).toBeVisible()
      await expect(figures.getByRole('link', { name: /^Top-ups today ₹60/ })).toBeVisible()
      const totals = page.getByRole('region', { name: 'Totals' })
      await expect(totals.getByRole('link', { name: /^Wallet balances ₹330/ })).toBeVisible()
      await expect(totals.getByRole('link', { name: 'Total users 3' })).toBeVisible()
      await expect(totals.getByRole('link', { name: 'Total products 1' })).toBeVisible()
      await expect(page.getByRole('link', { name: /^Nova Pass 9 keys · ₹1,190/ })).toBeVisible()
      await expect(page.getByRole('img', { name: /^Last 30 days: sales ₹1,190, top-ups ₹1,410\./ })).toBeVisible()
      const { days } = await owner.reports.overview({ days: 7 })
      for (const { day, sales, orders, topUps } of days) {
        const { revenue = 0, orders: count = 0 } = book.sales.get(day) ?? {}
        expect({ day, sales, orders, topUps }).toEqual({
          day,
          sales: revenue,
          orders: count,
          topUps: book.topUps.get(day) ?? 0,
        })
      }
    })
  } finally {
    await context.close()
    await Promise.all(requests.map((request) => request.dispose()))
    await store.stop()
  }
})
