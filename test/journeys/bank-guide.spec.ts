/** The phone's page, followed to the letter: what each app then sends ticks off its setup. */
import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { logInAt } from '../../scripts/store-process.ts'
import { expect } from './admin-counter.ts'
import { DESK, PHONE } from './people.ts'
import { person, test, type RunningStore } from './store.ts'

const PUBLIC_URL = 'https://shop.example'
const OTHERS_SMS = { from: '+919812345678', text: 'Are you coming home for dinner?' }
const BANK = 'VM-HDFCBK-S'

test.use({ environment: { PUBLIC_URL, TRUST_PROXY: '127.0.0.1' } })

interface Sms {
  from: string
  text: string
}
/** What was pasted from the page into an app. */
interface Pasted {
  address: string
  headers: Record<string, string>
  body: string
  filters: string[]
}
interface Sent {
  headers: Record<string, string>
  data: string
}

const contains: Matcher = (filters, text) => filters.some((word) => text.toLowerCase().includes(word))
const finds: Matcher = ([filter = ''], text) => new RegExp(filter.replace('(?i)', ''), 'i').test(text)
type Matcher = (filters: readonly string[], text: string) => boolean

/** Each app as it was seen to filter and to send. */
const APPS: Record<string, { matches: Matcher; send: (pasted: Pasted, sms: Sms) => Sent }> = {
  MacroDroid: {
    matches: contains,
    send: ({ headers, body }, { from, text }) => ({
      headers: {
        ...Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, value.replace('[sms_number]', from)]),
        ),
        'content-type': 'text/plain; charset=utf-8',
        'user-agent': 'okhttp/4.12.0',
      },
      data: body.replace('[sms_message]', () => text),
    }),
  },
  'SMS to URL': {
    matches: finds,
    send: ({ headers, body }, { from, text }) => ({
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8', 'user-agent': 'SMS Forwarder App' },
      data: body
        .replace('%from%', from)
        .replace('%text%', () => JSON.stringify(text).slice(1, -1))
        .replace(/%(?:sent|received)Stamp%/g, () => String(Date.now()))
        .replace('%sim%', 'sim1'),
    }),
  },
  SmsForwarder: {
    matches: finds,
    send: ({ headers, body }, { from, text }) => ({
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'okhttp/4.10.0' },
      data: body
        .replace('[from]', encodeURIComponent(from))
        .replace('[org_content]', () => encodeURIComponent(text))
        .replace('[timestamp]', String(Date.now())),
    }),
  },
  iPhone: {
    matches: contains,
    send: ({ headers, body }, { from, text }) => {
      const fields = Object.entries(JSON.parse(body) as Record<string, string>)
      const valueOf = (name: string) => (name === 'Message' ? text : name === 'Sender' ? from : name)
      return {
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'BackgroundShortcutRunner/3607' },
        data: JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, valueOf(value)]))),
      }
    },
  },
}

/** Connects a phone by the panel's code, and opens its page. */
async function connected(page: Page, request: APIRequestContext, store: RunningStore): Promise<void> {
  const cookie = await logInAt(store.url, '/admin/login', store.admin)
  const send = async (path: string, data: object) => {
    const answer = await request.post(`/api${path}`, { data, headers: { cookie } })
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()) as { _id: string; code: string }
  }
  const account = { bank: 'HDFC', label: 'Till', tail: '5678', feedsStore: true }
  const { _id } = await send('/bank/accounts', account)
  const { code } = await send('/bank/devices', { name: 'Counter', accountIds: [_id] })
  // The test's browser reaches the store without its HTTPS address
  await page.route('**/api/bank/devices/pair', async (route) => {
    const { origin: _, ...headers } = await route.request().allHeaders()
    await route.fulfill({ response: await route.fetch({ headers }) })
  })
  await page.goto(`/phone#${code}`)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText('Counter is connected')).toBeVisible()
}

const copied = (page: Page, what: RegExp) =>
  page
    .getByRole('button', { name: what })
    .evaluateAll((buttons) => buttons.map((button) => button.parentElement?.querySelector('code')?.textContent ?? ''))

async function pastedFrom(page: Page, app: string): Promise<Pasted> {
  await page.getByRole('button', { name: app, exact: true }).click()
  if (app === 'MacroDroid') await page.getByText('Add the macro by hand.').click()
  const [address = ''] = await copied(page, /^Copy address$/)
  const [body = ''] = await copied(page, /^Copy body$/)
  const [header = ''] = await copied(page, /^Copy header$/)
  const [sender] = await copied(page, /^Copy sender header$/)
  const authorization = header.startsWith('{') ? JSON.parse(header) : { Authorization: header }
  return {
    address,
    headers: { ...authorization, ...(sender !== undefined && { 'X-Alert-Sender': sender }) },
    body,
    filters: await copied(page, /^Copy filter/),
  }
}

const tick = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ hasText: name }).getByRole('img', { name: 'done' })

let ref = 632_545_100_000
const today = () =>
  new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: '2-digit', timeZone: 'Asia/Kolkata' })
    .format()
    .replaceAll('/', '-')
const alert = () =>
  `Credit Alert!\nRs.500.00 credited to HDFC Bank A/c XX5678 on ${today()} from VPA ravi@okaxis (UPI ${(ref += 1)})`

for (const [app, { matches, send }] of Object.entries(APPS))
  test(`the guide for ${app} works as written, and its page ticks off address, SMS and bank`, async ({
    browser,
    store,
  }) => {
    const { page, context } = await person(browser, store, { viewport: app === 'iPhone' ? DESK : PHONE })
    await connected(page, context.request, store)
    const pasted = await pastedFrom(page, app)
    expect(pasted.address).toBe(`${PUBLIC_URL}/api/bank/alerts`)
    /** What the phone gets is forwarded if the app's filter lets it through. */
    const gets = async (sms: Sms): Promise<string | undefined> => {
      if (!matches(pasted.filters, sms.text)) return undefined
      const answer = await context.request.post('/api/bank/alerts', send(pasted, sms))
      expect(answer.status()).toBe(200)
      return ((await answer.json()) as { outcome: string }).outcome
    }
    const [words = ''] = await copied(page, /^Copy test message$/)

    // The app's own test
    await context.request.post('/api/bank/alerts', send(pasted, { from: 'Test', text: 'Test' }))
    await expect(tick(page, 'Address')).toBeVisible()
    expect(await gets(OTHERS_SMS)).toBeUndefined()
    await expect(tick(page, 'SMS')).toBeHidden()

    expect(await gets({ from: '+919812345678', text: words })).toBe('ignored')
    await expect(tick(page, 'SMS')).toBeVisible()
    await expect(tick(page, 'Bank')).toBeHidden()
    await expect(page.getByText('It works.')).toBeHidden()

    expect(await gets({ from: BANK, text: alert() })).toBe('credit')
    await expect(page.getByText('It works. The store got a message from your bank.')).toBeVisible()
    for (const text of [
      'Received Rs.250.00 in your HDFC Bank AC X5678',
      'INR 5 deposited',
      'Amt is CREDITED to A/c XX5678',
    ])
      expect(matches(pasted.filters, text), text).toBe(true)
  })

interface MacroFile {
  macroExportVersion: number
  macro: {
    m_triggerList: { m_classType: string; m_option: number; m_smsContent: string; enableRegex: boolean }[]
    m_actionList: {
      m_classType: string
      requestConfig: {
        requestType: number
        urlToOpen: string
        headerParams: { paramName: string; paramValue: string }[]
        contentType: string
        contentBodyText: string
      }
    }[]
  }
}

test('MacroDroid’s file does what the guide says by hand, and ticks off the bank', async ({ browser, store }) => {
  const { page, context } = await person(browser, store, { viewport: PHONE })
  await connected(page, context.request, store)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the macro' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('bank-sms.macro')
  const { macroExportVersion, macro } = JSON.parse(await readFile(await file.path(), 'utf8')) as MacroFile
  const byHand = await pastedFrom(page, 'MacroDroid')

  expect(macroExportVersion).toBe(1)
  const [action] = macro.m_actionList
  const { requestType, urlToOpen, headerParams, contentType, contentBodyText } = action!.requestConfig
  expect([action!.m_classType, requestType, contentType]).toEqual(['HttpRequestAction', 1, 'text/plain'])
  expect(urlToOpen).toBe(byHand.address)
  for (const { m_classType, m_option, enableRegex } of macro.m_triggerList)
    expect([m_classType, m_option, enableRegex]).toEqual(['IncomingSMSTrigger', 3, false])
  expect(macro.m_triggerList.map(({ m_smsContent }) => m_smsContent)).toEqual(byHand.filters)

  const played = (text: string) => text.replace('{sms_number}', BANK).replace('{sms_message}', () => alert())
  const answer = await context.request.post('/api/bank/alerts', {
    headers: {
      ...Object.fromEntries(headerParams.map(({ paramName, paramValue }) => [paramName, played(paramValue)])),
      'content-type': contentType,
    },
    data: played(contentBodyText),
  })
  expect([answer.status(), await answer.json()]).toEqual([200, { outcome: 'credit' }])
  await expect(page.getByText('It works. The store got a message from your bank.')).toBeVisible()
  // HDFC's, so that nobody waits for one of ₹100
  await expect(page.getByText('Payments up to ₹500 may come without an SMS.')).toBeVisible()
})

test('a page that is open for an hour ticks off nothing by itself, and sends nothing', async ({ browser, store }) => {
  const { page, context } = await person(browser, store, { viewport: PHONE })
  await page.clock.install()
  await connected(page, context.request, store)
  await expect(page.getByRole('img', { name: 'open' })).toHaveCount(3)
  const sent: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
  for (let minute = 0; minute < 60; minute++) await page.clock.fastForward(60_000)
  await expect(page.getByRole('img', { name: 'open' })).toHaveCount(3)
  expect(sent).toEqual([])
})

test('the phone’s page is in Hindi for who chose it before, and the choice keeps the code', async ({
  browser,
  store,
}) => {
  const { page } = await person(browser, store, { viewport: PHONE })
  await page.goto('/phone#a-code')
  await page.getByRole('link', { name: 'हिन्दी' }).click()
  await expect(page.getByRole('button', { name: 'कनेक्ट करें' })).toBeVisible()
  expect(page.url()).toContain('/phone#a-code')
})
