/** A second and a third quick tap at one point do nothing to money, keys or deletion that the first one did not ask. */
import type { Locator, Page } from '@playwright/test'
import { expect, freshUtr, PHONE, test } from './admin-counter.ts'
import { LONG, PHONE_AGENT } from './people.ts'
import type { Screen } from './panel/screen.ts'

const HAND = { viewport: PHONE, userAgent: PHONE_AGENT, hasTouch: true }
const PAUSES_MS = [150, 220, 300]

/** Notes each call that changes something. None arrives, so that one tap's doings are not in the next one's way. */
async function noteChanges(page: Page): Promise<string[]> {
  const calls: string[] = []
  await page.route('**/api/**', (route) => {
    const request = route.request()
    if (request.method() === 'GET') return route.fallback()
    calls.push(`${request.method()} ${new URL(request.url()).pathname.replaceAll(/[0-9a-f-]{36}/g, '…')}`)
    return route.abort()
  })
  return calls
}

async function tapThrice(page: Page, what: Locator, pauseMs: number): Promise<void> {
  await what.scrollIntoViewIfNeeded()
  const box = await what.boundingBox()
  if (!box) throw new Error('It cannot be tapped')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  for (let taps = 0; taps < 3; taps++) {
    await page.touchscreen.tap(x, y)
    await page.waitForTimeout(pauseMs)
  }
}

const namesOf = (buttons: Locator): Promise<string[]> =>
  buttons.evaluateAll((all) =>
    all.filter((each) => each.checkVisibility()).map((each) => each.ariaLabel ?? each.textContent ?? ''),
  )

test('three quick taps on Undo take one approval back, and lead to nothing else', async ({ owner, people }) => {
  const [page, buyer] = await Promise.all([owner(HAND), people.buyer()])
  const name = buyer.username
  for (const amount of [511, 512]) {
    await buyer.calls.payments.addMoney({ amount, utr: freshUtr(), payerName: `97${String(Date.now()).slice(-8)}` })
  }
  for (const pauseMs of PAUSES_MS) {
    await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
    const calls = await noteChanges(page)
    const approve = page.getByRole('button', { name: `Approve ₹511 from ${name}` })
    await expect(approve).toBeEnabled()
    await approve.click()
    const undo = page.getByRole('button', { name: `Undo the approval of ₹511 from ${name}` })
    await page.waitForTimeout(1_200)
    await tapThrice(page, undo, pauseMs)
    await expect(page.getByRole('alertdialog'), `at ${pauseMs} ms`).toHaveCount(0)
    await expect(approve).toBeAttached()
    expect(calls, `at ${pauseMs} ms`).toEqual([])
    await page.unroute('**/api/**')
  }
})

test('a sheet opens with its dangerous line away from the finger', async ({ owner, people }) => {
  const [page, buyer] = await Promise.all([owner(HAND), people.buyer()])
  await buyer.calls.payments.addMoney({ amount: 513, utr: freshUtr(), payerName: `97${String(Date.now()).slice(-8)}` })
  await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
  const more = page.getByRole('button', { name: `More: ${buyer.username}` })
  const remove = page.getByRole('button', { name: `Delete ₹513 from ${buyer.username}` })
  await expect(more).toBeVisible()
  for (const height of [844, 760, 700, 660, 620, 580, 540]) {
    await page.setViewportSize({ width: 390, height })
    await more.scrollIntoViewIfNeeded()
    const box = await more.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 18]
    await page.touchscreen.tap(x, y)
    await expect(remove).toBeVisible()
    await page.waitForTimeout(400)
    const line = await remove.boundingBox()
    expect(line && y >= line.y && y <= line.y + line.height, `at ${height} px, ${y}, ${JSON.stringify(line)}`).toBe(
      false,
    )
    await page.keyboard.press('Escape')
    await expect(remove).toBeHidden()
  }
})

test('no row of the panel does more for three quick taps than for one', LONG, async ({ owner }) => {
  test.setTimeout(900_000)
  const page = await owner(HAND)
  const features = ['users', 'catalogue', 'keys', 'payments', 'referrals', 'claims', 'bank', 'admins', 'messages']
  const faults: string[] = []
  let walked = 0
  for (const feature of features) {
    const { screens } = (await import(new URL(`panel/${feature}.ts`, import.meta.url).href)) as { screens: Screen[] }
    for (const { path } of screens) {
      const row = page.locator('[data-row]').first()
      const open = async () => {
        await page.goto(path)
        await row.waitFor({ timeout: 4_000 }).catch(() => undefined)
        return row.isVisible()
      }
      if (!(await open())) continue
      for (const [at, name] of (await namesOf(row.locator('button:not(dialog button)'))).entries()) {
        const isMenu = name.startsWith('More: ')
        const items = isMenu ? await itemsOf(page, row, name) : [undefined]
        for (const item of items) {
          await open()
          await page.waitForTimeout(1_100)
          const calls = await noteChanges(page)
          let target = row.locator('button:not(dialog button)').nth(at)
          if (item !== undefined) {
            await target.press('Enter')
            await page.waitForTimeout(1_100)
            target = page.locator('dialog[open] button').filter({ visible: true }).nth(item)
          }
          await tapThrice(page, target, PAUSES_MS[walked % PAUSES_MS.length] ?? 200)
          walked += 1
          if (calls.length > 1 || calls.some((call) => call.startsWith('DELETE')))
            faults.push(`${path} ${name} ${item ?? ''}: ${calls.join(', ')}`)
          await page.unroute('**/api/**')
        }
      }
    }
  }
  expect(faults).toEqual([])
  expect(walked, 'the walk meets what it is for').toBeGreaterThan(20)
})

async function itemsOf(page: Page, row: Locator, name: string): Promise<number[]> {
  await row.getByRole('button', { name, exact: true }).press('Enter')
  const count = await page.locator('dialog[open] button').filter({ visible: true }).count()
  await page.keyboard.press('Escape')
  return Array.from({ length: count }, (_, at) => at)
}
