/** Two tabs of one browser are one person, and a store that starts again is the same store. */
import { callsOf, enterPanel, expect, PASSWORD, PHONE, test } from './people.ts'
import { person } from './store.ts'

test('two tabs: what is bought in one is paid for in the other, and who logs out in one is out of both', async ({
  people,
}) => {
  const { page: first, context } = await people.buyer({ viewport: PHONE, balance: 400 })
  const second = await context.newPage()
  await first.goto('/')
  await second.goto('/buy?product=Paper+Kingdoms')
  await expect(first.getByRole('region', { name: 'Wallet' }).getByText('₹400', { exact: true })).toBeVisible()
  await second.getByRole('button', { name: 'Buy with Wallet' }).first().click()
  await expect(second.getByRole('list', { name: 'Your keys' })).toBeVisible()
  await expect(first.getByRole('region', { name: 'Wallet' }).getByText('₹321', { exact: true })).toBeVisible()

  await second.goto('/')
  await second.getByRole('button', { name: 'Menu' }).click()
  await second.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Logout' }).click()
  await expect(second).toHaveURL(/\/login/)
  await expect(first).toHaveURL(/\/login/)
  await expect(first.getByRole('alertdialog')).toHaveCount(0)
})

test('two tabs: when somebody else logs in in one, the other shows them and nothing of the last person', async ({
  people,
}) => {
  const { page: first, context } = await people.buyer({ viewport: PHONE, balance: 400 })
  const other = await people.account()
  await first.goto('/')
  const wallet = first.getByRole('region', { name: 'Wallet' })
  await expect(wallet.getByText('₹400', { exact: true })).toBeVisible()
  // It was asleep while the first person logged out, and got no event.
  await first.route('**/api/auth/me', (route) => route.abort())
  await first.route('**/api/events', (route) => route.abort())
  await callsOf(context.request).sessions.logout({})
  const second = await context.newPage()
  await second.goto('/login')
  await second.getByLabel('Username').fill(other.username)
  await second.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await second.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(second.getByRole('region', { name: 'Wallet' }).getByText('₹50', { exact: true })).toBeVisible()
  await expect(wallet.getByText('₹50', { exact: true })).toBeVisible()
})

test('two tabs: the theme that is chosen in one is the other’s as soon as it is looked at', async ({ people }) => {
  const { page: first, context } = await people.visitor()
  const second = await context.newPage()
  await first.goto('/')
  await second.goto('/login')
  await first.getByRole('button', { name: /theme|light/i }).click()
  await expect(first.locator('html')).toHaveAttribute('data-theme', 'light')
  // A browser without windows gives no page the focus
  await second.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'light')
})

test('a restart of the store is said quietly, keeps the session and the form, and goes on by itself', async ({
  browser,
  store,
  playwright,
}) => {
  test.setTimeout(180_000)
  const owner = await enterPanel(await playwright.request.newContext({ baseURL: store.url }), store.admin)
  await owner.referrals.create({ code: 'AGAIN', description: 'Again', rewardAmount: 120, isActive: true })
  await owner.settings.saveUpi({ upiId: 'shop@okaxis', paymentEnabled: true })
  const { page, context } = await person(browser, store)
  const calls = callsOf(context.request)
  const registration = { email: 'again@example.in', username: 'again', password: PASSWORD, referralCode: 'AGAIN' }
  await calls.sessions.register(registration)
  await calls.sessions.login({ username: 'again', password: PASSWORD })
  await page.goto('/')
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount', { exact: true }).fill('250')
  await dialog.getByLabel('UTR (12-digit transaction number)').fill('402611871234')
  await dialog.getByLabel('Contact phone').fill('9876543210')
  await dialog.getByRole('checkbox').check()

  await store.restart(async () => {
    await dialog.getByRole('button', { name: 'Submit request' }).click()
    await expect(dialog.getByRole('alert').filter({ hasText: 'Submit it again' })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('Reconnecting…')).toHaveCount(1)
  })
  await expect(page.getByText('Reconnecting…')).toHaveCount(0, { timeout: 30_000 })
  await dialog.getByRole('button', { name: 'Submit request' }).click()
  await expect(dialog.getByText('Request submitted')).toBeVisible()
  await expect(page.getByText('Awaiting approval: ₹250')).toBeVisible()
})
