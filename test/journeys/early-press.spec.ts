/** A press in the panel counts before the scripts are there. */
import type { Page } from '@playwright/test'
import { expect, holdScripts, PHONE, test } from './admin-counter.ts'
import { screensOf } from '../screens.ts'

test('payments that are switched off, or on again, before the scripts come stay so', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  const release = await holdScripts(page)
  await page.goto('/admin', { waitUntil: 'commit' })
  const isOn = async () => (await shop.owner.settings.upi({})).paymentEnabled
  try {
    await page.getByRole('switch', { name: 'Accept payments' }).click()
    release()
    await expect.poll(isOn).toBe(false)
    await expect(page.getByRole('switch', { name: 'Accept payments' })).not.toBeChecked()

    await page.unrouteAll({ behavior: 'wait' })
    const again = await holdScripts(page)
    await page.goto('/admin', { waitUntil: 'commit' })
    await page.getByRole('switch', { name: 'Accept payments' }).click()
    again()
    await expect.poll(isOn).toBe(true)
    await expect(page.getByRole('switch', { name: 'Accept payments' })).toBeChecked()
  } finally {
    await shop.owner.settings.saveUpi({ paymentEnabled: true })
  }
})

test('a page that nobody touches changes nothing', async ({ owner, people }) => {
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
