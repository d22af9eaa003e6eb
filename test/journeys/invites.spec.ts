/** A buyer brings a friend: the owner turns it on, a statement shows the friend’s payment, and both are paid. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { Api } from '../../contract/api.ts'
import type { Client } from '../../contract/client.ts'
import { signUp } from '../../server/demo/store-calls.ts'
import { actionOf, expect, freshUtr, rowOf, said } from './admin-counter.ts'
import { statementOf } from './bank-statement.ts'
import { callsOf, DESK, enterPanel, PASSWORD, PHONE, stopTransitions } from './people.ts'
import { person, test } from './store.ts'

/** The job that pays runs every minute. */
const PAID_WITHIN_MS = 90_000
const VIEW = '/admin/referral-manager?view=invites'

/** A phone, whose share sheet keeps what it is given. */
const ON_PHONE = { viewport: PHONE, hasTouch: true, isMobile: true }
const withSheet = (page: Page) =>
  page.addInitScript(() => {
    const given: ShareData[] = []
    Object.assign(window, { given })
    Object.defineProperty(navigator, 'share', {
      value: (what: ShareData) => {
        given.push(what)
        return Promise.resolve()
      },
    })
  })
const sharedOf = (page: Page) => page.evaluate(() => (Reflect.get(window, 'given') as ShareData[]).at(-1))

async function seeNoFault(page: Page): Promise<void> {
  await page.evaluate(stopTransitions)
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
}

test('a friend is invited, pays, and both get credit; the owner sees the row, and pauses it', async ({
  browser,
  store,
}) => {
  test.setTimeout(300_000)
  const desk = await person(browser, store, { viewport: DESK, reducedMotion: 'reduce' })
  const asha = await person(browser, store, ON_PHONE)
  const ravi = await person(browser, store, ON_PHONE)
  const owner = await enterPanel(desk.context.request, store.admin)
  const [buyer, friend] = [callsOf(asha.context.request), callsOf(ravi.context.request)]
  const { page } = asha
  await owner.settings.saveUpi({ upiId: 'shop@okaxis', paymentEnabled: true })
  await owner.referrals.create({ code: 'FIRST', description: 'For buyers' })
  const { _id: productId } = await owner.catalogue.create({
    name: 'Night Circuit',
    prices: [{ duration: '1 Day', price: 100 }],
  })
  await owner.keys.add({ productId, duration: '1 Day', keys: ['NIGHT-1', 'NIGHT-2'] })
  const account = { bank: 'HDFC', label: 'Store account', tail: '5678', feedsStore: true }
  const { _id: accountId } = await owner.bank.createAccount(account)
  const pay = async (calls: Client<Api>, amount: number, phone: string) => {
    const utr = freshUtr()
    const { payment } = await calls.payments.addMoney({ amount, utr, payerName: phone })
    await owner.payments.approve({ id: payment._id })
    return utr
  }
  const show = (utr: string, rupees: number, payer: string) =>
    // Nothing stands before the first line that could prove its balance
    owner.bank.import({
      accountId,
      text: statementOf([
        { utr: freshUtr(), rupees: 77, payer: 'SOMEBODY' },
        { utr, rupees, payer },
      ]),
    })
  await signUp(buyer, { username: 'asha', password: PASSWORD, referralCode: 'FIRST' })
  await buyer.sessions.login({ username: 'asha', password: PASSWORD })
  const first = await pay(buyer, 300, '9876543210')

  await test.step('nothing of it shows while it is off', async () => {
    const asked = page.waitForResponse('**/api/invites/own')
    await page.goto('/account')
    await asked
    await expect(page.getByRole('button', { name: 'Download my data' })).toBeVisible()
    await expect(page.getByText('Invite a friend')).toHaveCount(0)
  })

  await test.step('the owner turns it on, and gives no more than half', async () => {
    await desk.page.goto('/admin/referral-manager')
    await desk.page.getByRole('button', { name: 'Buyers’ invitations' }).click()
    await expect(desk.page).toHaveURL(VIEW)
    const main = desk.page.getByRole('main')
    await expect(main.getByText('No friend has joined yet')).toBeVisible()
    await expect(main.getByText('At most ₹50 for each ₹200 that a new buyer really paid.')).toBeVisible()
    await main.getByLabel('Buyers can invite friends').check()
    await main.getByLabel('Friend gets (₹)').fill('80')
    await expect(main.getByText('Both rewards together can be at most half of the first payment: ₹100.')).toBeVisible()
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(said(desk.page, 'Settings saved')).toHaveCount(0)
    await main.getByLabel('Friend gets (₹)').fill('25')
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(said(desk.page, 'Settings saved')).toBeVisible()
    await expect(main.getByText('₹0 of ₹5,000 this month')).toBeVisible()
    await expect(main.getByText('Rewards wait for a statement.')).toBeVisible()
    await expect(main.getByRole('link', { name: 'Upload one' })).toHaveAttribute('href', '/admin/bank')
    await seeNoFault(desk.page)
  })

  await test.step('a buyer whose payment no statement has shown is told so', async () => {
    await page.reload()
    await expect(page.getByText('Your own first payment must show in our bank first.')).toBeVisible()
    await expect(page.getByText('Share on WhatsApp')).toHaveCount(0)
  })

  await show(first, 300, 'ASHA RANI')
  await withSheet(page)
  await test.step('then the buyer shares a link, by the sheet of the phone or as a QR code', async () => {
    await page.reload()
    const both = 'Both of you get ₹25 when your friend’s first payment of ₹200 or more shows in our bank.'
    await expect(page.getByText(both)).toBeVisible()
    await expect(page.getByText('₹500 left this month.')).toBeVisible()
    const share = page.getByRole('link', { name: 'Share on WhatsApp' })
    await expect(share).toHaveAttribute('href', /^https:\/\/wa\.me\/\?text=Get%20%E2%82%B925.+signup%3Fref%3DI-/)
    await share.tap()
    expect(await sharedOf(page)).toMatchObject({ url: expect.stringMatching(/\/signup\?ref=I-[\dA-F]{12}$/) })
    await page.getByText('When does a friend count?').tap()
    await expect(page.getByText(/They pay ₹200 or more .+ The credit lasts 60 days\./)).toBeVisible()
    await page.getByRole('button', { name: 'QR code' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Your invitation' })
    await expect(dialog.getByRole('img', { name: 'QR code of your invitation' })).toBeVisible()
    await page.goBack()
    await expect(dialog).toBeHidden()
    await seeNoFault(page)
  })

  const link = (await sharedOf(page))?.url ?? ''
  await test.step('a product that the buyer shares carries the code, too', async () => {
    await page.goto('/buy?product=Night+Circuit&duration=1+Day')
    await page.getByRole('button', { name: 'Share this product' }).tap()
    const code = new URL(link).searchParams.get('ref')
    await expect
      .poll(() => sharedOf(page))
      .toMatchObject({
        url: expect.stringContaining(`/buy?product=Night+Circuit&ref=${code}`),
      })
    await page.getByRole('button', { name: 'Buy with Wallet' }).tap()
    await expect(page.getByRole('link', { name: 'Invite a friend and get ₹25' })).toHaveAttribute('href', '/account')
  })

  await test.step('the friend signs up with the link, and reads what the first payment brings', async () => {
    await ravi.page.goto(link)
    await expect(ravi.page.getByText('₹25 for you after your first payment of ₹200.')).toBeVisible()
    await ravi.page.getByLabel('Email').fill('ravi@example.in')
    await ravi.page.getByLabel('Username').fill('ravi')
    await ravi.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await ravi.page.getByRole('button', { name: 'Sign up' }).click()
    await ravi.page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(ravi.page).toHaveURL('/')
    await ravi.page.getByRole('button', { name: 'Add Money' }).first().tap()
    const offer = /^Add ₹200 or more by \d+\s\w+(\s\d+)?: ₹25 on top, once our bank shows it\.$/
    await expect(ravi.page.getByRole('dialog', { name: 'Add Money' }).getByText(offer)).toBeVisible()
    // Who may not invite yet has no line for it
    await ravi.page.goto('/account')
    await expect(ravi.page.getByText('Your own first payment must show in our bank first.')).toBeVisible()
  })

  await test.step('a statement shows the friend’s payment, and both are paid', async () => {
    await show(await pay(friend, 200, '9123456780'), 200, 'RAVI KUMAR')
    const balance = async (calls: Client<Api>) => (await calls.sessions.me({})).balance
    await expect.poll(() => balance(friend), { timeout: PAID_WITHIN_MS }).toBe(225)
    expect(await balance(buyer)).toBe(225)
    await page.goto('/account')
    await expect(page.getByText('1 friend joined · 1 counted · ₹25 earned')).toBeVisible()
    await expect(page.getByText('₹475 left this month.')).toBeVisible()
  })

  await test.step('the owner sees it, gives the buyer another rate, pauses and resumes', async () => {
    await desk.page.goto(VIEW)
    const row = rowOf(desk.page, 'asha')
    await expect(row).toContainText('1 joined · 1 counted')
    await expect(row).toContainText('₹25')
    await expect(desk.page.getByText('₹50 of ₹5,000 this month')).toBeVisible()
    await expect(desk.page.getByText('Rewards wait for a statement.')).toHaveCount(0)
    await (await actionOf(row, 'Own rate of asha')).click()
    const dialog = desk.page.getByRole('dialog', { name: 'Own rate of asha' })
    await dialog.getByLabel('For each friend (₹)').fill('90')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByText(/at most half of the first payment: ₹100\.$/)).toBeVisible()
    await dialog.getByLabel('For each friend (₹)').fill('40')
    await seeNoFault(desk.page)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(row).toContainText('₹40 a friend')
    await (await actionOf(row, 'Pause asha')).click()
    await expect(row).toContainText('Paused')
    await (await actionOf(row, 'Resume asha')).click()
    await expect(row).not.toContainText('Paused')
  })
  for (const { context } of [desk, asha, ravi]) await context.close()
})
