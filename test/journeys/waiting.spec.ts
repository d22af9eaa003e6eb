/** The waiting list: a place in the queue, the store's purchase, and what the panel says of those who wait. */
import { unique } from '../worlds/constants.ts'
import { expect, test } from './admin-counter.ts'
import { LONG, PHONE } from './people.ts'

test.use({ viewport: PHONE })

test('a buyer waits for what is out of stock, and the store buys it', LONG, async ({ people, owner, shop }) => {
  const name = unique('Worth Waiting ')
  const { _id: productId } = await shop.owner.catalogue.create({
    name,
    description: 'Out of stock at first.',
    hot: false,
    prices: [{ duration: '10 Days', price: 60 }],
  })
  await shop.owner.waiting.saveSettings({ autoBuy: true })
  const other = await people.buyer()
  const { page } = await people.buyer({ viewport: PHONE, balance: 100 })
  await other.calls.waiting.wait({ productId, duration: '10 Days', quantity: 2 })

  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: name })
  await expect(card.getByRole('button', { name: 'OUT OF STOCK' })).toBeDisabled()
  await page.getByRole('link', { name: `Notify me: ${name}` }).click()
  await page.getByRole('button', { name: 'Buy it for me' }).click()
  const dialog = page.getByRole('dialog', { name: 'Buy it for me' })
  await expect(dialog.getByLabel('Maximum you’ll pay (₹)')).toHaveValue('60')
  await dialog.getByLabel('Maximum you’ll pay (₹)').fill('0')
  await dialog.getByRole('button', { name: 'Buy it for me' }).click()
  await expect(dialog.getByText('Minimum amount is ₹1')).toBeVisible()
  await page.goBack()
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('Maximum you’ll pay (₹)')).toHaveValue('0')
  await dialog.getByLabel('Maximum you’ll pay (₹)').fill('75.50')
  await dialog.getByRole('button', { name: 'Buy it for me' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('You are number 2 in line.')).toBeVisible()
  await expect(page.getByText('We’ll buy a key for you, for ₹75.50 at most.')).toBeVisible()
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await expect(page.getByText('You left the waiting list').first()).toBeVisible()
  await page.getByRole('button', { name: 'Buy it for me' }).click()
  await dialog.getByRole('button', { name: 'Buy it for me' }).click()
  await expect(page.getByText('You are number 2 in line.')).toBeVisible()

  const panel = await owner()
  await panel.goto(`/admin/key-manager?view=stock&search=${encodeURIComponent(name)}`)
  await expect(panel.getByText('2 people are waiting for 3 keys (₹60 in their wallets)')).toBeVisible()

  await page.goto('/account')
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row.getByText('You are number 2 in line.')).toBeVisible()
  const key = unique('WAITED-')
  await shop.owner.keys.add({ productId, duration: '10 Days', keys: [key] })
  await expect(row).toHaveCount(0)
  await page.goto('/my-key')
  await expect(page.getByText(key)).toBeVisible()
  await expect(panel.getByText('1 person is waiting for 2 keys (₹0 in their wallets)')).toBeVisible()
})

test('a place that ended is said on My Key and Account until it was seen', LONG, async ({ people, shop }) => {
  const name = unique('Gone For Good ')
  const { _id: productId } = await shop.owner.catalogue.create({
    name,
    description: 'Nobody may buy it.',
    hot: false,
    prices: [{ duration: '10 Days', price: 60 }],
  })
  const { calls, page } = await people.buyer({ viewport: PHONE })
  await calls.waiting.wait({ productId, duration: '10 Days' })
  await shop.owner.catalogue.remove({ id: productId })
  await expect.poll(() => calls.waiting.ended({}), { timeout: 90_000 }).toHaveLength(1)
  const said = page.getByText(`You no longer wait for ${name} (10 Days). It is not for sale any more.`)
  await page.goto('/account')
  await expect(said).toBeVisible()
  await page.goto('/my-key')
  await expect(said).toBeVisible()
  await page.getByRole('button', { name: 'Got it' }).click()
  await expect(said).toBeHidden()
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
  await expect(said).toBeHidden()
})
