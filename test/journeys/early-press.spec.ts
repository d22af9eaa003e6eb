/** What is pressed or typed before the scripts are there counts, once. */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { expect, freshUtr, holdScripts, PHONE, test } from './admin-counter.ts'
import { drawnFor, screensOf } from '../screens.ts'
import { earlyWalk, strangeControls } from './early-walk.ts'
import { DESK, gotoDrawn, LONG, PHONE_AGENT, type People, type Shop } from './people.ts'

test('payments that are switched off, or on again, before the scripts come stay so', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  const release = await holdScripts(page)
  await gotoDrawn(page, '/admin')
  const isOn = async () => (await shop.owner.settings.upi({})).paymentEnabled
  try {
    await page.getByRole('switch', { name: 'Accept payments' }).click()
    release()
    await expect.poll(isOn).toBe(false)
    await expect(page.getByRole('switch', { name: 'Accept payments' })).not.toBeChecked()

    await page.unrouteAll({ behavior: 'wait' })
    const again = await holdScripts(page)
    await gotoDrawn(page, '/admin')
    await page.getByRole('switch', { name: 'Accept payments' }).click()
    again()
    await expect.poll(isOn).toBe(true)
    await expect(page.getByRole('switch', { name: 'Accept payments' })).toBeChecked()
  } finally {
    await shop.owner.settings.saveUpi({ paymentEnabled: true })
  }
})

const pressedWhileHydrating = (people: People, selector: string) =>
  usedWhileHydrating(people, `document.querySelector('${selector}').click()`)

/** @returns a page of a slow phone, on which `use` happens while it hydrates */
async function usedWhileHydrating(people: People, use: string): Promise<Page> {
  const { context } = await people.visitor({ viewport: PHONE, colorScheme: 'dark' })
  const page = await context.newPage()
  const engine = await context.newCDPSession(page)
  await engine.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  // React listens from now on, and hydrates in pieces
  await page.addInitScript(`
    const listen = EventTarget.prototype.addEventListener
    EventTarget.prototype.addEventListener = function (type, ...rest) {
      listen.call(this, type, ...rest)
      if (type !== 'click' || this.id !== 'root' || this.isUsed) return
      this.isUsed = true
      setTimeout(() => { ${use} })
    }`)
  return page
}

// Seen to fail while React took the press: it knew nothing of the text yet
test('what was typed is known to a press while the page comes alive', async ({ people }) => {
  const page = await pressedWhileHydrating(people, 'form [type="submit"]')
  const release = await holdScripts(page)
  await gotoDrawn(page, '/login')
  await page.getByLabel('Username').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  release()
  await expect(page.getByRole('alert')).toHaveText('Login failed: Incorrect username or password.')
})

// Seen to fail while the press was noted after React had taken it: the theme changed twice
test('what is pressed while the page comes alive counts once', async ({ people }) => {
  const page = await pressedWhileHydrating(people, '[aria-label="Switch to light theme"]')
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible()
  await page.waitForTimeout(1_500)
  await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible()
})

// Seen to fail while what was not yet alive took the change: the page was drawn again (React's error 418)
test('who goes back while the page comes alive gets there, and the page is drawn once', async ({ people }) => {
  const page = await usedWhileHydrating(people, `if (location.pathname === '/terms-policy') history.back()`)
  const faults: Error[] = []
  page.on('pageerror', (fault) => faults.push(fault))
  await page.goto('/')
  await page.waitForFunction(() => !('noteEarly' in window))
  await page.getByRole('link', { name: 'Terms and policy' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms and Conditions' })).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeAttached()
  expect(faults).toEqual([])
})

test('a page that was scrolled before its scripts came stays where it is', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  const release = await holdScripts(page)
  await gotoDrawn(page, '/admin')
  await expect(page.getByRole('region', { name: 'Totals' })).toBeVisible()
  await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }))
  release()
  await page.waitForFunction(() => !('noteEarly' in globalThis))
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(550)
})

test('a page that nobody touches changes nothing', LONG, async ({ owner, people }) => {
  const sent: string[] = []
  const watch = (page: Page) =>
    page.on('request', (request) => {
      if (request.method() !== 'GET')
        sent.push(`${request.method()} ${new URL(request.url()).pathname} of ${page.url()}`)
    })
  const [panel, { page: buyer }] = await Promise.all([owner({ viewport: PHONE }), people.buyer({ balance: 100 })])
  const visit = async (page: Page, paths: readonly string[]) => {
    watch(page)
    for (const path of paths) {
      await page.goto(path)
      // The last event by which an early press is repeated
      await page.waitForFunction(() => !('noteEarly' in window))
    }
  }
  await Promise.all([visit(panel, screensOf('admin')), visit(buyer, screensOf('anyone', 'buyer'))])
  expect(sent).toEqual([])
})

/** Those of one kind of person, and what a query adds to them. */
const DRAWN = {
  visitor: drawnFor('visitor'),
  buyer: [...drawnFor('buyer'), '/buy?product=Hexfall+Tactics', '/buy?product=Paper+Kingdoms'],
  owner: [...drawnFor('admin'), '/admin/payment-manager?status=all', '/admin/bank?status=matched'],
}

const STILL = { reducedMotion: 'reduce', serviceWorkers: 'block' } as const
const SIZES = { phone: { ...STILL, viewport: PHONE, userAgent: PHONE_AGENT }, desk: { ...STILL, viewport: DESK } }

interface Given {
  people: People
  shop: Shop
  owner: (options: BrowserContextOptions) => Promise<Page>
}

test.describe('of every drawn page', () => {
  test.describe.configure({ mode: 'parallel' })
  const openAs = {
    visitor: async ({ people }: Given, options: BrowserContextOptions) => (await people.visitor(options)).context,
    owner: async ({ owner }: Given, options: BrowserContextOptions) => (await owner(options)).context(),
    buyer: async ({ people, shop }: Given, options: BrowserContextOptions) => {
      const { context, calls } = await people.buyer({ ...options, balance: 900 })
      const product = (await shop.owner.catalogue.list({})).find(({ prices }) =>
        prices.some(({ available }) => available),
      )
      const price = product?.prices.find(({ available }) => available)
      const place = { productId: product?._id ?? '', duration: price?.duration ?? '5 Days', quantity: 1 }
      await calls.orders.place(place, { idempotencyKey: crypto.randomUUID() })
      await calls.payments.addMoney({ amount: 100, utr: freshUtr(), payerName: '9812345675' })
      return context
    },
  }

  test('the scripts hear all that can be pressed', async ({ people, owner, shop }) => {
    const faults: string[] = []
    for (const who of ['buyer', 'owner'] as const) {
      const context = await openAs[who]({ people, owner, shop }, { ...SIZES.phone, javaScriptEnabled: false })
      const page = await context.newPage()
      for (const path of DRAWN[who]) {
        await gotoDrawn(page, path)
        faults.push(...(await strangeControls(page)).map((control) => `${path}: ${control}`))
      }
    }
    expect(faults).toEqual([])
  })

  for (const [who, size] of [
    ['visitor', 'phone'],
    ['buyer', 'phone'],
    ['owner', 'phone'],
    ['owner', 'desk'],
  ] as const)
    for (const path of DRAWN[who])
      test(
        `what the ${who} uses early on ${path} on a ${size} does its work once`,
        LONG,
        async ({ people, owner, shop }) => {
          test.setTimeout(600_000)
          const walk = await earlyWalk(await openAs[who]({ people, owner, shop }, SIZES[size]))
          const faults: string[] = []
          for (const control of await walk.controls(path)) {
            // The frame is the same around every screen
            if (control.isOfFrame && path !== DRAWN[who][0]) continue
            faults.push(...(await walk.faults(path, control)))
          }
          expect(faults).toEqual([])
        },
      )
})
