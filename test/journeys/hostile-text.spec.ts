/**
 * Text that would like to be more than text, in every field that takes any, on every screen that shows it:
 * nothing runs, and the content policy has nothing to report (v5.0.0-1.2.1, 1.2.3, 3.2.2, 3.4.3).
 */
import type { APIRequestContext, Browser, BrowserContextOptions, Locator, Page } from '@playwright/test'
import * as z from 'zod/mini'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { dayOf } from '../../contract/india.ts'
import { screensOf } from '../screens.ts'
import { actionOf } from './admin-counter.ts'
import { enterPanel, LONG, LOOKS_AT_ALL } from './people.ts'
import { expect, person, test, type RunningStore } from './store.ts'

// Each has a store of its own
test.describe.configure({ mode: 'parallel' })

const PAYLOADS = [
  '<img/src=x/onerror=__xss()>',
  '<svg/onload=__xss()>',
  '<script>__xss()</script>',
  '</title><script>__xss()</script>',
  '</script><script>__xss()</script>',
  '"onfocus="__xss()"autofocus="',
  "'-__xss()-'",
  'javascript:__xss()',
  '{{__xss()}}${__xss()}',
  '<!--><script>__xss()</script>',
  '<iframe/srcdoc="<script>parent.__xss()</script>">',
  '=HYPERLINK("javascript:__xss()")',
] as const
const PASSWORD = 'a long buyer password'
const BUSY = '[aria-busy=true], .loading'

/**
 * Every field of the contract that takes any text at all, found by asking its schema. Each is planted below; a new one
 * fails the test of the table until it is.
 */
const FREE_TEXT = [
  'sessions.register: username',
  'catalogue.create: name description instructions nameHi descriptionHi instructionsHi',
  'catalogue.update: name description instructions nameHi descriptionHi instructionsHi',
  'keys.add: supplier note keys',
  'keys.check: keys',
  'keys.editBatch: supplier note',
  'keys.edit: key',
  'claims.open: note',
  'claims.reject: answer',
  // The same places show these
  'claims.replace: answer',
  'claims.refund: answer',
  'claims.answerAll: answer',
  // Kept, and shown nowhere but in the audit log
  'claims.recall: note',
  'payments.approve: reason',
  'payments.reject: reason',
  'users.update: reason',
  'users.block: reason',
  'wallet.makeCodes: name',
  'groups.create: name',
  // The same list shows it
  'groups.update: name',
  'referrals.create: description',
  'referrals.update: description',
  'admins.create: username',
  'settings.saveSite: websiteName websiteTitle websiteTitleHi',
  'settings.saveNotice: text noticeHi',
  'settings.saveFace: heroLine heroLineHi',
  'settings.saveStore: refundNote refundNoteHi',
  'bank.createAccount: bank label',
  'bank.saveAccount: bank label',
  'bank.import: text',
  'bank.preview: text',
  // The same lists show these as they show what is planted
  'bank.closeAlarm: note',
  'bank.creditTo: reason',
  'bank.setAside: why',
  'bank.takeBack: reason',
  'proofs.hold: note',
  'bank.invite: name',
  'messages.saveChannel: host user',
  // Looked up and never shown
  'bank.pair: code',
  'wallet.redeem: code',
  'messages.subscribe: endpoint',
  'messages.unsubscribe: endpoint',
  'supply.addLink: name address',
  'supply.changeLink: name address',
  // Only looked up there
  'supply.check: address',
  // Shown to who typed it, and kept nowhere
  'supply.try: url body noneIf okIf answer',
  'supply.addApi: url body noneIf okIf name',
  'supply.changeApi: url body noneIf okIf name',
  'supply.saveSku: sku',
  'supply.settle: keys',
]
/** Fields that are only compared, never kept or shown: secrets, searches, and the names that people log in with. */
const NOT_KEPT =
  /pass(?:word|phrase)|token|secret|totp|search|duration|expected|referralCode|payTo|(?:login|reset|keep)\w*: username/i

/** The headers and types of an answer that are checked. */
interface Planted {
  _id?: string
  user?: { _id: string }
  users?: { _id: string }[]
  payment?: { _id: string }
  prices?: { _id: string }[]
  codes?: string[]
  keys?: { _id: string }[]
}

interface Watched {
  page: Page
  request: APIRequestContext
  /** Scripts that ran, or that only the content policy kept from running. */
  faults: string[]
}

/** Somebody with a browser that tells of all that runs, or would. */
async function watching(
  browser: Browser,
  store: RunningStore,
  options: Pick<BrowserContextOptions, 'storageState' | 'userAgent'> = {},
): Promise<Watched> {
  const { page, context } = await person(browser, store, {
    viewport: { width: 1280, height: 800 },
    // A hundred pages, each of which would be drawn thirty times until it stands still
    reducedMotion: 'reduce',
    ...options,
  })
  const faults: string[] = []
  await context.exposeFunction('__xss', () => void faults.push(`a payload ran at ${page.url()}`))
  await context.exposeFunction('__report', (what: string) => void faults.push(`${what} at ${page.url()}`))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { __report } = window as unknown as { __report(what: string): void }
      __report(`${violatedDirective} kept ${blockedURI} away`)
    })
  })
  page.on('dialog', (dialog) => {
    faults.push(`a dialog at ${page.url()}`)
    void dialog.dismiss()
  })
  return { page, request: context.request, faults }
}

async function visit({ page, faults }: Watched, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('main').first()).toBeVisible()
  await expect(page.locator(BUSY)).toHaveCount(0)
  expect(faults).toEqual([])
}

async function send(request: APIRequestContext, method: string, path: string, data?: object): Promise<Planted> {
  const answer = await request.fetch(`/api${path}`, { method, ...(data && { data }) })
  expect(answer.status(), `${method} ${path}`).toBeLessThan(500)
  return (await answer.json()) as Planted
}

test('v5.0.0-1.2.1 the fields that take any text are those that are planted', () => {
  const takes = (schema: z.ZodMiniType) => {
    // A name takes no spaces and no @, an e-mail needs one: what either takes is text all the same
    for (const text of [PAYLOADS[0], `${PAYLOADS[0].replaceAll('@', '')}@x.in`])
      for (const written of [text, [text]]) if (z.safeParse(schema, written).success) return true
    return false
  }
  const found = Object.entries(api).flatMap(([feature, endpoints]) =>
    Object.entries(endpoints as Record<string, Endpoint>).flatMap(([name, { method, input }]) => {
      if (method === 'GET') return []
      const { shape } = (input as unknown as { _zod: { def: { shape: Record<string, z.ZodMiniType> } } })._zod.def
      const fields = Object.keys(shape).filter((field) => {
        const schema = shape[field]
        return schema && !NOT_KEPT.test(`${name}: ${field}`) && takes(schema)
      })
      return fields.length > 0 ? [`${feature}.${name}: ${fields.join(' ')}`] : []
    }),
  )
  expect(found.toSorted()).toEqual([...FREE_TEXT].toSorted())
})

test(
  'text is only ever text: twelve payloads in every field, on every screen',
  LONG,
  async ({ browser, store, playwright }) => {
    test.setTimeout(300_000)
    const opened = new Set<string>()
    /**
     * Each button of a row, with whatever it opens and the parts of that; nothing is decided there. The first admin is
     * the owner.
     */
    const openAll = async ({ page, faults }: Watched) => {
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
      await expect(page.locator(BUSY)).toHaveCount(0)
      const row = page.locator('[data-row]').nth(1)
      if ((await row.count()) === 0) return
      const namesIn = (scope: Locator) =>
        scope.getByRole('button').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''))
      const names = await namesIn(row)
      const more = row.getByRole('button', { name: /^More: / })
      if (await more.isVisible()) {
        await more.click()
        await expect(row.getByRole('dialog')).toBeVisible()
        names.push(...(await namesIn(row.getByRole('dialog'))))
        await page.keyboard.press('Escape')
      }
      for (const name of names) {
        if (name === '' || /^(Move|Approve|Copy|Duplicate|List|More|Unblock|Unlist|Warranty)/.test(name)) continue
        const button = await actionOf(row, name)
        if (!(await button.isEnabled())) {
          await page.keyboard.press('Escape')
          continue
        }
        await button.click()
        const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog')).first()
        await expect(dialog).toBeVisible()
        opened.add(/^\w+/.exec(name)?.[0] ?? name)
        for (const part of ['Keys', 'Devices', 'Payments']) {
          const tab = dialog.getByRole('button', { name: part, exact: true })
          if ((await tab.count()) > 0) await tab.click()
          await expect(page.locator(BUSY)).toHaveCount(0)
        }
        expect(faults).toEqual([])
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
      }
    }
    const owner = await watching(browser, store)
    await enterPanel(owner.request, store.admin)
    await send(owner.request, 'PUT', '/settings/upi', { upiId: 'shop@okaxis', paymentEnabled: true })
    await send(owner.request, 'POST', '/referral', { code: 'TEXT', description: 'For this test' })
    const buyers: BrowserContextOptions[] = []

    await test.step('the payloads are planted', async () => {
      for (const [n, text] of PAYLOADS.entries()) {
        const product = await send(owner.request, 'POST', '/products', {
          name: text,
          description: text,
          prices: [{ duration: '10 Days', price: 1 }],
          hot: true,
          instructions: `${text} https://x.in/${text}`,
          nameHi: text,
          descriptionHi: text,
          instructionsHi: `${text} https://x.in/${text}`,
        })
        await send(owner.request, 'POST', '/keys/bulk', {
          productId: product._id,
          duration: '10 Days',
          keys: [text, `${text}2`],
          supplier: text,
          note: text,
        })
        await send(owner.request, 'POST', '/referral', { code: `TEXT${n}`, description: text })
        const batch = { name: text, count: 1, amount: 1, codeUntil: dayOf(Date.now()), creditDays: 7 }
        const { codes } = await send(owner.request, 'POST', '/codes', batch)
        await send(owner.request, 'POST', '/groups', { name: text.slice(0, 40), percentOff: 0, prices: [] })
        const supplier = { name: text, address: 'https://x.in', secret: `chaabi_${'x'.repeat(43)}`, dayMax: 1 }
        await send(owner.request, 'POST', '/supply/links', supplier)
        await send(owner.request, 'POST', '/supply/links', { ...supplier, address: text })
        const described = {
          method: 'POST',
          headers: '',
          keyAt: '',
          costAt: '',
          repeats: false,
          url: `https://x.in/${text}`,
        }
        const depot = { ...supplier, ...described, body: text, noneIf: text, okIf: text }
        const { _id: linkId } = await send(owner.request, 'POST', '/supply/links/api', depot)
        const source = { linkId, sku: text.slice(0, 100), max: 1, keep: 0 }
        await send(owner.request, 'PUT', `/supply/sources/${product.prices?.[0]?._id}/sku`, source)
        // A browser's own name is shown with its sessions and in the log
        const browserOf = () => playwright.request.newContext({ baseURL: store.url, userAgent: text })
        const buyer = await browserOf()
        // A name takes 32 characters, and two may not look alike
        const username = `${text.slice(0, 31)}${'abcdefghijkl'[n]}`
        for (const name of [username, text])
          await send(buyer, 'POST', '/auth/register', {
            username: name,
            email: `hostile${n}@x.in`,
            password: PASSWORD,
            referralCode: 'TEXT',
          })
        const { user } = await send(buyer, 'POST', '/auth/login', { username, password: PASSWORD })
        expect(user, text).toBeTruthy()
        for (const code of [text, ...(codes ?? [])]) await send(buyer, 'POST', '/wallet/redeem', { code })
        const request = { amount: 10, payerName: '9876543210' }
        await send(buyer, 'POST', '/payments/add-money', { ...request, utr: text, payerName: text })
        const { payment } = await send(buyer, 'POST', '/payments/add-money', {
          ...request,
          utr: String(500_000_000_000 + n),
        })
        await send(owner.request, 'PUT', `/payments/${payment?._id}/reject`, { reason: text })
        const { payment: other } = await send(buyer, 'POST', '/payments/add-money', {
          ...request,
          utr: String(500_000_001_000 + n),
        })
        const less = { amount: 5, expected: 10, reason: text }
        await send(owner.request, 'PUT', `/payments/${other?._id}/approve`, less)
        await send(owner.request, 'PUT', `/admin/users/${user?._id}/custom-prices`, {
          balance: 100,
          reason: text,
        })
        const bought = { productId: product._id, duration: '10 Days', quantity: 1 }
        const { keys } = await send(buyer, 'POST', '/keys/buy', bought)
        const claim = await send(buyer, 'POST', '/claims', { keyId: keys?.[0]?._id, reason: 'other', note: text })
        if (n % 2) await send(owner.request, 'PUT', `/claims/${claim._id}/reject`, { answer: text })
        const keptOut = {
          username: `kept-out-${n}`,
          email: `kept${n}@x.in`,
          password: PASSWORD,
          referralCode: 'TEXT',
        }
        await send(buyer, 'POST', '/auth/register', keptOut)
        const { users } = await send(owner.request, 'GET', `/admin/users?search=${keptOut.username}&limit=1`)
        await send(owner.request, 'PUT', `/admin/users/${users?.[0]?._id}/block`, { reason: text })
        await send(owner.request, 'POST', '/admin/admins', {
          username: text.slice(0, 32),
          password: 'a long admin password',
          role: 'read-only',
        })
        const admin = await browserOf()
        const login = { username: text.slice(0, 32), password: 'a long admin password' }
        await send(admin, 'POST', '/admin/login', login)
        await send(admin, 'POST', '/admin/login', { ...login, password: 'wrong' })
        buyers.push({ userAgent: text, storageState: await buyer.storageState() })
        await Promise.all([buyer.dispose(), admin.dispose()])
      }
    })

    await test.step('a bank that writes payloads', async () => {
      const [label, bank] = PAYLOADS
      const account = await send(owner.request, 'POST', '/bank/accounts', {
        bank: bank.slice(0, 40),
        label: label.slice(0, 60),
        tail: '1234',
        feedsStore: true,
      })
      let balance = 1_000
      const lines = PAYLOADS.map((text, n) => {
        balance += 10
        const quoted = `"${text.replaceAll('"', '""')}"`
        return `0${1 + (n % 9)}/11/2026,UPI/60000000000${n % 10}/${n}${quoted.slice(1, -1)},,10.00,${balance}.00`
      })
      const text = ['Account No,XX1234', 'Date,Narration,Withdrawal Amt,Deposit Amt,Closing Balance', ...lines].join(
        '\n',
      )
      await send(owner.request, 'POST', '/bank/statements/preview', { text, accountId: account._id })
      await send(owner.request, 'POST', '/bank/statements', { text, accountId: account._id })
      await send(owner.request, 'PUT', '/settings/face', { heroLine: label.slice(0, 80) })
    })

    await test.step('every screen of an admin', async () => {
      for (const path of [
        ...screensOf('admin'),
        '/admin/key-manager?view=batches',
        '/admin/user-manager?status=blocked',
      ]) {
        await visit(owner, path)
        // Its list comes in a part of its own
        if (path.includes('batches')) await expect(owner.page.locator('[data-row]').nth(1)).toBeVisible()
        await openAll(owner)
      }
      // The words for a search without a result are the same on each screen
      const searched = LOOKS_AT_ALL ? screensOf('admin') : ['/admin/user-manager', '/admin/audit']
      for (const path of searched) await visit(owner, `${path}?search=${encodeURIComponent(PAYLOADS[0])}`)
      await visit(owner, '/admin/user-manager')
      // It is shown, and not merely left out
      await expect(owner.page.getByText(PAYLOADS[10].slice(0, 31)).first()).toBeVisible()
      expect([...opened].toSorted()).toEqual([
        'Answer',
        'Block',
        'Credit',
        'Delete',
        'Details',
        'Edit',
        'Ignore',
        'Keys',
        'Log',
        'Password',
        'Recall',
        'Remove',
        'Reset',
        'Share',
      ])
      // A page that stays open asks and counts on
      await owner.page.context().close()
    })

    await test.step('a buyer who is kept out reads why', async () => {
      const { page, faults } = await watching(browser, store)
      for (const [n, text] of PAYLOADS.entries()) {
        if (n % 3 > 0 && !LOOKS_AT_ALL) continue
        await page.goto('/login')
        await page.getByLabel('Username').fill(`kept-out-${n}`)
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.getByRole('button', { name: 'Login', exact: true }).click()
        await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible()
        expect(faults).toEqual([])
      }
      await page.context().close()
    })

    await test.step('every screen of a buyer', async () => {
      for (const [n, session] of buyers.entries()) {
        if (n % 3 > 0 && !LOOKS_AT_ALL) continue
        const buyer = await watching(browser, store, session)
        if (n % 2) await visit(buyer, '/?language=hi')
        if (n === 0) for (const path of screensOf('anyone', 'buyer')) await visit(buyer, path)
        await visit(buyer, n % 2 ? '/my-key' : '/wallet-history')
        await visit(buyer, `/buy?product=${encodeURIComponent(PAYLOADS[n] ?? '')}&duration=10%20Days`)
        await buyer.page.context().close()
      }
    })
  },
)

test('every notice, title and link is text, on every screen', LONG, async ({ browser, store }) => {
  test.setTimeout(300_000)
  const owner = await watching(browser, store)
  await enterPanel(owner.request, store.admin)
  const visitor = await watching(browser, store)
  for (const text of PAYLOADS) {
    await send(owner.request, 'PUT', '/notice', { text, noticeHi: text })
    await send(owner.request, 'PUT', '/settings/site', {
      websiteName: text,
      websiteTitle: text,
      websiteTitleHi: `${text}2`,
    })
    await send(owner.request, 'PUT', '/settings/face', { heroLineHi: text })
    await send(owner.request, 'PUT', '/settings/store', { supportUrl: text })
    await send(owner.request, 'PUT', '/settings/store', { refundNote: text, refundNoteHi: text })
    await visit(visitor, '/')
    await expect(visitor.page).toHaveTitle(text)
    for (const path of ['/?language=hi', '/terms-policy']) await visit(visitor, path)
    await visit(visitor, '/')
    await expect(visitor.page).toHaveTitle(`${text}2`)
    await visit(visitor, '/?language=en')
  }
  for (const path of screensOf('anyone', 'buyer', 'admin')) await visit(visitor, path)
  for (const path of screensOf('anyone')) {
    await visit(visitor, `${path}?next=javascript:__xss()&ref=${encodeURIComponent(PAYLOADS[0])}`)
  }
  await visit(owner, '/admin')
})
