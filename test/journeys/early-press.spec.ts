/** What is pressed in the panel before the scripts are there counts. */
import { expect, holdScripts, PHONE, test } from './admin-counter.ts'

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
