/** The texts that a buyer reads when a change fails: in the words of the specification, with nothing lost. */
import type { Page, Route } from '@playwright/test'
import { expect, PASSWORD, test, type Buyer } from './people.ts'

const FAULTS = {
  wordless: (route: Route) => route.fulfill({ status: 500, json: {} }),
  worded: (route: Route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'The store hiccuped.' } }),
  html: (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  broken: (route: Route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"user":' }),
  limited: (route: Route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '840' },
      json: { code: 'RATE_LIMITED', message: 'Too many attempts.' },
    }),
  lost: (route: Route) => route.abort('connectionfailed'),
} as const
type Fault = keyof typeof FAULTS

const HTML = 'Server returned HTML instead of JSON. Status: 502'
const BROKEN = 'Invalid response format from server'
const LIMITED = 'Too many attempts. Try again in 14 minutes.'
const UNREACHABLE = 'The store can’t be reached. Check your connection and try again.'

interface Case {
  name: string
  call: string
  /** Fills in the form, and presses its button each time. */
  prepare: (page: Page) => Promise<unknown>
  submit: (page: Page) => Promise<unknown>
  says: Record<Fault, string>
  /** The input that must still be there. */
  keeps: (page: Page) => Promise<unknown>
}

const alertOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

const VISITOR_CASES: Case[] = [
  {
    name: 'login',
    call: '**/api/auth/login',
    prepare: async (page) => {
      await page.goto('/login')
      await page.getByLabel('Username').fill('aarav')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    },
    submit: (page) => page.getByRole('button', { name: 'Login', exact: true }).click(),
    says: {
      wordless: 'Login failed with status 500',
      worded: 'Login failed: The store hiccuped.',
      html: `Login failed: ${HTML}`,
      broken: `Login failed: ${BROKEN}`,
      limited: `Login failed: ${LIMITED}`,
      lost: 'API connection failed: the store is back online. Please try again.',
    },
    keeps: (page) => expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD),
  },
  {
    name: 'device reset',
    call: '**/api/auth/reset-device-lock',
    prepare: async (page) => {
      await page.goto('/login')
      await page.getByLabel('Username').fill('aarav')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    },
    submit: async (page) => {
      await page.getByRole('button', { name: 'Reset Device Lock', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Reset device lock' }).click()
    },
    says: {
      wordless: 'Reset failed: Device reset failed with status 500',
      worded: 'Reset failed: The store hiccuped.',
      html: `Reset failed: ${HTML}`,
      broken: `Reset failed: ${BROKEN}`,
      limited: `Reset failed: ${LIMITED}`,
      lost: 'API connection failed: the store is back online. Please try again.',
    },
    keeps: (page) => expect(page.getByLabel('Username')).toHaveValue('aarav'),
  },
  {
    name: 'sign-up',
    call: '**/api/auth/register',
    prepare: async (page) => {
      await page.goto('/signup?ref=WELCOME50')
      await page.getByLabel('Email').fill('faulty@example.in')
      await page.getByLabel('Username').fill('faulty')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await expect(page.getByText('Code applied')).toBeVisible()
    },
    submit: (page) => page.getByRole('button', { name: 'Sign up' }).click(),
    says: {
      wordless: 'Register failed with status 500',
      worded: 'The store hiccuped.',
      html: HTML,
      broken: BROKEN,
      limited: LIMITED,
      lost: UNREACHABLE,
    },
    keeps: (page) => expect(page.getByLabel('Email')).toHaveValue('faulty@example.in'),
  },
]

const BUYER_CASES: Case[] = [
  {
    name: 'add money',
    call: '**/api/payments/add-money',
    prepare: async (page) => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Add Money' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Amount', { exact: true }).fill('300')
      await dialog.getByLabel('UTR (12-digit transaction number)').fill('402611879999')
      await dialog.getByLabel('Contact phone').fill('9876543210')
      await dialog.getByRole('checkbox').check()
    },
    submit: (page) => page.getByRole('button', { name: 'Submit request' }).click(),
    says: {
      wordless: 'The store is busy right now. Please try again in a moment.',
      worded: 'The store hiccuped.',
      html: 'We couldn’t confirm your request',
      broken: UNREACHABLE,
      limited: LIMITED,
      lost: 'We couldn’t confirm your request',
    },
    keeps: (page) => expect(page.getByLabel('UTR (12-digit transaction number)')).toHaveValue('402611879999'),
  },
]

async function goThrough(page: Page, { call, prepare, submit, says, keeps }: Case): Promise<void> {
  await prepare(page)
  for (const fault of Object.keys(FAULTS) as Fault[]) {
    await page.route(call, FAULTS[fault])
    await submit(page)
    await expect.soft(alertOf(page, says[fault]), fault).toBeVisible()
    await keeps(page)
    await page.unroute(call)
  }
}

for (const each of VISITOR_CASES) {
  test(`${each.name}: every fault is said, and the form keeps what was typed`, async ({ people }) => {
    const { page } = await people.visitor()
    await goThrough(page, each)
  })
}

for (const each of BUYER_CASES) {
  test(`${each.name}: every fault is said, and the form keeps what was typed`, async ({ people }) => {
    const { page } = await people.buyer()
    await goThrough(page, each)
  })
}

/** The only product that this buyer can pay for many times over. */
async function openOrder({ page }: Buyer): Promise<void> {
  await page.goto('/buy?product=Paper+Kingdoms')
  await expect(page.getByRole('button', { name: 'Buy with Wallet' }).first()).toBeEnabled()
}

test('buying: a fault that leaves it open is asked about, by the same key, until there is one purchase', async ({
  people,
}) => {
  const buyer = await people.buyer({ balance: 500 })
  const { page, calls } = buyer
  await openOrder(buyer)
  const keys: (string | undefined)[] = []
  const answers: ((route: Route) => Promise<unknown>)[] = [
    FAULTS.wordless,
    FAULTS.html,
    // It goes through, and its answer is cut off.
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    FAULTS.limited,
  ]
  await page.route('**/api/keys/buy', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    await (answers.shift() ?? ((last: Route) => last.continue()))(route)
  })
  await page.getByRole('button', { name: 'Buy with Wallet' }).first().click()
  await expect(page.getByText('Checking your order…')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('list', { name: 'Your keys' })).toBeVisible({ timeout: 20_000 })
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBeGreaterThanOrEqual(5)
  expect(await calls.keys.mine({})).toHaveLength(1)
})

test('buying: a refusal is said with its reason, and the order is over', async ({ people }) => {
  const buyer = await people.buyer({ balance: 500 })
  const { page } = buyer
  await openOrder(buyer)
  await page.route('**/api/keys/buy', FAULTS.limited)
  await page.getByRole('button', { name: 'Buy with Wallet' }).first().click()
  await expect(alertOf(page, `Failed to purchase key(s): ${LIMITED}`).first()).toBeVisible()
  await page.unroute('**/api/keys/buy')
  await page.getByRole('button', { name: 'Buy with Wallet' }).first().click()
  await expect(page.getByRole('list', { name: 'Your keys' })).toBeVisible()
})
