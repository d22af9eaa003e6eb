/** Products are created, changed, ordered and deleted, and each failure says what to do. */
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
  listBar,
} from './admin-counter.ts'
import { withoutData } from './people.ts'

for (const viewport of [PHONE, DESK]) {
  test(`products at ${viewport.width} px`, repeatAt(viewport), async ({ owner, people, shop }) => {
    const page = await owner({ viewport, reducedMotion: 'no-preference' })
    const name = `Lumen Deck ${viewport.width}`
    const stored = async () => (await shop.owner.catalogue.list({})).find((product) => product.name === name)
    const placeOf = async () => (await shop.owner.catalogue.list({})).findIndex((product) => product.name === name)
    await page.goto('/admin/product-manager')

    await test.step('a new one needs a name, a duration and a price, and a name of its own', async () => {
      await page.getByRole('button', { name: 'New product' }).click()
      const dialog = page.getByRole('dialog', { name: 'New product' })
      await dialog.getByRole('button', { name: 'Add product' }).click()
      await expect(dialog.getByText('Name is required')).toBeVisible()
      await expect(dialog.getByText('Enter a duration like 10 Days, 5 Months or 1 Year')).toBeVisible()
      await expect(dialog.getByText('Enter a price from ₹0')).toBeVisible()
      await expect(dialog.getByLabel('Name')).toBeFocused()

      await dialog.getByLabel('Duration 1').fill('10days')
      await dialog.getByLabel('Price 1').fill('149.50')
      await expect(dialog.getByLabel('Duration 1')).toHaveValue('10 Days')
      await dialog.getByLabel('Name').fill('Orbit Arena Pro')
      await dialog.getByRole('button', { name: 'Add product' }).click()
      await expect(dialog.getByText('A product with this name already exists.')).toBeVisible()

      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('Description').fill('Cards that glow.')
      await dialog.getByRole('button', { name: 'Add product' }).click()
      await expect(said(page, `${name} added`)).toBeVisible()
      await expect(dialog).toBeHidden()
      await expect(rowOf(page, name).getByText('₹149.50')).toBeVisible()
    })

    await test.step('renaming a duration carries its keys along, which the dialog says before', async () => {
      const product = await stored()
      const keys = [1, 2, 3].map((n) => `LUM-${viewport.width}-${n}`)
      await shop.owner.keys.add({ productId: product?._id ?? '', duration: '10 Days', keys })
      await expect(rowOf(page, name).getByText('3 left')).toBeVisible()
      await page.getByRole('button', { name: `Edit ${name}` }).click()
      const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
      await dialog.getByLabel('Duration 1').fill('2 Weeks')
      await dialog.getByLabel('Price 1').fill('159')
      await expect(dialog.getByText('3 unsold 10 Days keys will now be sold as 2 Weeks.')).toBeVisible()

      const letThrough = await failing(page, 'PUT', `/products/${product?._id}`)
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await expect(dialog.getByText(SORRY)).toBeVisible()
      await letThrough()
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await expect(said(page, `${name} saved`)).toBeVisible()
      expect((await stored())?.prices).toMatchObject([{ duration: '2 Weeks', price: 159, available: 3 }])
      await expect(rowOf(page, name).getByText('2 Weeks', { exact: true })).toBeVisible()
    })

    await test.step('a duration has a mark of its own, below which it is low', async () => {
      await expect(rowOf(page, name).getByText('Low stock')).toBeVisible()
      await page.getByRole('button', { name: `Edit ${name}` }).click()
      const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
      const mark = dialog.getByLabel('Alert below, row 1')
      await expect(mark).toHaveValue('5')
      await mark.fill('few')
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await expect(dialog.getByText('Enter a whole number, or 0 for no alert')).toBeVisible()
      await mark.fill('3')
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await expect(dialog).toBeHidden()
      await expect(rowOf(page, name).getByText('3 in stock')).toBeVisible()
      await expect(rowOf(page, name).getByText('Low stock')).toBeHidden()
      expect((await stored())?.prices).toMatchObject([{ duration: '2 Weeks', lowStockBelow: 3 }])
    })

    await test.step('what was typed is not thrown away unasked', async () => {
      await page.getByRole('button', { name: `Edit ${name}` }).click()
      const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
      await dialog.getByLabel('Description').fill('Cards that do not glow.')
      await page.keyboard.press('Escape')
      const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await expect(dialog.getByLabel('Description')).toHaveValue('Cards that do not glow.')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await question.getByRole('button', { name: 'Discard' }).click()
      await expect(dialog).toBeHidden()
      expect((await stored())?.description).toBe('Cards that glow.')
    })

    await test.step('the Hot Sale switch goes back when it could not be saved, with another try', async () => {
      const hot = page.getByRole('switch', { name: `Hot Sale for ${name}` })
      const letThrough = await failing(page, 'PUT', /^\/api\/products\//)
      await hot.click()
      await expect(said(page, SORRY)).toBeVisible()
      await expect(hot).not.toBeChecked()
      await letThrough()
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Retry' }).click()
      await expect(hot).toBeChecked()
      await expect.poll(async () => (await stored())?.hot).toBe(true)
    })

    await test.step('the arrow keys put it into another place, and Enter asks for one in words', async () => {
      const before = await placeOf()
      const handle = page.getByRole('button', { name: new RegExp(`^Move ${name}, position`) })
      await handle.focus()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await expect(handle).toBeFocused()
      await expect(page.getByText(new RegExp(`^${name} moved to position ${before - 1} of`))).toBeAttached()
      await expect.poll(placeOf).toBe(before - 2)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: `Move ${name}` })
      await dialog.getByLabel('Position in the store').selectOption({ index: before })
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await expect.poll(placeOf).toBe(before)
    })

    await test.step('a thumb changes the order in a short list', async () => {
      const before = await placeOf()
      await (await actionOf(listBar(page), 'Change order')).click()
      const sheet = page.getByRole('dialog', { name: 'Change order' })
      await sheet.getByRole('button', { name: `Move ${name} up` }).click()
      await expect.poll(placeOf).toBe(before - 1)
      await sheet.getByRole('button', { name: `Move ${name} down` }).click()
      await expect.poll(placeOf).toBe(before)
      await sheet.getByRole('button', { name: 'Done' }).click()
      await expect(sheet).toBeHidden()
    })

    await test.step('it is taken out of the store, and listed again', async () => {
      const buyer = await people.buyer()
      const isSeen = async () => (await buyer.calls.catalogue.list({})).some((product) => product.name === name)
      await (await actionOf(rowOf(page, name), `Unlist ${name}`)).click()
      await expect(rowOf(page, name).getByText('Not listed')).toBeVisible()
      await expect.poll(isSeen).toBe(false)
      await filterBy(page, () => page.getByRole('button', { name: 'Not listed', exact: true }).click())
      await (await actionOf(rowOf(page, name), `List ${name}`)).click()
      await expect.poll(isSeen).toBe(true)
      await filterBy(page, () => page.getByRole('button', { name: 'All', exact: true }).click())
      await expect(rowOf(page, name).getByText('Not listed')).toBeHidden()
    })

    await test.step('a copy opens to be named, and is not listed', async () => {
      await (await actionOf(rowOf(page, name), `Duplicate ${name}`)).click()
      const dialog = page.getByRole('dialog', { name: `Edit ${name} copy` })
      await expect(dialog.getByLabel('Price 1')).toHaveValue('159')
      await expect(dialog.getByRole('switch', { name: 'Listed' })).not.toBeChecked()
      const copied = `Second Deck ${viewport.width}`
      await dialog.getByLabel('Name').fill(copied)
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await expect(dialog).toBeHidden()
      // A dialog that closes takes its entry of the history back, and with it what is typed too soon
      await page.waitForFunction(() => !(history.state as { isLayer?: boolean } | null)?.isLayer)
      await page.getByLabel('Search products').fill(copied)
      await expect(rowOf(page, copied).getByText('Not listed')).toBeVisible()
      const { _id = '' } = (await shop.owner.catalogue.list({})).find((product) => product.name === copied) ?? {}
      await shop.owner.catalogue.remove({ id: _id })
      await expect(rowOf(page, copied)).toHaveCount(0)
      await page.getByLabel('Search products').fill('')
    })

    await test.step('prices change together, after a look at the new ones', async () => {
      const product = await stored()
      const price = async () => (await stored())?.prices[0]?.listPrice
      await page.getByLabel('Search products').fill('lumen')
      await expect(page.locator('[data-row]')).toHaveCount(1)
      await (await actionOf(listBar(page), 'Change prices')).click()
      const dialog = page.getByRole('dialog', { name: 'Change prices' })
      await dialog.getByRole('button', { name: 'Change 1 price' }).click()
      await expect(dialog.getByText('Enter a whole number')).toBeVisible()
      await dialog.getByLabel('By (%)').fill('10')
      await expect(dialog.getByText('₹143', { exact: true })).toBeVisible()
      await dialog.getByRole('button', { name: '₹', exact: true }).click()
      await dialog.getByLabel('By (₹)').fill('200')
      await expect(dialog.getByText(`${name} (2 Weeks) would cost −₹41. Choose a smaller change.`)).toBeVisible()
      await dialog.getByRole('button', { name: 'Raise' }).click()
      await expect(dialog.getByText('₹359', { exact: true })).toBeVisible()

      const reprice = { priceIds: [product?.prices[0]?._id ?? ''], rupees: 1 }
      await shop.owner.catalogue.reprice(reprice)
      await expect(dialog.getByText('₹360', { exact: true }), 'another admin was faster').toBeVisible()
      await dialog.getByRole('button', { name: 'Change 1 price' }).click()
      await expect(said(page, '1 price changed')).toBeVisible()
      expect(await price()).toBe(360)
      await expect(rowOf(page, name).getByText('₹360')).toBeVisible()
      await shop.owner.catalogue.reprice({ ...reprice, rupees: -201 })
      await page.getByLabel('Search products').fill('')
    })

    await test.step('an order that could not be saved is the old one again', async () => {
      const before = await placeOf()
      const letThrough = await failing(page, 'PUT', '/products/order')
      await page.getByRole('button', { name: new RegExp(`^Move ${name}, position`) }).press('ArrowUp')
      await expect(said(page, /^Couldn’t save the new order\./)).toBeVisible()
      await expect(
        page.getByRole('button', { name: new RegExp(`^Move ${name}, position ${before + 1} of`) }),
      ).toBeVisible()
      await letThrough()
    })

    await test.step('search and filter stay in the address', async () => {
      await page.getByLabel('Search products').fill('lumen')
      await expect(page).toHaveURL(/search=lumen/)
      await expect(page.locator('[data-row]')).toHaveCount(1)
      await filterBy(page, () => page.getByRole('button', { name: 'Out of stock', exact: true }).click())
      await expect(page.getByText('Nothing found for “lumen”')).toBeVisible()
      await page.reload()
      await expect(page.getByText('Nothing found for “lumen”')).toBeVisible()
      await expect(page.getByLabel('Search products')).toHaveValue('lumen')
      await page.getByRole('button', { name: 'Show all products' }).click()
      await expect(rowOf(page, 'Orbit Arena Pro')).toBeVisible()
    })

    await test.step('deleting names it, tells what becomes of its keys, and stays when it failed', async () => {
      await (await actionOf(rowOf(page, name), `Delete ${name}`)).click()
      const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
      await expect(question.getByText(/3 unsold keys are kept/)).toBeVisible()
      const letThrough = await failing(page, 'DELETE', /^\/api\/products\//)
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(question.getByText(SORRY)).toBeVisible()
      await letThrough()
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(said(page, `${name} deleted`)).toBeVisible()
      await expect(rowOf(page, name)).toHaveCount(0)
      expect(await stored()).toBeUndefined()
    })

    await test.step('Undo brings it back with its keys and its place', async () => {
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
      await expect(said(page, `${name} restored`)).toBeVisible()
      await expect(rowOf(page, name).getByText('3 in stock')).toBeVisible()
      expect(await stored()).toMatchObject({ hot: true, available: 3, prices: [{ duration: '2 Weeks', price: 159 }] })
    })

    await test.step('a deletion by keyboard leads to Undo, and then to the list, on a slow phone too', async () => {
      const messages = page.getByRole('region', { name: 'Notifications' })
      const undo = messages.getByRole('button', { name: 'Undo' })
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: 10 })
      await (await actionOf(rowOf(page, name), `Delete ${name}`)).press('Enter')
      const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
      await question.getByRole('button', { name: 'Delete' }).press('Enter')
      await expect(undo).toBeFocused({ timeout: 30_000 })
      await page.keyboard.press('Enter')
      await expect(said(page, `${name} restored`)).toBeVisible()
      await expect(undo).toHaveCount(0)
      await expect(page.locator('#main')).toBeFocused()
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      await expect(rowOf(page, name)).toBeVisible()
      await shop.owner.catalogue.remove({ id: (await stored())?._id ?? '' })
    })
  })
}

test('a list that could not be loaded says so, with another try', async ({ owner }) => {
  const page = await owner()
  await withoutData(page)
  const letThrough = await failing(page, 'GET', '/products')
  await page.goto('/admin/product-manager')
  await expect(page.getByText(SORRY)).toBeVisible()
  await letThrough()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(rowOf(page, 'Orbit Arena Pro')).toBeVisible()
})
