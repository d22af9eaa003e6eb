/** The way back closes what lies over the page, and only then leaves the page; nothing is left over in the history. */
import type { Page } from '@playwright/test'
import { expect, PHONE, test } from './people.ts'

/** Until the history has been brought in line with what is open. */
const entries = (page: Page) => page.evaluate(() => history.length)
/** Longer than a page waits for it, as on a phone that is busy. */
const LATE_MS = 1_600
const delayBack = (page: Page) =>
  page.evaluate((ms) => {
    const back = history.back.bind(history)
    history.back = () => void setTimeout(back, ms)
  }, LATE_MS)
const onLayer = (page: Page) => page.evaluate(() => (history.state as { isLayer?: boolean } | null)?.isLayer === true)

test('Back closes the payment dialog and keeps what was typed', async ({ people }) => {
  const { page } = await people.buyer({ viewport: PHONE })
  await page.goto('/add-balance')
  await page.getByRole('link', { name: 'Chaabi' }).first().click()
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount', { exact: true }).fill('250')
  await expect.poll(() => onLayer(page)).toBe(true)

  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('button', { name: 'Add Money' })).toBeFocused()

  await page.getByRole('button', { name: 'Add Money' }).click()
  await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('250')
  // Closed by its own button, it leaves nothing behind: one step back is the page before.
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => onLayer(page)).toBe(false)
  await page.goBack()
  await expect(page).toHaveURL(/\/add-balance$/)
})

test('Back knows of each layer by the time it is seen, and takes one step for it', async ({ people }) => {
  const { page } = await people.buyer({ viewport: PHONE })
  await page.addInitScript(() => {
    const seen: boolean[] = []
    const steps: string[] = []
    Object.assign(window, { seen, steps })
    const isOnLayer = () => (history.state as { isLayer?: boolean } | null)?.isLayer === true
    new MutationObserver((changes) => {
      for (const { target } of changes) if (target instanceof HTMLDialogElement && target.open) seen.push(isOnLayer())
    }).observe(document, { attributeFilter: ['open'], subtree: true })
    for (const step of ['pushState', 'back'] as const) {
      const own = history[step].bind(history) as (...args: unknown[]) => void
      Object.assign(history, {
        [step]: (...args: unknown[]) => {
          steps.push(step)
          own(...args)
        },
      })
    }
  })
  const told = <T>(name: string) => page.evaluate((of) => (window as never as Record<string, T[]>)[of], name)
  await page.goto('/')
  for (const name of ['Menu', 'Add Money']) {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  expect(await told('seen')).toEqual([true, true])
  expect(await told('steps')).toEqual(['pushState', 'pushState'])
  await page.goto('/account')
  const row = page.locator('details#profile')
  await row.locator('summary').click()
  await expect.poll(() => onLayer(page)).toBe(true)
  await page.goBack()
  await expect(row).not.toHaveAttribute('open')
  await expect(page).toHaveURL(/\/account$/)
  expect(await told('steps')).toEqual(['pushState'])
})

test('a tapped tab looks chosen before its screen is there; Back and another tap take its place', async ({
  people,
}) => {
  const { page } = await people.buyer({ viewport: PHONE })
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route('**/assets/my-key-screen*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/')
  const tabs = page.getByRole('navigation', { name: 'Main' })
  const chosen = tabs.locator('[aria-current=page]')

  await tabs.getByRole('link', { name: 'My Key' }).click()
  await expect(chosen).toHaveText('My Key')
  await expect(page).toHaveURL(/\/my-key$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/$/)
  await expect(chosen).toHaveText('Dashboard')

  await tabs.getByRole('link', { name: 'My Key' }).click()
  await tabs.getByRole('link', { name: 'Wallet History' }).click()
  await expect(chosen).toHaveText('Wallet History')
  letThrough()
  await expect(page.getByRole('heading', { name: 'Wallet History' })).toBeVisible()
  await expect(page).toHaveURL(/\/wallet-history$/)
  await expect(chosen).toHaveText('Wallet History')
})

test('Back closes the menu; a link in it takes the menu’s place in the history', async ({ people }) => {
  const { page } = await people.buyer({ viewport: PHONE })
  await page.goto('/')
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect.poll(() => onLayer(page)).toBe(true)
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(page).toHaveURL(/\/$/)

  await page.getByRole('button', { name: 'Menu' }).click()
  await expect.poll(() => onLayer(page)).toBe(true)
  await menu.getByRole('link', { name: 'My Key' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Key' })).toBeVisible()
  await expect(menu).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { name: 'Products' })).toBeVisible()
})

test('Back answers a question with no, and it is over for good', async ({ people }) => {
  const { page } = await people.visitor()
  await page.goto('/signup')
  await page.getByRole('link', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await page.getByLabel('Username').fill('somebody')
  await page.getByLabel('Password', { exact: true }).fill('something long')
  // A question is asked also where nothing more can be fetched
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.getByRole('button', { name: 'Reset Device Lock' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expect.poll(() => onLayer(page)).toBe(true)
  const before = await entries(page)
  await page.goBack()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByLabel('Username')).toHaveValue('somebody')

  // Forward leads to where the question was; it asks nothing, and is no step of its own.
  await page.goForward()
  await expect.poll(() => onLayer(page)).toBe(false)
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('alertdialog')).toBeHidden()
  expect(await entries(page)).toBe(before)
  await page.goBack()
  await expect(page).toHaveURL(/\/signup$/)
})

test('Back while the next screen is still on its way stays on the page', async ({ people }) => {
  const { page } = await people.buyer({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
  let arrived: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    arrived = resolve
  })
  await page.route(/wallet-history-screen.*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/my-key')
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'Wallet History' }).click()
  await expect(page).toHaveURL(/\/wallet-history$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/my-key$/)
  const answer = page.waitForResponse(/wallet-history-screen.*\.js$/)
  arrived()
  await (await answer).finished()
  await expect(page.getByRole('heading', { level: 1, name: 'My Key' })).toBeVisible()
  await expect(page).toHaveTitle(/My Key/)
})

test('a step back that comes late closes no other dialog, and leaves no page', async ({ people }) => {
  const { page } = await people.buyer({ viewport: PHONE })
  await page.goto('/add-balance')
  await page.getByRole('link', { name: 'Chaabi' }).first().click()
  await expect(page).toHaveURL(/\/$/)
  await delayBack(page)
  const menu = page.getByRole('dialog', { name: 'Menu' })
  const money = page.getByRole('dialog', { name: 'Add Money' })
  const closeMenu = async () => {
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect.poll(() => onLayer(page)).toBe(true)
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
  }

  await test.step('a dialog that opens meanwhile stays, and Back closes it', async () => {
    await closeMenu()
    await page.waitForTimeout(1_100)
    await page.getByRole('button', { name: 'Add Money' }).click()
    await page.waitForTimeout(2 * LATE_MS)
    await expect(money).toBeVisible()
    await expect.poll(() => onLayer(page)).toBe(true)
    await page.goBack()
    await expect(money).toBeHidden()
    await expect(page).toHaveURL(/\/$/)
  })

  await test.step('a page that opens meanwhile stays, and Back leads to the one before', async () => {
    await closeMenu()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Buy Key' }).click()
    await page.waitForTimeout(2 * LATE_MS)
    await expect(page).toHaveURL(/\/buy$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Buy Key' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/$/)
  })

  await test.step('it is asked for once, so the page before stays a step away', async () => {
    await closeMenu()
    await page.waitForTimeout(3 * LATE_MS)
    await expect(page).toHaveURL(/\/$/)
    expect(await onLayer(page)).toBe(false)
    await page.goBack()
    await expect(page).toHaveURL(/\/add-balance$/)
  })
})

test('a reload with an open menu ends nothing that is begun after it, and costs no step back', async ({ people }) => {
  const { page } = await people.buyer({ viewport: PHONE })
  const reloadWithMenu = async () => {
    await page.goto('/add-balance')
    await page.getByRole('link', { name: 'Chaabi' }).first().click()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect.poll(() => onLayer(page)).toBe(true)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Products' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }

  await test.step('a page that is long in coming comes', async () => {
    await reloadWithMenu()
    await page.route('/terms', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * LATE_MS))
      await route.continue()
    })
    await page.evaluate(() => void setTimeout(() => location.assign('/terms')))
    await expect(page).toHaveURL(/\/terms$/)
  })

  await test.step('one step back is the page before', async () => {
    await reloadWithMenu()
    await page.waitForTimeout(LATE_MS)
    await page.goBack()
    await expect(page).toHaveURL(/\/add-balance$/)
  })

  await test.step('a dialog that opens then closes on Back, and leaves nothing behind', async () => {
    await reloadWithMenu()
    await page.getByRole('button', { name: 'Add Money' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Money' })
    await expect(dialog).toBeVisible()
    await page.goBack()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/add-balance$/)
  })
})
