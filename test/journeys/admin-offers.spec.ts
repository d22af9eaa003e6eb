/** Top-up plans and referral codes; and a product that two admins change at the same time. */
import {
  expect,
  failing,
  freshName,
  pagerAt,
  PHONE,
  rowOf,
  said,
  SORRY,
  test,
  actionOf,
  filterBy,
} from './admin-counter.ts'
import { liftFinger } from './people.ts'

test('top-up plans', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  const active = async () => (await shop.owner.payments.plans({})).find(({ amount }) => amount === 123)?.isActive
  await page.goto('/admin/topup-plan-manager')

  await test.step('a new one shows what it offers before it is saved', async () => {
    await page.getByRole('button', { name: 'New plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'New top-up plan' })
    await dialog.getByLabel('Amount (₹)').fill('0.50')
    await dialog.getByRole('button', { name: 'Add plan' }).click()
    await expect(dialog.getByLabel('Amount (₹)')).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByLabel('Wallet credit (₹)')).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByLabel('Amount (₹)').fill('१२३')
    await expect(dialog.getByLabel('Amount (₹)')).toHaveValue('123')
    await dialog.getByLabel('Wallet credit (₹)').fill('100')
    await expect(dialog.getByText('Buyers would pay ₹123 and get only ₹100 (₹23 less).')).toBeVisible()
    await dialog.getByLabel('Wallet credit (₹)').fill('150')
    await expect(dialog.getByText('Pay ₹123, get ₹150 (₹27 extra, 22%).')).toBeVisible()

    const letThrough = await failing(page, 'POST', '/payments/topup-plans')
    await dialog.getByRole('button', { name: 'Add plan' }).click()
    await expect(dialog.getByText(SORRY)).toBeVisible()
    await letThrough()
    await dialog.getByRole('button', { name: 'Add plan' }).click()
    await expect(said(page, 'Plan added')).toBeVisible()
    await expect(rowOf(page, '₹123').getByText('+₹27 · 22%')).toBeVisible()
  })

  await test.step('edit', async () => {
    await page.getByRole('button', { name: 'Edit ₹123 plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit ₹123 plan' })
    await dialog.getByLabel('Wallet credit (₹)').fill('160.50')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(said(page, 'Plan saved')).toBeVisible()
    await expect(rowOf(page, '₹123').getByText('₹160.50')).toBeVisible()
  })

  await test.step('switching it off takes it from the buyers; a failure puts the switch back', async () => {
    const toggle = page.getByRole('switch', { name: '₹123 plan is active' })
    const letThrough = await failing(page, 'PUT', /topup-plans/)
    await toggle.click()
    await expect(said(page, SORRY)).toBeVisible()
    await expect(toggle).toBeChecked()
    await letThrough()
    await toggle.click()
    await expect(toggle).not.toBeChecked()
    await expect.poll(active).toBe(false)
    await filterBy(page, () => page.getByRole('button', { name: 'Inactive', exact: true }).click())
    await expect(page).toHaveURL(/status=inactive/)
    await expect(page.locator('[data-row]')).toHaveCount(1)
  })

  await test.step('deleting names it and can be undone', async () => {
    const remove = async () => {
      await (await actionOf(rowOf(page, '₹123'), 'Delete ₹123 plan')).click()
      const question = page.getByRole('alertdialog', { name: 'Delete the ₹123 plan?' })
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(question).toBeHidden()
    }
    await remove()
    await expect(page.getByText('No inactive plans')).toBeVisible()
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
    await expect(said(page, '₹123 plan restored')).toBeVisible()
    await expect.poll(active).toBe(false)
    await remove()
    await expect.poll(active).toBeUndefined()
    await page.getByRole('button', { name: 'Show all plans' }).click()
    await expect(rowOf(page, '₹2,000')).toBeVisible()
  })
})

test('a plan whose answer was lost is not added twice', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/topup-plan-manager')
  await expect(rowOf(page, '₹2,000')).toBeVisible()
  await page.route('**/api/payments/topup-plans', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: 'New plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'New top-up plan' })
  await dialog.getByLabel('Amount (₹)').fill('137')
  await dialog.getByLabel('Wallet credit (₹)').fill('141')
  await dialog.getByRole('button', { name: 'Add plan' }).click()
  await expect(dialog.getByText('can’t be reached')).toBeVisible()
  await page.unroute('**/api/payments/topup-plans')
  await dialog.getByRole('button', { name: 'Add plan' }).click()
  await expect(said(page, 'Plan added')).toBeVisible()
  const added = (await shop.owner.payments.plans({})).filter(({ amount }) => amount === 137)
  for (const { _id } of added) await shop.owner.payments.removePlan({ id: _id })
  expect(added).toHaveLength(1)
})

test('referral codes', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  const stored = async () => (await shop.owner.referrals.list({})).find(({ code }) => code === 'MONSOON26')
  await page.goto('/admin/referral-manager')

  await test.step('a new one is checked by the form and by the server', async () => {
    await page.getByRole('button', { name: 'New code' }).click()
    const dialog = page.getByRole('dialog', { name: 'New referral code' })
    await dialog.getByLabel('Maximum uses').fill('0')
    await dialog.getByRole('button', { name: 'Add code' }).click()
    await expect(dialog.getByLabel('Code', { exact: true })).toBeFocused()
    for (const field of ['Code', 'Description', 'Maximum uses']) {
      await expect(dialog.getByRole('textbox', { name: field })).toHaveAttribute('aria-invalid', 'true')
    }
    await dialog.getByLabel('Code', { exact: true }).fill('welcome50')
    await dialog.getByLabel('Description').fill('Rain brings friends')
    await dialog.getByLabel('Maximum uses').fill('2')
    await dialog.getByLabel('Sign-up reward (₹)').fill('12.50')
    await dialog.getByRole('button', { name: 'Add code' }).click()
    await expect(dialog.getByText('This referral code already exists.')).toBeVisible()
    await dialog.getByLabel('Code', { exact: true }).fill('monsoon26')
    await dialog.getByRole('button', { name: 'Add code' }).click()
    await expect(said(page, 'MONSOON26 added')).toBeVisible()
    expect(await stored()).toMatchObject({ maxUsage: 2, rewardAmount: 12.5, isActive: true, usageCount: 0 })
  })

  await test.step('edit, and say where it failed', async () => {
    await (await actionOf(rowOf(page, 'MONSOON26'), 'Edit MONSOON26')).click()
    const dialog = page.getByRole('dialog', { name: 'Edit MONSOON26' })
    await dialog.getByLabel('Maximum uses').fill('')
    const letThrough = await failing(page, 'PUT', /^\/api\/referral\//)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByText(SORRY)).toBeVisible()
    await letThrough()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(said(page, 'MONSOON26 saved')).toBeVisible()
    expect(await stored()).toMatchObject({ maxUsage: null })
  })

  await test.step('switched off it is refused at sign-up', async () => {
    await page.getByRole('switch', { name: 'MONSOON26 is active' }).click()
    await expect.poll(async () => (await stored())?.isActive).toBe(false)
    expect((await page.request.get('/api/referral/validate/MONSOON26')).status()).toBe(404)
  })

  await test.step('search and filter', async () => {
    await page.getByLabel('Search referrals').fill('rain')
    await expect(page).toHaveURL(/search=rain/)
    await expect(page.locator('[data-row]')).toHaveCount(1)
    await filterBy(page, () => page.getByRole('button', { name: 'Limit reached', exact: true }).click())
    await page.getByRole('button', { name: 'Show all codes' }).click()
    await expect(rowOf(page, 'WELCOME50')).toBeVisible()
  })

  await test.step('deleting names it, says how many used it, and can be undone for an unused one', async () => {
    await (await actionOf(rowOf(page, 'WELCOME50'), 'Delete WELCOME50')).click()
    const used = page.getByRole('alertdialog', { name: 'Delete WELCOME50?' })
    await expect(used.getByText(/signed up with this code/)).toBeVisible()
    await used.getByRole('button', { name: 'Cancel' }).click()

    await (await actionOf(rowOf(page, 'MONSOON26'), 'Delete MONSOON26')).click()
    const question = page.getByRole('alertdialog', { name: 'Delete MONSOON26?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(rowOf(page, 'MONSOON26')).toHaveCount(0)
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
    await expect(said(page, 'MONSOON26 restored')).toBeVisible()
    await shop.owner.referrals.remove({ id: (await stored())?._id ?? '' })
  })

  await test.step('pages', async () => {
    const codes = []
    for (let n = 0; n < 25; n++) {
      codes.push(await shop.owner.referrals.create({ code: `LEAF${n}`, description: 'One of many' }))
    }
    await page.reload()
    await (await pagerAt(page, /^1–25 of 2\d$/)).getByRole('button', { name: 'Next page' }).click()
    await expect(page).toHaveURL(/page=1/)
    await pagerAt(page, /^26–/)
    for (const { _id } of codes) await shop.owner.referrals.remove({ id: _id })
  })
})

test('a double click adds, and deletes, one', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await page.goto('/admin/topup-plan-manager')
  await page.getByRole('button', { name: 'New plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'New top-up plan' })
  await dialog.getByLabel('Amount (₹)').fill('321')
  await dialog.getByLabel('Wallet credit (₹)').fill('350')
  await dialog.getByRole('button', { name: 'Add plan' }).dblclick()
  await expect(said(page, 'Plan added')).toBeVisible()
  await expect(rowOf(page, '₹321')).toHaveCount(1)
  await (await actionOf(rowOf(page, '₹321'), 'Delete ₹321 plan')).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).dblclick()
  await expect(rowOf(page, '₹321')).toHaveCount(0)
  await expect(page.getByRole('alertdialog')).toBeHidden()
  expect(sent.map((call) => call.split(' ')[0])).toEqual(['POST', 'DELETE'])
})

test('a product that another admin has changed meanwhile is not written back as it was', async ({ owner, shop }) => {
  const name = `Twin ${freshName()}`
  const { _id: id, prices } = await shop.owner.catalogue.create({
    name,
    description: '',
    prices: [{ duration: '10 Days', price: 100 }],
  })
  const stored = async () => (await shop.owner.catalogue.list({})).find(({ _id }) => _id === id)
  const page = await owner()
  await page.goto(`/admin/product-manager?search=${encodeURIComponent(name)}`)
  await (await actionOf(rowOf(page, name), `Edit ${name}`)).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
  await dialog.getByLabel('Price 1').fill('110')
  await shop.owner.catalogue.update({
    id,
    description: 'By another',
    prices: prices.map(({ _id, duration }) => ({ _id, duration, price: 120 })),
  })

  await dialog.getByRole('button', { name: 'Save changes' }).click()
  const question = page.getByRole('alertdialog', { name: 'Overwrite the other changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(
    dialog.getByText(/^Someone else changed this while you were editing: Durations and prices\./),
  ).toBeVisible()
  expect(await stored()).toMatchObject({ description: 'By another', prices: [{ price: 120 }] })

  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await liftFinger(page)
  await question.getByRole('button', { name: 'Save anyway' }).click()
  await expect(said(page, `${name} saved`)).toBeVisible()
  expect(await stored()).toMatchObject({ description: 'By another', prices: [{ price: 110 }] })
  await shop.owner.catalogue.remove({ id })
})
