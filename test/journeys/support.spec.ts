/** The support link: a new store asks for it, pages name it where buyers need help, and none shows an empty one. */
import { expect, PHONE, test } from './admin-counter.ts'
import { enterPanel } from './people.ts'
import { person, test as own } from './store.ts'

const LINK = 'https://chat.example/shop'

own('a new store asks for a support link, and no longer once it has one', async ({ browser, store }) => {
  const { page, context } = await person(browser, store, { viewport: PHONE })
  await enterPanel(context.request, store.admin)
  await page.goto('/admin')
  await page.getByRole('button', { name: 'Leave the guide' }).click()
  const steps = page.getByRole('region', { name: 'Set up your store' })
  await expect(steps.getByText('0 of 6 complete')).toBeVisible()
  await steps.getByRole('link', { name: /^Add a support link/ }).click()
  await expect(page).toHaveURL(/\/admin\/settings#support$/)
  const field = page.getByLabel('Support link')
  await expect(field).toBeInViewport()
  await field.fill(LINK)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Settings saved').first()).toBeVisible()
  await page.goto('/admin')
  await expect(steps.getByText('1 of 6 complete')).toBeVisible()
  await context.close()
})

test('login, sign-up and the lock notice lead to support where there is one, and name none where there is not', async ({
  people,
  shop,
}) => {
  const account = await people.buyer()
  const { page } = await people.visitor({ viewport: PHONE })
  const before = await shop.owner.settings.store({})
  const links = page.locator(`a[href="${LINK}"]`)
  const tryLogin = async () => {
    await page.goto('/login')
    await page.getByLabel('Username').fill(account.username)
    await page.getByLabel('Password', { exact: true }).fill('a long buyer password')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByText('You are already logged in on another device')).toBeVisible()
  }
  try {
    // A store with mail sends a link to a buyer who forgot the password
    await shop.owner.messages.saveChannel({ name: 'email', isOn: false })
    await shop.owner.settings.saveStore({ supportUrl: '' })
    await tryLogin()
    for (const path of ['/login', '/signup', '/reset-password', '/terms-policy', '/']) {
      if (path !== '/login') await page.goto(path)
      await expect(page.getByRole('heading').first()).toBeVisible()
      await expect(page.getByText(/support/i), path).toHaveCount(0)
    }

    await shop.owner.settings.saveStore({ supportUrl: LINK })
    await tryLogin()
    await expect(page.getByRole('alert').getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', LINK)
    await expect(links.filter({ hasText: 'Forgot your password?' })).toBeVisible()
    await page.goto('/signup')
    await expect(links.filter({ hasText: 'No code?' })).toBeVisible()
    await page.goto('/reset-password')
    await expect(links.filter({ hasText: 'Contact support' })).toBeVisible()
    await page.goto('/terms-policy')
    await expect(links).toHaveAccessibleName('Contact support · chat.example')
  } finally {
    await shop.owner.settings.saveStore({ supportUrl: before.supportUrl })
    await shop.owner.messages.saveChannel({ name: 'email', isOn: true })
  }
})
