/** What an admin has typed is not lost, and what waits shows it in the button that was pressed. */
import type { Page, Route } from '@playwright/test'
import { expect, freshUtr, PHONE, rowOf, said, SORRY, test, withoutEvents } from './admin-counter.ts'
import { statementOf } from './bank-statement.ts'
import { CONNECTED_PHONE } from './dialogs.ts'

/** Calls of this address wait until the test answers. */
async function waiting(page: Page, address: string, answer: (route: Route) => Promise<unknown>): Promise<() => void> {
  let go = () => {}
  const begun = new Promise<void>((resolve) => (go = resolve))
  await page.route(address, async (route) => {
    await begun
    await answer(route)
  })
  return go
}

const sorry = (route: Route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: SORRY } })

test('a common reason for a rejection waits in its own button, and a failure names the rejection', async ({
  owner,
  people,
}) => {
  const buyer = await people.buyer()
  await buyer.calls.payments.addMoney({ amount: 731, utr: freshUtr(), payerName: '9812345611' })
  const page = await owner({ viewport: PHONE })
  const go = await waiting(page, '**/api/payments/*/reject', sorry)
  await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
  await page.getByRole('button', { name: `Reject ₹731 from ${buyer.username}` }).click()
  const dialog = page.getByRole('dialog', { name: /^Reject ₹731/ })
  const reason = dialog.getByRole('button', { name: 'We could not find this UTR in our account.' })
  await page.waitForTimeout(1_100)
  await reason.click()
  await expect(reason).toHaveAttribute('aria-busy', 'true')
  const submit = dialog.getByRole('button', { name: 'Reject', exact: true })
  await expect(submit).toBeDisabled()
  await expect(submit).not.toHaveAttribute('aria-busy')
  // The dialog waits, and so does its Back
  await page.evaluate(() => {
    history.pushState({ key: 'elsewhere' }, '', '/admin/product-manager')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page).toHaveURL(/product-manager/)
  go()
  await expect(said(page, `₹731 from ${buyer.username} was not rejected. ${SORRY}`)).toBeVisible()
})

test('a statement that was pasted is not lost by a step back', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/bank')
  await page.getByRole('button', { name: 'Upload statement' }).first().click()
  const pasted = page.getByRole('dialog', { name: 'Upload statement' }).getByLabel('Or paste the statement')
  await pasted.fill('Date,Amount')
  await page.goBack()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(pasted).toHaveValue('Date,Amount')
})

test('the name of a phone is not lost by a step back, and a phone’s button waits alone', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.route('**/api/bank/devices', (route) =>
    route.fulfill({ json: { devices: [CONNECTED_PHONE], hasHttps: true } }),
  )
  await page.goto('/admin/settings/bank')
  await page.getByRole('button', { name: 'Connect a phone' }).click()
  const name = page.getByRole('dialog', { name: 'Connect a phone' }).getByLabel('Name')
  await name.fill('Back room')
  await page.goBack()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(name).toHaveValue('Back room')
  await page.goBack()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(name).toBeHidden()

  const go = await waiting(page, '**/api/bank/devices/*', sorry)
  const disconnect = page.getByRole('button', { name: 'Disconnect Counter' })
  await disconnect.click()
  await page.waitForTimeout(1_100)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(disconnect).toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('button', { name: 'Pause Counter' })).not.toHaveAttribute('aria-busy')
  go()
  await expect(said(page, SORRY)).toBeVisible()
})

test('a message is sent again once, however often the button is pressed', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  const dead = {
    _id: '0190a000-0000-7000-8000-00000000000e',
    kind: 'topup.approved',
    channel: 'email',
    to: 'diya',
    state: 'dead',
    attempts: 9,
    createdAt: '2026-11-20T04:30:00.000Z',
    sentAt: null,
    status: null,
    error: null,
  }
  await page.route('**/api/messages/log?*', (route) => route.fulfill({ json: { deliveries: [dead] } }))
  let sent = 0
  const go = await waiting(page, '**/api/messages/*/retry', (route) => {
    sent += 1
    return route.fulfill({ json: { message: '' } })
  })
  await page.goto('/admin/settings/messages')
  const again = page.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect(again).toHaveAttribute('aria-busy', 'true')
  await again.click({ force: true })
  go()
  await expect(again).not.toHaveAttribute('aria-busy')
  expect(sent).toBe(1)
})

test('Enter in a search credits nobody, and what could not be set aside is tried again alone', async ({
  owner,
  shop,
}) => {
  const accountId = (await shop.owner.bank.accounts({})).accounts[0]?._id ?? ''
  const payer = `RAVI${Date.now()}`
  const text = statementOf([61, 62].map((rupees) => ({ utr: freshUtr(), rupees, payer })))
  await shop.owner.bank.import({ text, accountId })
  const page = await owner({ viewport: PHONE })
  await page.goto(`/admin/bank?search=${payer}`)
  await page.getByRole('button', { name: /^Credit to user… ₹61/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Credit ₹61 to a user' })
  await dialog.getByLabel('Search name, email or phone').fill('nobody')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('No user matches')).toBeVisible()
  await expect(dialog.getByText('Choose a user')).toBeHidden()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  let failures = 1
  await page.route('**/api/bank/credits/*/set-aside', (route) => (failures-- > 0 ? sorry(route) : route.fallback()))
  await page.getByLabel('Select all 2').check()
  await page.getByRole('button', { name: 'Ignore 2' }).click()
  const aside = page.getByRole('dialog', { name: 'Ignore 2 payments, ₹123 in all?' })
  await aside.getByLabel('Reason').fill('Rent')
  await aside.getByRole('button', { name: 'Ignore' }).click()
  await expect(aside.getByText(SORRY)).toBeVisible()
  await page.waitForTimeout(1_100)
  await aside.getByRole('button', { name: 'Ignore' }).click()
  await expect(said(page, '₹123 ignored')).toBeVisible()
})

test('what another admin has switched off meanwhile stays off', async ({ owner, shop }) => {
  const { _id: planId } = await shop.owner.payments.createPlan({ amount: 143, bonus: 150, isActive: true })
  const terms = { description: 'Twin', maxUsage: null, rewardAmount: 0, isActive: true }
  const { _id: codeId } = await shop.owner.referrals.create({ code: 'TWIN26', ...terms })
  const { mode, trusts, perRequest, perBuyerDay, perDay, unprovenMax } = await shop.owner.bank.rules({})
  const rules = { mode, trusts, perRequest, perBuyerDay, perDay, unprovenMax }
  const page = await owner({ viewport: PHONE })
  await withoutEvents(page)

  await test.step('a plan', async () => {
    await page.goto('/admin/topup-plan-manager')
    await page.getByRole('button', { name: 'Edit ₹143 plan' }).click()
    await shop.owner.payments.updatePlan({ id: planId, isActive: false })
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Wallet credit (₹)').fill('151')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(said(page, 'Plan saved')).toBeVisible()
    const plan = (await shop.owner.payments.plans({})).find(({ _id }) => _id === planId)
    expect(plan).toMatchObject({ bonus: 151, isActive: false })
    await shop.owner.payments.removePlan({ id: planId })
  })

  await test.step('a referral code', async () => {
    await page.goto('/admin/referral-manager?search=TWIN26')
    await rowOf(page, 'TWIN26').getByRole('button', { name: 'More: TWIN26' }).click()
    await page.getByRole('button', { name: 'Edit TWIN26' }).click()
    await shop.owner.referrals.update({ id: codeId, isActive: false })
    const dialog = page.getByRole('dialog', { name: 'Edit TWIN26' })
    await dialog.getByLabel('Description').fill('Told apart')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(said(page, 'TWIN26 saved')).toBeVisible()
    const code = (await shop.owner.referrals.list({})).find(({ _id }) => _id === codeId)
    expect(code).toMatchObject({ description: 'Told apart', isActive: false })
    await shop.owner.referrals.remove({ id: codeId })
  })

  await test.step('automatic approval', async () => {
    await shop.owner.bank.saveRules({ ...rules, mode: 'auto' })
    await page.goto('/admin/settings/bank')
    await expect(page.getByLabel('Approve', { exact: true })).toHaveValue('auto')
    await shop.owner.bank.saveRules({ ...rules, mode: 'propose' })
    await page.getByLabel('Limit per request (₹)').fill('777')
    await page.getByRole('button', { name: 'Save rules' }).click()
    await expect(said(page, 'Rules saved')).toBeVisible()
    expect(await shop.owner.bank.rules({})).toMatchObject({ mode: 'propose', perRequest: 777 })
    await shop.owner.bank.saveRules(rules)
  })
})

test('the facts of a batch that another admin has entered meanwhile stay', async ({ owner, shop }) => {
  const name = `Facts ${freshUtr()}`
  const prices = [{ duration: '10 Days', price: 20 }]
  const { _id: productId } = await shop.owner.catalogue.create({ name, prices })
  await shop.owner.keys.add({ productId, duration: '10 Days', keys: [`FACT-${freshUtr()}`] })
  const page = await owner({ viewport: PHONE })
  await page.goto(`/admin/key-manager?view=batches&product=${productId}`)
  await page.getByRole('button', { name: /^Edit the batch of/ }).click()
  const { batches } = await shop.owner.keys.batches({ productId })
  await shop.owner.keys.editBatch({ id: batches[0]?._id ?? '', costPerKey: 7 })
  const dialog = page.getByRole('dialog', { name: 'Edit batch' })
  await dialog.getByLabel('Note').fill('By post')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(said(page, 'Batch saved')).toBeVisible()
  expect((await shop.owner.keys.batches({ productId })).batches).toMatchObject([{ costPerKey: 7, note: 'By post' }])
})
