/** Every screen of the panel on a phone: what it is about starts near the top, and it ends soon. */
import type { Page } from '@playwright/test'
import type { Payment } from '../../contract/payments.ts'
import { screensOf } from '../screens.ts'
import { expect, PHONE, test } from './admin-counter.ts'
import { LONG, withoutData } from './people.ts'

const FIRST_RECORD_MAX_PX = 220
const PAGE_MAX_PX = 2_000
/** It has a row of switches for each kind of message. */
const MESSAGES_MAX_PX = 2_600

const IS_LIST = /manager|purchases|audit|admins/
const SCREENS = [
  // The dashboard has a test of its own, and a shorter limit
  ...screensOf('admin').filter((path) => path !== '/admin' && path !== '/admin/dashboard'),
  '/admin/key-manager?view=keys',
  '/admin/key-manager?view=batches',
  '/admin/payment-manager?status=all',
]

test('every screen is short, and on every list the first record is near the top', LONG, async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await withBusyBank(page)
  for (const path of SCREENS) {
    await test.step(path, async () => {
      await page.goto(path)
      const first = page.locator('main [data-row]').first()
      if (IS_LIST.test(path)) await expect(first).toBeVisible()
      await expect(page.getByRole('main').getByText('Loading…')).toHaveCount(0)
      // Both come a moment later, and may not push the first request down
      if (path === '/admin/payment-manager') {
        await expect(page.getByRole('link', { name: 'No messages from Moto' })).toBeVisible()
        await expect(page.getByRole('link', { name: 'Without a request (1)' })).toBeVisible()
        await expect(page.getByText('Not in the bank yet (statements up to').nth(9)).toBeVisible()
      }
      const { top, height } = await page.evaluate(() => {
        // Warnings of a request have room of their own, and other tests have sent such requests
        for (const signs of document.querySelectorAll('[aria-label="Check before approving"]')) signs.remove()
        const row = document.querySelector('main [data-row]')
        return {
          top: row ? row.getBoundingClientRect().top + scrollY : 0,
          height: document.documentElement.scrollHeight,
        }
      })
      expect.soft(top, `${path}: the first record`).toBeLessThanOrEqual(FIRST_RECORD_MAX_PX)
      expect
        .soft(height, `${path}: the page`)
        .toBeLessThanOrEqual(path.endsWith('/messages') ? MESSAGES_MAX_PX : PAGE_MAX_PX)
    })
  }
})

/** The bank has a word for each request, a phone is silent, and unclaimed money waits. */
async function withBusyBank(page: Page): Promise<void> {
  const long = '2026-01-01T00:00:00.000Z'
  const silent = { _id: '01a00000-0000-7000-8000-000000000001', name: 'Moto', pausedAt: null, endedAt: null }
  await withoutData(page)
  await page.route('**/api/bank/devices', (route) =>
    route.fulfill({ json: { devices: [{ ...silent, accounts: [], createdAt: long, lastSeenAt: long }] } }),
  )
  await page.route('**/api/bank/credits?*limit=1*', (route) => route.fulfill({ json: { credits: [], total: 1 } }))
  await page.route('**/api/payments?*', async (route) => {
    const answer = await route.fetch()
    // A page that was left in between has disposed of the answer
    const body = (await answer.json().catch(() => undefined)) as { payments: Payment[] } | undefined
    if (!body) return
    const { payments, ...rest } = body
    const unseen = { verdict: 'unseen', seenTo: '2026-11-20' }
    await route.fulfill({ json: { ...rest, payments: payments.map((payment) => ({ ...payment, bank: unseen })) } })
  })
}

test('a menu closes on Back, and gives the focus back to its button', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/product-manager')
  const more = page.getByRole('button', { name: 'More: Orbit Arena Pro' })
  const menu = page.getByRole('dialog', { name: 'Orbit Arena Pro' })
  await more.click()
  await expect(menu.getByRole('button', { name: 'Delete Orbit Arena Pro' })).toBeVisible()
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(page).toHaveURL(/product-manager/)
  await more.click()
  await menu.getByRole('button', { name: 'Delete Orbit Arena Pro' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete Orbit Arena Pro?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(more).toBeFocused()
})
