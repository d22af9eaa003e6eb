/** Stock: pasted, corrected, found, exported and deleted, with what goes wrong in words. */
import {
  DESK,
  expect,
  failing,
  pagerAt,
  PHONE,
  rowOf,
  said,
  savedBy,
  SORRY,
  test,
  repeatAt,
  actionOf,
  filterBy,
  listBar,
} from './admin-counter.ts'
import { enterPanel, withoutData } from './people.ts'

test('with one product there is nothing to choose, and the choices are readable on a phone', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await withoutData(page)
  await page.route('**/api/products*', async (route) => {
    const answer = await route.fetch()
    const all = (await answer.json()) as { prices: unknown[] }[]
    await route.fulfill({ json: all.slice(0, 1).map((each) => ({ ...each, prices: each.prices.slice(0, 1) })) })
  })
  await page.goto('/admin/key-manager')
  await page.getByRole('button', { name: 'Add keys' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add keys' })
  await expect(dialog.getByLabel('Product')).not.toHaveValue('')
  await expect(dialog.getByLabel('Duration')).not.toHaveValue('')
  const [product, duration] = await Promise.all(
    ['Product', 'Duration'].map((label) => dialog.getByLabel(label).boundingBox()),
  )
  expect(duration?.y).toBeGreaterThanOrEqual((product?.y ?? 0) + (product?.height ?? 0))
  // An event may have asked for the products once more
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

for (const viewport of [PHONE, DESK]) {
  test(`keys at ${viewport.width} px`, repeatAt(viewport), async ({ people, shop }) => {
    // A session of its own: a proof gives it another token, and a copy of the one before is worth nothing then
    const { context, page } = await people.visitor({ viewport })
    await enterPanel(context.request, shop.admin)
    const name = `Key Shelf ${viewport.width}`
    const product = await shop.owner.catalogue.create({ name, prices: [{ duration: '10 Days', price: 20 }] })
    const place = { productId: product._id, duration: '10 Days' }
    const stored = async () => (await shop.owner.keys.list(place)).map(({ key }) => key)
    const key = (n: number) => `SHELF${viewport.width}-${String(n).padStart(4, '0')}`
    const two = await shop.owner.catalogue.create({ name: `${name} Two`, prices: [{ duration: '10 Days', price: 20 }] })
    const elsewhere = { productId: two._id, duration: '10 Days' }
    const importer = page.getByRole('dialog', { name: 'Add keys' })
    const kind = (text: string) =>
      importer.getByRole('group', { name: 'Filter lines' }).getByRole('button', { name: text })
    const field = importer.getByRole('textbox', { name: 'Keys, one per line' })

    await test.step('the dialog asks for the place itself, and nothing can be cleared without one', async () => {
      await page.goto('/admin/key-manager?view=keys')
      const clear = await actionOf(listBar(page), 'Delete all')
      await expect(clear).toBeInViewport({ ratio: 1 })
      await clear.click({ force: true })
      await expect(said(page, 'Please select a product and duration first.')).toBeVisible()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Stock', exact: true }).click()
      await expect(page.getByRole('button', { name: `Keys: add to ${name}, 10 Days` })).toBeVisible()
      await page.getByRole('button', { name: 'Add keys' }).click()
      await field.fill(key(1))
      await importer.getByRole('button', { name: 'Check 1 key' }).click()
      await expect(importer.getByRole('alert')).toHaveText('Please select a product and duration first.')
      await importer.getByLabel('Product').selectOption({ label: `${name} · 0 available` })
      // A product with one duration leaves nothing to choose.
      await expect(importer.getByLabel('Duration')).toHaveValue('10 Days')
      await expect(importer.getByRole('alert')).toBeHidden()
      await importer.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.goto(`/admin/key-manager?product=${product._id}&duration=10+Days`)
      await expect(page.getByText('No keys yet')).toBeVisible()
      await expect(await actionOf(listBar(page), 'Delete all')).toBeDisabled()
      await page.keyboard.press('Escape')
    })

    await test.step('a dry run says of each line what it is, before anything is stored', async () => {
      await shop.owner.keys.add({ ...elsewhere, keys: [key(7)] })
      await page.getByRole('button', { name: 'Add keys' }).first().click()
      await field.fill(
        `  ${key(1)}  ` +
          `\n\n${key(2)}\n${key(1)}\n=HYPERLINK("http://x.example","${viewport.width}")\n${key(7)}\n${'x'.repeat(300)}`,
      )
      const check = importer.getByRole('button', { name: 'Check 6 keys' })
      const letThrough = await failing(page, 'POST', '/keys/bulk/check')
      await check.click()
      await expect(importer.getByText(`Failed to add keys. ${SORRY}`)).toBeVisible()
      await letThrough()
      await check.click()
      await expect(kind('New')).toHaveText(/^3/)
      await expect(kind('Duplicates')).toHaveText(/^1/)
      await expect(importer.getByText('same as line 1')).toBeVisible()
      await kind('In other products').click()
      await expect(importer.getByText(`already in stock as ${name} Two, 10 Days`)).toBeVisible()
      await kind('Invalid').click()
      await expect(importer.getByText('Key must be 1 to 256 characters')).toBeVisible()
      await kind('New').click()
      await expect(importer.getByText(key(2))).toBeVisible()
      expect(await stored()).toEqual([])
    })

    await test.step('what fails is said in the dialog, the keys stay there, and it goes on as one batch', async () => {
      await importer.getByLabel('Supplier').fill('Anand & Sons')
      await importer.getByLabel('Cost per key (₹)').fill('12.50')
      await expect(importer.getByText('Total ₹37.50')).toBeVisible()
      await importer.getByLabel('Note').fill('=Invoice 7')
      const add = importer.getByRole('button', { name: 'Add 3 new keys' })
      const letThrough = await failing(page, 'POST', '/keys/bulk')
      await add.click()
      await expect(importer.getByText(`Failed to add keys. ${SORRY}`)).toBeVisible()
      await letThrough()
      // The keys are stored, but the answer is lost on its way
      await page.route('**/api/keys/bulk', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await add.click()
      await expect(importer.getByText('Network error. Please try again.')).toBeVisible()
      await page.unrouteAll()
      await add.click()
      await expect(importer.getByText('3 keys added')).toBeVisible()
      expect((await stored()).toSorted()).toHaveLength(3)
    })

    await test.step('only what is new is added, and what another admin adds meanwhile is told', async () => {
      await importer.getByRole('button', { name: 'Add more' }).click()
      await field.fill([key(2), key(3), key(4), key(5)].join('\n'))
      await importer.getByRole('button', { name: 'Check 4 keys' }).click()
      await expect(importer.getByText('already in stock, 10 Days')).toBeVisible()
      await shop.owner.keys.add({ ...place, keys: [key(5)] })
      await importer.getByRole('button', { name: 'Add 3 new keys' }).click()
      await expect(importer.getByText('Some or all keys were duplicates and were not added')).toBeVisible()
      await expect(importer.getByText('2 keys added')).toBeVisible()
      // One that the check found, and one that came after it
      await expect(importer.getByText('2 duplicates left out.')).toBeVisible()
      await importer.getByRole('button', { name: 'Add more' }).click()
      await field.fill(key(2))
      await importer.getByRole('button', { name: 'Check 1 key' }).click()
      await expect(importer.getByText('Some or all keys were duplicates and were not added')).toBeVisible()
      await expect(importer.getByRole('button', { name: 'No new keys' })).toBeDisabled()
      await importer.getByRole('button', { name: 'Edit keys' }).click()
      await field.fill('')
      await importer.getByRole('button', { name: 'Cancel' }).click()
      await expect(importer).toBeHidden()
      await expect(rowOf(page, key(4))).toBeVisible()
      expect(await stored()).toHaveLength(6)
      const only = (await shop.owner.keys.list(place)).find((each) => each.key === key(5))
      await shop.owner.keys.remove({ id: only?._id ?? '' })
    })

    await test.step('batches tell where keys came from, and an untouched one is undone', async () => {
      await page.getByRole('button', { name: 'Batches' }).click()
      await expect(page).toHaveURL(/view=batches/)
      const first = rowOf(page, 'Anand & Sons').filter({ hasText: name })
      await expect(first.getByText('3 added · 0 sold · 3 left')).toBeVisible()
      await expect(first.getByText('₹12.50 per key')).toBeVisible()
      await page.reload()
      await expect(page.locator('[data-row]')).toHaveCount(3)
      await page.getByLabel('Search batches').fill('invoice')
      await expect(page.locator('[data-row]')).toHaveCount(1)
      await page.getByLabel('Search batches').fill('nobody')
      await page.getByRole('button', { name: 'Show all batches' }).click()

      // Its supplier and cost may come later, with the invoice
      await first.getByRole('button', { name: `Edit the batch of ${name}, 10 Days, Anand & Sons` }).click()
      const editor = page.getByRole('dialog', { name: 'Edit batch' })
      await expect(editor.getByLabel('Note')).toHaveValue('=Invoice 7')
      await editor.getByLabel('Cost per key (₹)').fill('1.234')
      await editor.getByRole('button', { name: 'Save changes' }).click()
      await expect(editor.getByText('Enter an amount in ₹, up to 2 decimal places')).toBeVisible()
      await editor.getByLabel('Cost per key (₹)').fill('13')
      await editor.getByLabel('Supplier').fill('Anand & Daughters')
      const saves = await failing(page, 'PUT', /^\/api\/keys\/batches\//)
      await editor.getByRole('button', { name: 'Save changes' }).click()
      await expect(editor.getByText(SORRY)).toBeVisible()
      await saves()
      await editor.getByRole('button', { name: 'Save changes' }).click()
      await expect(said(page, 'Batch saved')).toBeVisible()
      const renamed = rowOf(page, 'Anand & Daughters').filter({ hasText: name })
      await expect(renamed.getByText('₹13 per key')).toBeVisible()

      await renamed.getByRole('link', { name: `Keys of the batch of ${name}, 10 Days, Anand & Daughters` }).click()
      await expect(page.getByText('Batch from Anand & Daughters')).toBeVisible()
      await expect(page.locator('[data-row]')).toHaveCount(3)
      await expect(rowOf(page, key(4))).toHaveCount(0)
      await page.reload()
      await expect(page.locator('[data-row]')).toHaveCount(3)
      await page.getByRole('button', { name: 'Show all keys' }).click()
      await expect(rowOf(page, key(4))).toBeVisible()
      await page.getByRole('button', { name: 'Batches' }).click()

      await shop.owner.keys.add({ ...place, keys: [key(90), key(91)], note: 'Wrong list' })
      const wrong = rowOf(page, 'Wrong list')
      await (await actionOf(wrong, /^Undo batch of/)).click()
      const question = page.getByRole('alertdialog', { name: `Undo this batch of ${name}, 10 Days?` })
      const letThrough = await failing(page, 'POST', /^\/api\/keys\/batches\//, {
        status: 409,
        body: {
          code: 'BATCH_TOUCHED',
          message: 'This batch can’t be undone because some of its keys were sold or edited.',
        },
      })
      await question.getByRole('button', { name: 'Undo batch' }).click()
      await expect(question.getByText(/^Failed to undo batch\. This batch can’t be undone/)).toBeVisible()
      await letThrough()
      await question.getByRole('button', { name: 'Undo batch' }).click()
      await expect(said(page, '2 keys removed')).toBeVisible()
      await expect(wrong.getByText('Undone')).toBeVisible()
      expect(await stored()).toHaveLength(5)
      // A batch that is gone is a way to nothing, from which one leads on
      const { batches } = await shop.owner.keys.batches({ search: 'Wrong list' })
      await page.goto(
        `/admin/key-manager?product=${product._id}&duration=10+Days&batch=${batches[0]?._id}&status=available`,
      )
      await page.getByRole('button', { name: 'Show all keys' }).first().click()
      await expect(rowOf(page, key(4))).toBeVisible()
    })

    await test.step('editing refuses a text that is there already', async () => {
      await page.getByRole('button', { name: `Edit key ${key(1)}` }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit key' })
      await dialog.getByRole('textbox', { name: 'Key' }).fill(key(2))
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await expect(dialog.getByText('This key is already in stock or sold.')).toBeVisible()
      await dialog.getByRole('textbox', { name: 'Key' }).fill(key(9))
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await expect(said(page, 'Key saved')).toBeVisible()
      await expect(rowOf(page, key(9))).toBeVisible()
    })

    await test.step('deleting names the key, says why it failed, and can be undone', async () => {
      await (await actionOf(rowOf(page, key(9)), `Delete key ${key(9)}`)).click()
      const question = page.getByRole('alertdialog', { name: `Delete key ${key(9)}?` })
      const letThrough = await failing(page, 'DELETE', /^\/api\/keys\//, {
        status: 409,
        body: { code: 'KEY_SOLD', message: 'Sold keys can’t be edited or deleted.' },
      })
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(question.getByText(/^Failed to delete keys\. Sold keys can’t/)).toBeVisible()
      await letThrough()
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(rowOf(page, key(9))).toHaveCount(0)
      await expect(page.locator('#root > [role=status]')).toHaveText('Key deleted, Undo')
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
      await expect(rowOf(page, key(9))).toBeVisible()
    })

    await test.step('search finds a part of a key', async () => {
      await page.getByLabel('Search keys').fill(`${viewport.width}-0009`)
      await expect(page).toHaveURL(/search=/)
      await expect(page.locator('[data-row]')).toHaveCount(1)
      await filterBy(page, () => page.getByRole('button', { name: 'Assigned' }).click())
      await expect(page.getByText(`Nothing found for “${viewport.width}-0009”`)).toBeVisible()
      await page.getByRole('button', { name: 'Show all keys' }).click()
      await expect(page.locator('[data-row]')).toHaveCount(5)
    })

    await test.step('the export has all of them, and no cell that a spreadsheet would run', async () => {
      const { name: file, text } = await savedBy(page, await actionOf(listBar(page), 'Export CSV'))
      expect(file).toBe(`keys-key-shelf-${viewport.width}-10-days.csv`)
      expect(text.startsWith('\uFEFF')).toBe(true)
      expect(text).toContain(`"'=HYPERLINK(""http://x.example"",""${viewport.width}"")"`)
      expect(text.split('\r\n').filter((line) => line.startsWith('SHELF'))).toHaveLength(4)
      expect(text).not.toMatch(/(^|,)"?[=+@]/m)
    })

    await test.step('an export may ask who is there, and then goes on', async () => {
      const letThrough = await failing(page, 'POST', '/keys/export', {
        status: 403,
        body: { code: 'STEP_UP_REQUIRED', message: 'Please confirm it’s you.' },
      })
      await (await actionOf(listBar(page), 'Export CSV')).click()
      const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await question.getByLabel('Your password').fill(shop.admin.password)
      await letThrough()
      const { text } = await savedBy(page, question.getByRole('button', { name: 'Confirm', exact: true }))
      expect(text).toContain(key(9))
      const { entries } = await shop.owner.reports.audit({ action: 'keys.exported', limit: 1 })
      expect(entries[0]).toMatchObject({ admin: shop.admin.username, after: { exported: 5, complete: true } })
    })

    await test.step('a sold key leads to its buyer and to the sale', async () => {
      const buyer = await people.buyer({ balance: 50 })
      await buyer.calls.orders.place({ ...place, quantity: 1 })
      await page.goto(`/admin/key-manager?product=${product._id}&duration=10+Days&status=assigned`)
      const sold = page.locator('[data-row]')
      await expect(sold).toHaveCount(1)
      await expect(sold.getByText('₹20')).toBeVisible()
      await sold.getByRole('link', { name: `Bought by ${buyer.username} for ₹20` }).click()
      await expect(page).toHaveURL(/\/admin\/purchases\?/)
      await expect(rowOf(page, buyer.username)).toHaveCount(1)
      await page.goBack()
      await page.getByRole('link', { name: `User ${buyer.username}` }).click()
      await expect(page).toHaveURL(/\/admin\/user-manager\?/)
      await expect(rowOf(page, buyer.username)).toHaveCount(1)
      await page.goto(`/admin/key-manager?product=${product._id}&duration=10+Days`)
      await expect(page.locator('[data-row]')).toHaveCount(5)
    })

    await test.step('pages lead through a long list', async () => {
      await shop.owner.keys.add({ ...place, keys: Array.from({ length: 100 }, (_, n) => key(1_000 + n)) })
      await (await pagerAt(page, '1–50')).getByRole('button', { name: 'Next page' }).click()
      await (await pagerAt(page, '51–100')).getByRole('button', { name: 'Next page' }).click()
      const last = await pagerAt(page, '101–105')
      await expect(last.getByRole('button', { name: 'Next page' })).toBeDisabled()
      await last.getByRole('button', { name: 'Previous page' }).click()
      await pagerAt(page, '51–100')
    })

    await test.step('Delete all asks in a modal, for so many with the duration typed, for others again', async () => {
      await (await actionOf(listBar(page), 'Delete all')).click()
      const modal = page.getByRole('alertdialog', { name: `Delete all unsold keys of ${name}, 10 Days?` })
      await expect(modal.getByText(/^104 keys will be deleted permanently/)).toBeVisible()
      const button = modal.getByRole('button', { name: 'Delete all' })
      await expect(button).toBeDisabled()
      await modal.getByLabel('Type 10 Days to confirm').fill('10 Days')
      await shop.owner.keys.add({ ...place, keys: [key(2_000)] })
      await button.click()
      await expect(modal.getByText(/^Failed to delete keys. The number of unsold keys has changed/)).toBeVisible()
      await expect(modal.getByText(/^105 keys will be deleted permanently/)).toBeVisible()
      expect(await stored()).toHaveLength(106)
      const letThrough = await failing(page, 'DELETE', /^\/api\/keys\/bulk\//)
      await button.click()
      await expect(modal.getByText(`Failed to delete keys. ${SORRY}`)).toBeVisible()
      await letThrough()
      await button.click()
      await expect(said(page, '105 keys deleted')).toBeVisible()
      await expect(modal).toBeHidden()
      expect(await stored()).toHaveLength(1)
    })
    for (const id of [product._id, two._id]) await shop.owner.catalogue.remove({ id })
  })
}

test('batches of a product that has none lead back to all', async ({ owner, shop }) => {
  const prices = [{ duration: '10 Days', price: 60 }]
  const { _id } = await shop.owner.catalogue.create({ name: `Keyless ${Date.now()}`, prices })
  const page = await owner({ viewport: PHONE })
  await page.goto(`/admin/key-manager?view=batches&product=${_id}`)
  await page.getByRole('button', { name: 'Show all batches' }).click()
  await expect(page.locator('[data-row]').first()).toBeVisible()
})
