/**
 * The main job, end to end, by two people with two browsers on phones: the owner opens a store, a buyer
 * signs up, pays, is credited while watching, and buys; the sale stands in everybody's books.
 */
import { openSetting } from './admin-counter.ts'
import { confirmWith } from './admin-door.ts'
import { liftFinger } from './people.ts'
import { expect, person, test } from './store.ts'

const PASSWORD = 'a long buyer password'
const KEYS = ['SKY1-AAAA-BBBB-0001', 'SKY1-AAAA-BBBB-0002', 'SKY1-AAAA-BBBB-0003']

test('an owner opens a shop, and a buyer signs up, pays by UPI, and buys two keys', async ({ browser, store }) => {
  const { page: owner } = await person(browser, store)
  const { page: buyer } = await person(browser, store)

  await test.step('the owner logs in', async () => {
    await owner.goto('/admin')
    await expect(owner).toHaveURL(/\/admin-login/)
    await owner.getByLabel('Username').fill(store.admin.username)
    await owner.getByLabel('Password', { exact: true }).fill(store.admin.password)
    await owner.getByRole('button', { name: 'Login' }).click()
    await expect(owner).toHaveURL(/\/admin(\/dashboard)?$/)
  })

  await test.step('makes a referral code', async () => {
    await owner.goto('/admin/referral-manager')
    await owner.getByRole('button', { name: 'New code' }).click()
    const dialog = owner.getByRole('dialog', { name: 'New referral code' })
    await dialog.getByLabel('Code', { exact: true }).fill('FRIENDS')
    await dialog.getByLabel('Description').fill('For friends of the store')
    await dialog.getByRole('button', { name: 'Add code' }).click()
    await expect(dialog).toBeHidden()
    await expect(owner.getByText('FRIENDS', { exact: true }).first()).toBeVisible()
  })

  await test.step('makes a product with prices', async () => {
    await owner.goto('/admin/product-manager')
    await owner.getByRole('button', { name: 'New product' }).first().click()
    const dialog = owner.getByRole('dialog', { name: 'New product' })
    await dialog.getByLabel('Name').fill('Skyforge Season Pass')
    await dialog.getByLabel('Description').fill('Ranked access for the running season.')
    await dialog.getByLabel('Duration 1').fill('10 Days')
    await dialog.getByLabel('Price 1').fill('199')
    await dialog.getByRole('button', { name: 'Add 1 Month' }).click()
    await dialog.getByLabel('Price 2').fill('449.50')
    await dialog.getByRole('button', { name: 'Add product' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('makes a top-up plan', async () => {
    await owner.goto('/admin/topup-plan-manager')
    await owner.getByRole('button', { name: 'New plan' }).first().click()
    const dialog = owner.getByRole('dialog', { name: 'New top-up plan' })
    await dialog.getByLabel('Amount (₹)').fill('500')
    await dialog.getByLabel('Wallet credit (₹)').fill('550')
    await dialog.getByRole('button', { name: 'Add plan' }).click()
    // A plan that gives a bonus is the first thing that asks, and what follows in ten minutes does not
    await confirmWith(owner, store.admin.password)
    await expect(dialog).toBeHidden()
  })

  await test.step('pastes keys into stock', async () => {
    await owner.goto('/admin/key-manager')
    await owner.getByRole('button', { name: 'Keys: add to Skyforge Season Pass, 10 Days' }).click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Keys' }).fill(`${KEYS.join('\n')}\n\n  \n`)
    await dialog.getByRole('button', { name: 'Check 3 keys' }).click()
    await dialog.getByRole('button', { name: 'Add 3 new keys' }).click()
    await expect(dialog.getByText('3 keys added')).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(owner.getByText('3 left')).toBeVisible()
  })

  await test.step('sets the UPI ID', async () => {
    await owner.goto('/admin/dashboard')
    await openSetting(owner, 'UPI ID')
    await owner.getByLabel('UPI ID', { exact: true }).fill('shop.owner@okaxis')
    await owner.getByRole('button', { name: 'Save UPI ID' }).click()
    await expect
      .poll(async () => (await owner.request.get('/api/settings/upi')).json())
      .toMatchObject({ upiId: 'shop.owner@okaxis' })
  })

  await test.step('the buyer sees no prices before signing up', async () => {
    await buyer.goto('/')
    await expect(buyer.getByText('Skyforge Season Pass')).toBeVisible()
    await expect(buyer.getByText('Login to see price')).toBeVisible()
    await expect(buyer.getByText('₹199')).toHaveCount(0)
  })

  await test.step('signs up with the code and logs in', async () => {
    await buyer.goto('/signup')
    await buyer.getByLabel('Email').fill('aarav@example.in')
    await buyer.getByLabel('Username').fill('aarav')
    await buyer.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await buyer.getByLabel('Referral code').fill('friends')
    await expect(buyer.getByText('Code applied')).toBeVisible()
    await buyer.getByRole('button', { name: 'Sign up' }).click()
    await expect(buyer).toHaveURL(/\/login/)
    await buyer.getByLabel('Username').fill('aarav')
    await buyer.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await buyer.getByRole('button', { name: 'Login' }).click()
    await expect(buyer).toHaveURL(/\/$/)
    await expect(buyer.getByText('₹199').first()).toBeVisible()
  })

  await test.step('opens the payment dialog, copies the UPI ID, and sends the UTR and phone', async () => {
    await buyer.goto('/add-balance')
    await buyer.getByRole('button', { name: /₹550/ }).click()
    const dialog = buyer.getByRole('dialog', { name: 'Add Money' })
    await dialog.getByText('Pay from another phone').click()
    await expect(dialog.getByRole('img', { name: /QR code to pay ₹500 to shop\.owner@okaxis/ })).toBeVisible()
    await expect(dialog.getByRole('link', { name: 'Open in UPI app' })).toHaveAttribute(
      'href',
      /^upi:\/\/pay\?pa=shop\.owner@okaxis&pn=Chaabi&am=500\.00&cu=INR&tn=Wallet%20Recharge/,
    )
    const submit = dialog.getByRole('button', { name: 'Submit request' })
    await expect(submit).toBeDisabled()
    await dialog.getByLabel('UTR (12-digit transaction number)').fill('4026 1187 0001')
    await dialog.getByLabel('Contact phone').fill('9876543210')
    await dialog.getByRole('checkbox').check()
    await submit.click()
    await expect(buyer.getByText('Request submitted').first()).toBeVisible()
    await expect(dialog).toBeHidden()
    await buyer.goto('/')
    await expect(buyer.getByText('Awaiting approval: ₹500')).toBeVisible()
  })

  await test.step('the owner approves the request, and the balance rises while the buyer watches', async () => {
    await owner.goto('/admin/payment-manager')
    await expect(owner.getByText('402611870001').first()).toBeVisible()
    await owner.getByRole('button', { name: /^Approve ₹500 from aarav/ }).click()
    const wallet = buyer.getByRole('region', { name: 'Wallet' })
    await expect(wallet.getByText('₹550').first()).toBeVisible()
  })

  await test.step('the buyer buys two keys', async () => {
    await buyer.getByRole('link', { name: 'Purchase Key: Skyforge Season Pass' }).click()
    await expect(buyer).toHaveURL(/\/buy/)
    await buyer.getByRole('radio', { name: /10 Days/ }).check()
    await buyer.getByRole('button', { name: 'Increase' }).click()
    await liftFinger(buyer)
    await buyer.getByRole('button', { name: 'Buy with Wallet' }).click()
    const keys = buyer.getByRole('list', { name: 'Your keys' })
    await expect(keys.getByText(KEYS[0] ?? '')).toBeVisible()
    await expect(keys.getByText(KEYS[1] ?? '')).toBeVisible()
  })

  await test.step('and finds them in My Key with a running countdown', async () => {
    await buyer.goto('/my-key')
    await expect(buyer.getByText(KEYS[0] ?? '')).toBeVisible()
    await expect(buyer.getByText(KEYS[1] ?? '')).toBeVisible()
    await expect(buyer.getByText(/9\s*d/).first()).toBeVisible()
  })

  await test.step('the purchase stands in the wallet history', async () => {
    await buyer.goto('/wallet-history')
    const movements = buyer.getByRole('list', { name: 'Transactions' })
    await expect(movements.getByText(/Skyforge Season Pass/)).toBeVisible()
    await expect(movements.getByText('−₹398')).toBeVisible()
    await expect(movements.getByText('+₹550')).toBeVisible()
  })

  await test.step("and in the owner's purchases with the right revenue", async () => {
    await owner.goto('/admin/purchases')
    await expect(owner.getByText('₹398').first()).toBeVisible()
    await expect(owner.getByText('aarav').first()).toBeVisible()
    const sales = (await (await owner.request.get('/api/payments/purchases')).json()) as {
      total: number
      totalRevenue: number
    }
    expect(sales).toMatchObject({ total: 1, totalRevenue: 398 })
  })
})
