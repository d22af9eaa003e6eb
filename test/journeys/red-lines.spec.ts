/** What stands in red on every screen of the panel takes one line, however much it is. */
import { expect, PHONE } from './admin-counter.ts'
import { GIVEN } from './admin-door.ts'
import { enterPanel } from './people.ts'
import { person, test } from './store.ts'

const LINE_MAX_PX = 80

test('one new owner is a line with its two answers, and two are a count that opens them', async ({
  browser,
  store,
}) => {
  const { page, context } = await person(browser, store, { viewport: PHONE })
  const calls = await enterPanel(context.request, store.admin)
  const red = page.getByRole('alert', { name: 'Security' })
  const height = async () => (await red.boundingBox())?.height

  await calls.admins.create({ username: 'meera', password: GIVEN, role: 'owner' })
  await page.goto('/admin/payment-manager')
  await expect(red.getByText('meera is a new owner')).toBeVisible()
  await expect(red.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(await height()).toBeLessThanOrEqual(LINE_MAX_PX)
  await red.getByRole('button', { name: 'This was me' }).click()
  const question = page.getByRole('alertdialog', { name: 'Was it you?' })
  await expect(question, 'says what the line has no room for').toContainText(`Added by ${store.admin.username}, `)
  await question.getByRole('button', { name: 'Cancel' }).click()

  await calls.admins.create({ username: 'rohan', password: GIVEN, role: 'owner' })
  await calls.settings.saveUpi({ upiId: 'first@okaxis' })
  await calls.settings.saveUpi({ upiId: 'another.and.a.long.one@okaxis' })
  await page.reload()
  await expect(red.getByRole('listitem').first()).toBeHidden()
  expect(await height()).toBeLessThanOrEqual(LINE_MAX_PX)
  await red.getByText('3 changes to confirm: was it you?').click()
  await expect(red.getByRole('listitem').filter({ visible: true })).toHaveCount(3)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'sideways').toBe(0)
  await red.getByRole('listitem').filter({ hasText: 'rohan' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click()
  await expect(red.getByText('2 changes to confirm: was it you?')).toBeVisible()
})
