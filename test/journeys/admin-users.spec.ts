/** The owner's actions on single users, and what those users see. */
import {
  DESK,
  expect,
  failing,
  PHONE,
  rowOf,
  said,
  SORRY,
  test,
  repeatAt,
  actionOf,
  filterBy,
  freshUtr,
} from './admin-counter.ts'
import { callsOf, enterPanel, PASSWORD, withoutData } from './people.ts'

for (const viewport of [PHONE, DESK]) {
  test(
    `a user at ${viewport.width} px: wallet, own price, hidden product, device, deletion`,
    repeatAt(viewport),
    async ({ owner, people, shop }) => {
      const [page, buyer] = await Promise.all([owner({ viewport }), people.buyer({ balance: 300 })])
      const name = buyer.username
      const row = rowOf(page, name)
      const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
      const open = async () => (await actionOf(row, `Edit ${name}`)).click()
      const save = dialog.getByRole('button', { name: 'Save changes' })
      const movements = () => buyer.calls.wallet.history({})
      await Promise.all([page.goto(`/admin/user-manager`), buyer.page.goto('/')])

      await test.step('is found by a part of the name', async () => {
        await page.getByLabel('Search name, email or phone').fill(name.slice(2))
        await expect(page).toHaveURL(/search=/)
        await expect(page.locator('[data-row]')).toHaveCount(1)
        await expect(row.getByText('₹300')).toBeVisible()
      })

      await test.step('money is added for a term and with a reason, after a preview', async () => {
        await open()
        await dialog.getByLabel('Reason').fill('For the wait')
        await dialog.getByLabel('Valid for').selectOption({ label: 'Other…' })
        await expect(dialog.locator('[aria-invalid]')).toHaveCount(0)
        await save.click()
        await expect(dialog.getByText('Enter an amount in ₹, like 250 or 99.50')).toBeVisible()
        await dialog.getByLabel('Valid for').selectOption({ label: '60 days' })
        await dialog.getByLabel('Amount (₹)').fill('1e3')
        await expect(dialog.getByText('Enter an amount in ₹, like 250 or 99.50')).toBeVisible()
        await dialog.getByLabel('Amount (₹)').fill('100.50')
        await expect(dialog.getByLabel('Valid for')).toHaveValue('60')
        await dialog.getByLabel('Valid for').selectOption({ label: '30 days' })
        await dialog.getByLabel('Reason').fill('For the long wait')
        await expect(dialog.getByText('₹400.50')).toBeVisible()
        await expect(dialog.getByText(/^Any of the ₹100\.50 left unspent expires on .+\.$/)).toBeVisible()
        const letThrough = await failing(page, 'PUT', /custom-prices$/)
        await save.click()
        await expect(dialog.getByText(`Failed to update user. ${SORRY}`)).toBeVisible()
        await letThrough()
        await save.click()
        await expect(said(page, `${name} saved. Balance ₹400.50`)).toBeVisible()
        await expect(said(buyer.page, 'Balance increased by ₹100.50')).toBeVisible()
        expect((await movements())[0]).toMatchObject({
          delta: 100.5,
          description: expect.stringContaining('long wait'),
        })
      })

      await test.step('no more than is there can be deducted, and a deduction comes back after its term', async () => {
        await open()
        await dialog.getByRole('button', { name: 'Deduct money' }).click()
        await dialog.getByLabel('Amount (₹)').fill('400.51')
        await expect(dialog.getByText(/^You can deduct up to ₹400\.50/)).toBeVisible()
        await dialog.getByLabel('Amount (₹)').fill('0.50')
        await dialog.getByLabel('Deduct for').selectOption({ label: 'Other…' })
        await dialog.getByLabel('Days').fill('3')
        await expect(dialog.getByText(/^On .+, ₹0\.50 returns to the wallet/)).toBeVisible()
        await dialog.getByLabel('Deduct for').selectOption({ label: 'No expiry' })
        await expect(dialog.getByText(/^This deduction is permanent/)).toBeVisible()
        await save.click()
        await expect(row.getByText('₹400', { exact: true })).toBeVisible()
        await expect.poll(async () => (await movements())[0]).toMatchObject({ kind: 'admin_debit', delta: -0.5 })
      })

      await test.step('an own price is what this buyer pays', async () => {
        await open()
        await dialog.getByRole('button', { name: 'Prices' }).click()
        const price = dialog.getByLabel('Price of Orbit Arena Pro, 5 Days')
        await price.fill('cheap')
        await save.click()
        await expect(dialog.getByText('Enter a price from ₹0, or leave empty for the list price')).toBeVisible()
        await price.fill('55')
        await save.click()
        await expect(row.getByText('1 custom price')).toBeVisible()
        const products = await buyer.calls.catalogue.list({})
        const prices = products.find((product) => product.name === 'Orbit Arena Pro')?.prices
        expect(prices?.find(({ duration }) => duration === '5 Days')).toMatchObject({ price: 55 })
      })

      await test.step('a hidden product is not in their shop', async () => {
        await open()
        await dialog.getByRole('button', { name: 'Products' }).click()
        await dialog.getByRole('switch', { name: 'Paper Kingdoms' }).click()
        await expect(dialog.getByRole('button', { name: 'Products •' })).toBeVisible()
        await save.click()
        await expect(row.getByText('1 hidden product')).toBeVisible()
        await buyer.page.reload()
        await expect(buyer.page.getByText('₹55').first()).toBeVisible()
        await expect(buyer.page.getByText('Paper Kingdoms')).toHaveCount(0)
      })

      await test.step('a lost answer and another try are one movement', async () => {
        const before = (await movements()).length
        await open()
        await dialog.getByLabel('Amount (₹)').fill('25')
        // The change is made, and its answer does not arrive
        await page.route(/custom-prices$/, async (route) => {
          await route.fetch()
          await route.abort()
        })
        await save.click()
        await expect(dialog.getByText(/can’t be reached/)).toBeVisible()
        await page.unroute(/custom-prices$/)
        await save.click()
        await expect(said(page, `${name} saved. Balance ₹425`)).toBeVisible()
        expect(await movements()).toHaveLength(before + 1)
      })

      await test.step('what they have paid and bought, and where they are logged in', async () => {
        const { keys } = await buyer.calls.orders.place({
          productId: (await shop.owner.catalogue.list({})).find((each) => each.name === 'Orbit Arena Pro')?._id ?? '',
          duration: '5 Days',
          quantity: 1,
        })
        await (await actionOf(row, `Details of ${name}: payments, keys and devices`)).click()
        const panel = page.getByRole('dialog', { name })
        await expect(panel.getByText('Added by admin').first()).toBeVisible()
        await expect(panel.getByText('−₹0.50')).toBeVisible()
        await panel.getByRole('button', { name: 'Keys', exact: true }).click()
        await expect(panel.getByText(`…${keys[0]?.key.slice(-4)}`)).toBeVisible()
        await panel.getByRole('button', { name: 'Devices', exact: true }).click()
        await expect(panel.getByText(/^Chrome on Linux, (just\snow|\d+\smin\sago)$/)).toBeVisible()
        await expect(panel.getByText(/^Locked to one device since/)).toBeVisible()
        const letThrough = await failing(page, 'DELETE', /\/sessions\//)
        const end = async () => {
          await panel.getByRole('button', { name: 'Logout: Chrome on Linux' }).click()
          const question = page.getByRole('alertdialog', { name: `Log ${name} out of Chrome on Linux?` })
          await question.getByRole('button', { name: 'Logout' }).click()
        }
        await end()
        await expect(said(page, SORRY)).toBeVisible()
        await letThrough()
        await end()
        await expect(panel.getByText('Not logged in anywhere')).toBeVisible()
        await expect(buyer.page).toHaveURL(/\/login/)
        await panel.getByRole('button', { name: 'Close' }).click()
        await expect(panel).toBeHidden()
      })

      await test.step('their device is unlocked', async () => {
        await (await actionOf(row, `Reset device lock for ${name}`)).click()
        const question = page.getByRole('alertdialog', { name: `Reset the device lock for ${name}?` })
        await question.getByRole('button', { name: 'Reset device lock' }).click()
        await expect(said(page, `Device lock reset. ${name} can now log in on any device.`)).toBeVisible()
        await expect(await actionOf(row, `Reset device lock for ${name}`)).toBeDisabled()
        await page.keyboard.press('Escape')
      })

      await test.step('is blocked, reads why at login, and is let in again with one tap', async () => {
        await (await actionOf(row, `Block ${name}`)).click()
        const asked = page.getByRole('dialog', { name: `Block ${name}?` })
        await asked.getByRole('button', { name: 'Block', exact: true }).click()
        await expect(asked.getByText('Reason is required')).toBeVisible()
        await asked.getByLabel('Reason').fill('Two made-up payments')
        await asked.getByRole('button', { name: 'Block', exact: true }).click()
        await expect(row.getByText('Blocked', { exact: true })).toBeVisible()
        const [at, username, password] = [buyer.page, buyer.username, PASSWORD]
        await at.goto('/login')
        const logIn = async () => {
          await at.getByLabel('Username').fill(username)
          await at.getByLabel('Password', { exact: true }).fill(password)
          await at.getByRole('button', { name: 'Login', exact: true }).click()
        }
        await logIn()
        await expect(at.getByText('This account is blocked')).toBeVisible()
        await expect(at.getByText('Reason: Two made-up payments')).toBeVisible()
        await page.goto('/admin/user-manager?status=blocked')
        await (await actionOf(row, `Unblock ${name}`)).click()
        await expect(said(page, `${name} can log in again`)).toBeVisible()
        await logIn()
        await expect(at).not.toHaveURL(/login/)
        await page.goto(`/admin/user-manager?search=${name}`)
      })

      await test.step('deleting names them and says what is lost', async () => {
        await (await actionOf(row, `Delete ${name}`)).click()
        const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
        await expect(question.getByText('The wallet balance of ₹370 will be lost.')).toBeVisible()
        const letThrough = await failing(page, 'DELETE', /^\/api\/admin\/users\//)
        await question.getByRole('button', { name: 'Delete user' }).click()
        await expect(question.getByText(`Failed to delete user. ${SORRY}`)).toBeVisible()
        await letThrough()
        await question.getByRole('button', { name: 'Delete user' }).click()
        await expect(page.getByText(/^Nothing found for/)).toBeVisible()
        expect(await shop.owner.users.list({ search: name })).toMatchObject({ total: 0 })
      })
    },
  )
}

test('what another admin has changed for a user meanwhile stays, and a deletion says what is lost by now', async ({
  owner,
  people,
  shop,
}) => {
  const buyer = await people.buyer({ balance: 50 })
  const products = await shop.owner.catalogue.list({})
  const idOf = (name: string) => products.find((product) => product.name === name)?._id ?? ''
  const [orbit, paper, hexfall] = ['Orbit Arena Pro', 'Paper Kingdoms', 'Hexfall Tactics'].map(idOf)
  const page = await owner({ viewport: PHONE })
  await page.goto(`/admin/user-manager?search=${buyer.username}`)
  await (await actionOf(rowOf(page, buyer.username), `Edit ${buyer.username}`)).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${buyer.username}` })
  await dialog.getByRole('button', { name: 'Prices' }).click()
  await dialog.getByLabel('Price of Orbit Arena Pro, 5 Days').fill('55')
  await dialog.getByRole('button', { name: 'Products', exact: true }).click()
  await dialog.getByRole('switch', { name: 'Paper Kingdoms' }).click()
  const others = [{ productId: paper ?? '', duration: '10 Days', price: 33 }]
  await shop.owner.users.update({ id: buyer.id, customPrices: others, hiddenProducts: [hexfall ?? ''] })

  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog).toBeHidden()
  const [user] = (await shop.owner.users.list({ search: buyer.username })).users
  expect(user?.customPrices).toHaveLength(2)
  expect(user?.customPrices).toEqual(
    expect.arrayContaining([...others, { productId: orbit, duration: '5 Days', price: 55 }]),
  )
  expect(new Set(user?.hiddenProducts)).toEqual(new Set([paper, hexfall]))

  await (await actionOf(rowOf(page, buyer.username), `Delete ${buyer.username}`)).click()
  const question = page.getByRole('alertdialog', { name: `Delete ${buyer.username}?` })
  await expect(question.getByText('The wallet balance of ₹50 will be lost.')).toBeVisible()
  const { payment } = await buyer.calls.payments.addMoney({ amount: 64, utr: freshUtr(), payerName: '9812345699' })
  await shop.owner.payments.approve({ id: payment._id })
  await expect(question.getByText('The wallet balance of ₹114 will be lost.')).toBeVisible()
})

test('the list of users has pages, and says when it could not be loaded', async ({ owner, people, shop }) => {
  const { total } = await shop.owner.users.list({})
  await Promise.all(Array.from({ length: Math.max(0, 11 - total) }, () => people.account()))
  const page = await owner()
  await withoutData(page)
  const letThrough = await failing(page, 'GET', '/admin/users')
  await page.goto('/admin/user-manager')
  await expect(page.getByText(SORRY)).toBeVisible()
  await letThrough()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.locator('[data-row]')).toHaveCount(10)
  const first = await page.locator('[data-row]').first().textContent()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=1/)
  await expect(page.locator('[data-row]').first()).not.toHaveText(first ?? '')
  await page.goBack()
  await expect(page.locator('[data-row]').first()).toHaveText(first ?? '')
})

test('who holds money, whose credit lapses soon, and a total that is a guess', async ({ owner, people, shop }) => {
  // More than any buyer of the other journeys, with whom this store may be shared
  const [page, buyer] = await Promise.all([owner(), people.buyer({ balance: 90_000 })])
  const { _id } = await buyer.calls.sessions.me({})
  await shop.owner.users.update({ id: _id, balance: 7, expiresInDays: 1 })
  await page.goto('/admin/user-manager')
  await filterBy(page, () => page.getByRole('button', { name: 'With balance' }).click())
  await expect(page).toHaveURL(/status=money/)
  await expect(page.locator('[data-row]').first()).toContainText(buyer.username)
  await filterBy(page, () => page.getByRole('button', { name: 'Expiring soon' }).click())
  await expect(page).toHaveURL(/status=lapsing/)
  await expect(rowOf(page, buyer.username)).toBeVisible()
  await page.route('**/api/admin/users?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), total: 250_000, totalIsEstimate: true } })
  })
  await withoutData(page)
  await page.goto('/admin/user-manager')
  await expect(page.getByText('1–10 of about 2,50,000')).toBeVisible()
  await expect(page.getByText('Page 1', { exact: true })).toBeVisible()
})

test('a purchase leads to its buyer, whose details say which payment was taken back', async ({
  owner,
  people,
  shop,
}) => {
  const buyer = await people.buyer({ balance: 100 })
  const product = (await shop.owner.catalogue.list({})).find(({ name }) => name === 'Orbit Arena Pro')
  await buyer.calls.orders.place({ productId: product?._id ?? '', duration: '5 Days', quantity: 1 })
  const { payment } = await buyer.calls.payments.addMoney({ amount: 60, utr: freshUtr(), payerName: '9812345678' })
  await shop.owner.payments.approve({ id: payment._id })
  const { request } = (await people.visitor()).context
  await enterPanel(request, shop.admin)
  await callsOf(request).bank.takeBack({ id: payment._id, reason: 'It never came' })

  const page = await owner({ viewport: PHONE })
  await page.goto(`/admin/purchases?search=${buyer.username}`)
  await page.getByRole('link', { name: `User ${buyer.username}` }).click()
  const details = `Details of ${buyer.username}: payments, keys and devices`
  await (await actionOf(rowOf(page, buyer.username), details)).click()
  await expect(page.getByRole('dialog').getByText('Taken back')).toBeVisible()
})
