/** A key renews at its end: the buyer taps once, the store buys, and the new key is shown. */
import type { Page } from '@playwright/test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { signUp } from '../../server/demo/store-calls.ts'
import { renewalJobs } from '../../server/renewals/renew.ts'
import { expect, freshUtr, test } from './admin-counter.ts'
import { callsOf, enterPanel, liftFinger, LONG, PASSWORD, PHONE } from './people.ts'
import { ADMIN, openStore } from './timed-store.ts'

const DURATION = '1 Day'

// `shop` has built the pages.
test(
  'a buyer renews, changes it, and gets the new key; one without money gets it after a top-up',
  LONG,
  async ({ browser, shop: _ }) => {
    const store = await openStore(new Date(Date.now() - 3 * DAY_MS))
    const contexts = [await browser.newContext({ baseURL: store.url, viewport: PHONE })]
    const [context] = contexts
    if (!context) throw new Error('No browser')
    const page = await context.newPage()
    const [owner, buyer] = [callsOf(context.request), callsOf(context.request)]
    const runJob = () => renewalJobs(store.app.services)[0]?.run(store.clock.now(), new AbortController().signal)
    try {
      await enterPanel(context.request, ADMIN)
      await owner.settings.saveUpi({ upiId: 'shop@okaxis', paymentEnabled: true })
      await owner.referrals.create({ code: 'RENEW', description: 'For buyers' })
      const { _id: productId } = await owner.catalogue.create({
        name: 'Night Circuit',
        prices: [{ duration: DURATION, price: 100 }],
      })
      await owner.keys.add({ productId, duration: DURATION, keys: ['NIGHT-1', 'NIGHT-2', 'NIGHT-3'] })
      await signUp(buyer, { username: 'diya', password: PASSWORD, referralCode: 'RENEW' })
      await buyer.sessions.login({ username: 'diya', password: PASSWORD })
      const topUp = async (amount: number) => {
        const { payment } = await buyer.payments.addMoney({ amount, utr: freshUtr(), payerName: '9876543210' })
        await enterPanel(context.request, ADMIN)
        await owner.payments.approve({ id: payment._id })
      }
      await topUp(220)
      await buyer.orders.place({ productId, duration: DURATION, quantity: 1 })
      store.clock.advance(MINUTE_MS)

      await page.goto('/my-key')
      await openDetails(page)
      await page.getByRole('button', { name: 'Renew: Night Circuit, 1 Day' }).click()
      const line = page.getByText(/^Renews .+, for up to ₹100\. Nothing is taken until then\.$/)
      await expect(line).toBeVisible()
      await page.getByRole('button', { name: 'Change' }).click()
      const dialog = page.getByRole('dialog', { name: 'Renewal' })
      await expect(dialog.getByText('Balance ₹120.')).toBeVisible()
      await expect(dialog.getByLabel('Keep renewing')).toHaveCount(0)
      await dialog.getByLabel('Pay at most for each key (₹)').fill('0')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByText('Minimum amount is ₹1')).toBeVisible()
      await dialog.getByLabel('Pay at most for each key (₹)').fill('120')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText(/for up to ₹120\. Nothing is taken/)).toBeVisible()
      await liftFinger(page)

      await page.getByRole('button', { name: 'Don’t renew' }).click()
      await expect(page.getByText(/^Renews/)).toHaveCount(0)
      await liftFinger(page)
      await page.getByRole('button', { name: 'Renew: Night Circuit, 1 Day' }).click()
      await expect(line).toBeVisible()

      await test.step('in Hindi, too', async () => {
        await page.goto('/my-key?language=hi')
        await expect(page.getByText(/को रिन्यू होगी, ज़्यादा से ज़्यादा ₹100 में/)).toBeVisible()
        await page.goto('/my-key?language=en')
      })

      await test.step('the new key is there at the end, and ₹100 less in the wallet', async () => {
        store.clock.advance(DAY_MS)
        await runJob()
        await page.reload()
        await expect(page.getByText('NIGHT-2')).toBeVisible()
        expect((await buyer.sessions.me()).balance).toBe(20)
      })

      await test.step('held for money: it says what is missing, and buys when it is there', async () => {
        await openDetails(page)
        await page.getByRole('button', { name: 'Renew: Night Circuit, 1 Day' }).click()
        await expect(line).toBeVisible()
        store.clock.advance(DAY_MS)
        await runJob()
        await page.reload()
        await expect(page.getByText(/^Not renewed yet: your balance is ₹80 short\. We try until/)).toBeVisible()
        await expect(page.getByRole('link', { name: 'Add money' }).first()).toBeVisible()
        await topUp(80)
        store.clock.advance(HOUR_MS)
        await runJob()
        await page.reload()
        await expect(page.getByText('NIGHT-3')).toBeVisible()
        await expect(page.getByText(/^Not renewed yet/)).toHaveCount(0)
        expect((await buyer.sessions.me()).balance).toBe(0)
      })
    } finally {
      await context.close()
      await store.stop()
    }
  },
)

/** Of the first card. A key of today begins open. */
async function openDetails(page: Page): Promise<void> {
  const details = page.locator('article details').first()
  await expect(details).toBeVisible()
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click()
}
