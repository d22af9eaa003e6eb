/** The owner behind the counter of the demo's store, in browsers of their own; and what the panel's tests repeat. */
import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { expect, freshName, test as base, type Buyer } from './people.ts'

interface Counter {
  /**
   * A page of the owner’s session. A test that logs out or confirms its password uses `people.visitor` instead. Nothing
   * moves on it, so that each screen is drawn once and not thirty times; with products, and where buyers are, it does.
   */
  owner(options?: BrowserContextOptions): Promise<Page>
}

export const test = base.extend<Counter>({
  owner: async ({ people, shop }, use) => {
    await use(async (options) => {
      const storageState = await shop.ownerRequest.storageState()
      const { page } = await people.visitor({ storageState, reducedMotion: 'reduce', ...options })
      return page
    })
  },
})

const INTERNAL = {
  status: 500,
  body: { code: 'INTERNAL', message: 'Something went wrong on our end. Please try again.' },
}
export const SORRY = INTERNAL.body.message

/** No event renews a list before a click on Retry does. */
export const withoutEvents = (page: Page): Promise<unknown> => page.route('**/api/events', (route) => route.abort())

/** Answers `method` calls of `/api` + `path` with a failure; the returned function lets them through again. */
export async function failing(
  page: Page,
  method: string,
  path: string | RegExp,
  { status, body }: { status: number; body: object } = INTERNAL,
): Promise<() => Promise<void>> {
  const isIt = (url: URL) =>
    url.pathname.startsWith('/api') &&
    (typeof path === 'string' ? url.pathname === `/api${path}` : path.test(url.pathname))
  await page.route(isIt, (route) =>
    route.request().method() === method ? route.fulfill({ status, json: body }) : route.fallback(),
  )
  return () => page.unroute(isIt)
}

/** The row of a table, or the card of a phone's list, that says `text`. */
export function rowOf(page: Page, text: string | RegExp): Locator {
  // Until the width is known, the page has both
  return page.locator('[data-row]').filter({ hasText: text, visible: true })
}

/** A list begins with ten rows, which other journeys may have filled. */
export async function inWholeList(row: Locator): Promise<Locator> {
  const more = row.page().getByRole('button', { name: /^Show \d+ more$/ })
  await expect(row.or(more).first()).toBeVisible()
  if (await more.isVisible()) await more.click()
  return row
}

/** Returns the pager once it says `text`. On a phone it comes when all cards are shown. */
export async function pagerAt(page: Page, text: string | RegExp): Promise<Locator> {
  const pager = page.getByRole('navigation', { name: 'Pages', includeHidden: true })
  const more = page.getByRole('button', { name: /^Show \d+ more$/ })
  // The cards come a moment after the page that was drawn as a table
  await expect(async () => {
    if (await more.isVisible()) await more.click({ timeout: 1_000 })
    await expect(pager.getByText(text)).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 20_000 })
  return pager
}

/** An action of a row or a list; on a phone it may be in the menu, which is opened. */
export async function actionOf(scope: Locator, name: string | RegExp): Promise<Locator> {
  const action = scope.getByRole('button', { name, exact: true })
  const more = scope.getByRole('button', { name: /^More: / })
  // A menu on its way out is still seen
  await expect(scope.locator('dialog:not([open])')).toHaveCount(0)
  await expect(action.or(more).first()).toBeVisible()
  if (!(await action.isVisible())) await more.press('Enter')
  // What destroys takes no press where another one was a moment ago (under-finger.ts), and people are slower than that
  await expect(action).toBeVisible()
  if ((await action.getAttribute('data-decides')) !== null) await scope.page().waitForTimeout(1_000)
  return action
}

/** Sends held approvals at once, as when the page is left. The wait of 5 s is seen in taps-shopkeeper.spec.ts. */
export async function sendHeld(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: /^Undo the approval/ }).first()).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
}

/** Until what is reviewed folds (use-payment-list.ts), and until what is held is sent (held-approvals.ts). */
const PAUSES_MS = [3_000, 5_000]

/**
 * Holds back what comes in a pause: a machine that stands still would bring it in the middle of a step. Call it before
 * the page is opened. @returns a function that lets come what is due
 */
export async function holdPauses(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript((pauses) => {
    const [later, never] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)]
    const held = new Map<number, () => void>()
    Object.assign(window, {
      setTimeout(work: () => void, ms: number, ...given: unknown[]) {
        if (!pauses.includes(ms)) return later(work, ms, ...given)
        const id = later(() => {}, 0)
        held.set(id, work)
        return id
      },
      clearTimeout(id: number) {
        held.delete(id)
        never(id)
      },
      endPauses() {
        const due = [...held.values()]
        held.clear()
        for (const work of due) work()
      },
    })
  }, PAUSES_MS)
  return () => page.evaluate(() => Reflect.get(window, 'endPauses')())
}

/** The buttons over a list. */
export const listBar = (page: Page): Locator => page.locator('main section > header').first()

/** Sets filters of a list, on a phone in their sheet. */
export async function filterBy(page: Page, choose: () => Promise<unknown>): Promise<void> {
  const sheet = page.getByRole('button', { name: /^Filters/ })
  const hasSheet = (page.viewportSize()?.width ?? 0) <= 900
  if (hasSheet) await sheet.click()
  await choose()
  if (hasSheet) await page.getByRole('button', { name: 'Show results' }).click()
}

/** Opens one of the settings on the dashboard, such as "UPI ID". */
export async function openSetting(page: Page, label: string): Promise<void> {
  await page
    .locator('summary')
    .filter({ hasText: `${label}:` })
    .click()
}

export function said(page: Page, text: string | RegExp): Locator {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text)
}

/** Returns the file that a click saves. */
export async function savedBy(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') }
}

let count = 0
/** Unlike any other reference of this run. */
export function freshUtr(): string {
  count += 1
  return `50${String(Date.now()).slice(-8)}${String(count).padStart(2, '0')}`
}

/** A top-up request. */
export function ask(buyer: Buyer, amount: number, payerName = '9812345670') {
  return buyer.calls.payments.addMoney({ amount, utr: freshUtr(), payerName })
}

export { DESK, holdScripts, PHONE, repeatAt } from './people.ts'
export { expect, freshName }
