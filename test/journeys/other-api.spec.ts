/** An owner describes a supplier with an API of its own, tries it without sending, and gets one key by it. */
import { addProduct } from '../../server/demo/store-calls.ts'
import { unique } from '../worlds/constants.ts'
import { sold, startOtherApi } from '../worlds/other-supplier.ts'
import { actionOf, rowOf, said, test } from './admin-counter.ts'
import { DESK, enterPanel, expect, liftFinger, LOOKS_AT_ALL, PHONE } from './people.ts'
import { person, runStore } from './store.ts'

const DURATION = '10 Days'
const SUPPLIER = 'Key Depot'
const SECRET = unique('secret-')
/** The worker looks every few seconds. */
const SOON = { timeout: 40_000 }

for (const viewport of LOOKS_AT_ALL ? [PHONE, DESK] : [PHONE])
  test(`at ${viewport.width} px another API is described and tried, one key comes, and a lost one is settled`, async ({
    browser,
    playwright,
  }) => {
    test.setTimeout(180_000)
    const depot = await startOtherApi()
    const here = await runStore('start', { OUTBOUND_TEST_ORIGINS: depot.url })
    const request = await playwright.request.newContext({ baseURL: here.url })
    try {
      const owner = await enterPanel(request, here.admin)
      const { _id: productId } = await addProduct(owner, {
        name: 'Night Circuit',
        description: 'Comes from a supplier.',
        prices: { [DURATION]: 120 },
        stock: 0,
        keyText: () => '',
      })
      const storageState = await request.storageState()
      const { page, context } = await person(browser, here, { viewport, storageState, reducedMotion: 'reduce' })

      await test.step('a fault stands at its field, a try sends nothing, and the supplier is connected', async () => {
        await page.goto('/admin/suppliers')
        await page.getByRole('button', { name: 'Connect a supplier' }).first().click()
        const dialog = page.getByRole('dialog', { name: 'Connect a supplier' })
        await dialog.getByRole('button', { name: 'Other API' }).click()
        await dialog.getByLabel('Name').fill(SUPPLIER)
        await dialog.getByLabel('Secret').fill(SECRET)
        await dialog.getByLabel('Address').fill(`${depot.url}/orders`)
        await dialog.getByLabel('Headers').fill('X-Api-Key: {secret}')
        await dialog.getByLabel('Body').fill('{"item": "{sku}", "reference": "{order}"}')
        await dialog.getByLabel('Where is the key?').fill('data/key')
        await dialog.getByLabel('Where is the price of a key?').fill('/data/price')
        await dialog.getByLabel('Out of stock, if the answer has').fill('OUT_OF_STOCK')
        await dialog.getByLabel('Spend at most a day (₹)').fill('500')
        await liftFinger(page)
        await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
        await expect(dialog.getByText('Write it like /data/code')).toBeVisible()
        await expect(dialog.getByLabel('Where is the key?')).toBeFocused()
        await dialog.getByLabel('Where is the key?').fill('/data/key')

        await dialog.getByLabel('Paste an answer of theirs').fill('{"data": {"key": "NC-44-7F2K", "price": 80}}')
        await dialog.getByRole('button', { name: 'Try', exact: true }).click()
        await expect(dialog.getByText('We read 1 key, ends …7F2K, cost ₹80.')).toBeVisible()
        await expect(dialog.getByText('x-api-key: ••••••••')).toBeVisible()
        expect(depot.asked).toEqual([])
        await liftFinger(page)
        await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
        await expect(said(page, `${SUPPLIER} connected`)).toBeVisible()
        await expect(rowOf(page, SUPPLIER).getByText('No price list is read there')).toBeVisible()
      })

      await test.step('a duration is bought there by its name', async () => {
        const dialog = page.getByRole('dialog', { name: 'Add a product' })
        await dialog.getByLabel('Your product').selectOption({ label: 'Night Circuit, 10\u00A0Days' })
        await dialog.getByLabel('Their name of it').fill('NC-10D')
        await dialog.getByLabel('Pay at most per key (₹)').fill('100')
        await dialog.getByLabel('Keep in stock').fill('0')
        await liftFinger(page)
        await dialog.getByRole('button', { name: 'Add', exact: true }).click()
        await expect(said(page, `Night Circuit, ${DURATION} saved`)).toBeVisible()
        await expect(dialog).toBeHidden()
      })

      const orderOne = async () => {
        await (await actionOf(rowOf(page, 'Night Circuit'), /^Order/)).click()
        const dialog = page.getByRole('dialog', { name: `Order Night Circuit, ${DURATION} now` })
        await liftFinger(page)
        await dialog.getByRole('button', { name: 'Order now' }).click()
        // Its step back is over by then, and ends no navigation
        await expect(dialog).toBeHidden()
      }

      await test.step('one key comes', async () => {
        await page.goto('/admin/suppliers?view=sources')
        depot.answer(() => sold('NC-44-7F2K'))
        await orderOne()
        await page.goto('/admin/suppliers?view=orders')
        await expect(rowOf(page, 'S-1001').getByText('Came')).toBeVisible(SOON)
        expect(depot.asked).toMatchObject([{ method: 'POST', url: '/orders', headers: { 'x-api-key': SECRET } }])
        const keys = await owner.keys.list({ productId, duration: DURATION })
        expect(keys.map(({ key }) => key)).toEqual(['NC-44-7F2K'])
      })

      await test.step('an answer is lost: nothing is sent twice, and the owner says what came', async () => {
        depot.answer(() => 'lost')
        await page.goto('/admin/suppliers?view=sources')
        await orderOne()
        await page.goto('/admin/suppliers?view=orders')
        await expect(rowOf(page, 'S-1002').getByText('Not answered')).toBeVisible(SOON)
        await (await actionOf(rowOf(page, 'S-1002'), /^Did they deliver/)).click()
        const dialog = page.getByRole('dialog', { name: 'Did they deliver S-1002?' })
        await dialog.getByLabel('Keys').fill('NC-45-9Q1B')
        await liftFinger(page)
        await dialog.getByRole('button', { name: 'Settle' }).click()
        await expect(said(page, 'S-1002 settled')).toBeVisible()
        await expect(dialog).toBeHidden()
        await page.goto('/admin/suppliers')
        await expect(rowOf(page, SUPPLIER).getByText('Paused')).toBeVisible()
        expect(depot.asked).toHaveLength(2)
      })
      await context.close()
    } finally {
      await request.dispose()
      await here.stop()
      await depot.close()
    }
  })
