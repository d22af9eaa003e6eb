/** Two shops: one sells to the other, whose stock fills, and a bad key is passed on to where it was bought. */
import type { Locator, Page } from '@playwright/test'
import { addProduct, signUp } from '../../server/demo/store-calls.ts'
import { unique } from '../worlds/constants.ts'
import { rowNamed } from './account-rows.ts'
import { actionOf, rowOf, said, test } from './admin-counter.ts'
import { callsOf, DESK, enterPanel, expect, liftFinger, LOOKS_AT_ALL, PASSWORD, PHONE } from './people.ts'
import { person, runStore } from './store.ts'

const DURATION = '10 Days'
const SUPPLIER = 'Wholesale Keys'
/** The worker looks every few seconds, at both shops. */
const SOON = { timeout: 40_000 }

/** Counts taps, and types only where a tap or the page has put the focus. */
function oneHand() {
  const hand = {
    taps: 0,
    async tap(target: Locator) {
      hand.taps += 1
      await target.click()
    },
    async type(page: Page, label: string, text: string) {
      await expect(page.getByLabel(label)).toBeFocused()
      await page.keyboard.insertText(text)
    },
  }
  return hand
}

test('the demo says that it asks no supplier', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  const says = 'This is a demo. It asks no supplier and buys nothing.'
  await page.goto('/admin/suppliers')
  const buying = page.getByRole('switch', { name: `Buy from ${SUPPLIER}` }).filter({ visible: true })
  await expect(page.getByText(says)).toHaveCount(0)
  await buying.click()
  await expect(page.getByText(says).filter({ visible: true })).toBeVisible()
  await buying.click()
  await expect(page.getByText(says)).toHaveCount(0)
  await page.getByRole('button', { name: 'Connect a supplier' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Connect a supplier' })
  await dialog.getByLabel('Address').fill('https://keys.example')
  await dialog.getByLabel('Token').fill(`chaabi_${'x'.repeat(43)}`)
  await liftFinger(page)
  await dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dialog.getByText(says)).toBeVisible()
  expect((await shop.owner.supply.links({})).links).toMatchObject([{ name: SUPPLIER, on: false }])
})

for (const viewport of LOOKS_AT_ALL ? [PHONE, DESK] : [PHONE])
  test(`at ${viewport.width} px a supplier is connected, fills the stock, and answers for a bad key`, async ({
    browser,
    people,
    playwright,
    shop,
  }) => {
    test.setTimeout(180_000)
    const [their, rare] = [unique('Theirs '), unique('Rare ')]
    const ours = their.toUpperCase()
    const look = { viewport, hasTouch: viewport === PHONE, reducedMotion: 'reduce' } as const
    const [reseller, here, , theirRare] = await Promise.all([
      people.buyer({ balance: 1_000, ...look }),
      runStore('start', { OUTBOUND_TEST_ORIGINS: shop.url }),
      addProduct(shop.owner, {
        name: their,
        description: 'Sold to other shops.',
        prices: { [DURATION]: 80 },
        stock: 8,
        keyText: (_, n) => unique(`THEIR-${n}-`),
      }),
      addProduct(shop.owner, {
        name: rare,
        description: 'Sold to other shops.',
        prices: { [DURATION]: 80 },
        stock: 2,
        keyText: () => unique('RARE-'),
      }),
    ])
    await shop.owner.users.setReseller({ id: reseller.id, on: true })
    const request = await playwright.request.newContext({ baseURL: here.url })
    try {
      const owner = await enterPanel(request, here.admin)
      const product = await addProduct(owner, {
        name: ours,
        description: 'Comes from a supplier.',
        prices: { [DURATION]: 120 },
        stock: 0,
        keyText: () => '',
      })
      const storageState = await request.storageState()
      const { page, context } = await person(browser, here, { ...look, storageState })
      const hand = oneHand()

      const token = await test.step('a token is made there', async () => {
        const { page: there } = reseller
        await there.goto('/')
        if (viewport === PHONE) await hand.tap(there.getByRole('button', { name: 'Menu' }))
        await hand.tap(there.getByRole('link', { name: reseller.username }))
        await hand.tap(rowNamed(there, 'API').locator('summary'))
        await hand.tap(there.getByRole('button', { name: 'New token' }))
        await hand.type(there, 'Your password', PASSWORD)
        await liftFinger(there)
        await hand.tap(there.getByRole('button', { name: 'Make token' }))
        const made = there.getByRole('dialog', { name: 'Your new token' })
        await hand.tap(made.getByRole('button', { name: 'Copy' }).last())
        return made.getByText(/^chaabi_[\w-]{43}$/).innerText()
      })

      await test.step('the supplier is connected, and keys of the suggested duration come', async () => {
        await page.goto('/admin/dashboard')
        if (viewport === PHONE) await hand.tap(page.getByRole('button', { name: 'Menu' }))
        await hand.tap(page.getByRole('link', { name: 'Suppliers' }))
        await hand.tap(page.getByRole('button', { name: 'Connect a supplier' }).first())
        await hand.type(page, 'Address', shop.url)
        await hand.tap(page.getByLabel('Token'))
        await hand.type(page, 'Token', token)
        await liftFinger(page)
        await hand.tap(page.getByRole('button', { name: 'Connect', exact: true }))
        await expect(said(page, '127.0.0.1 connected')).toBeVisible()
        const dialog = page.getByRole('dialog', { name: 'Add a product' })
        await expect(dialog.getByLabel('Your product').locator('option:checked')).toHaveText(`${ours}, ${DURATION}`)
        await expect(dialog.getByLabel('Their product').locator('option:checked')).toHaveText(
          `${their}, ${DURATION} · ₹80 · 8`,
        )
        await expect(dialog.getByText(/₹40 a key/)).toBeVisible()
        await expect(dialog.getByLabel('Pay at most per key (₹)')).toHaveValue('80')
        await liftFinger(page)
        await hand.tap(dialog.getByRole('button', { name: 'Add', exact: true }))
        await expect(said(page, `${ours}, ${DURATION} saved`)).toBeVisible()
        await expect(async () => {
          const [price] = (await owner.catalogue.list({})).find(({ _id }) => _id === product._id)?.prices ?? []
          expect(price?.available).toBe(3)
        }).toPass(SOON)
        expect(await reseller.calls.sessions.me({})).toMatchObject({ balance: 760 })
        expect(hand.taps).toBe(viewport === PHONE ? 12 : 10)
      })

      await test.step('a mistyped token is named at the check', async () => {
        await (await actionOf(rowOf(page, '127.0.0.1'), /^Edit/)).click()
        const dialog = page.getByRole('dialog', { name: 'Edit 127.0.0.1' })
        await dialog.getByLabel('Name').fill(SUPPLIER)
        await dialog.getByLabel('Token').fill(`${token.slice(0, -4)}oops`)
        await dialog.getByRole('button', { name: 'Check' }).click()
        await expect(dialog.getByText('It doesn’t take this token.')).toBeVisible()
        await dialog.getByLabel('Token').fill(token)
        await dialog.getByRole('button', { name: 'Check' }).click()
        await expect(
          dialog.getByText(new RegExp(`^Connected as ${reseller.username} at .+ Balance ₹760`)),
        ).toBeVisible()
        await liftFinger(page)
        await dialog.getByRole('button', { name: 'Save changes' }).click()
        await expect(said(page, `${SUPPLIER} saved`)).toBeVisible()
      })

      await test.step('an order by hand brings one more', async () => {
        await page.goto('/admin/suppliers?view=sources')
        await (await actionOf(rowOf(page, ours), /^Order/)).click()
        const dialog = page.getByRole('dialog', { name: `Order ${ours}, ${DURATION} now` })
        await liftFinger(page)
        await dialog.getByRole('button', { name: 'Order now' }).click()
        // Its step back is over by then, and ends no navigation
        await expect(dialog).toBeHidden()
        await page.goto('/admin/suppliers?view=orders')
        await expect(page.locator('[data-row]').filter({ visible: true })).toHaveCount(2)
        await expect(rowOf(page, 'S-1002').getByText(/Came|came/)).toBeVisible(SOON)
      })

      await test.step('a buyer’s bad key is reported there from its claim', async () => {
        await owner.referrals.create({ code: 'WELCOME50', description: 'Welcome', maxUsage: null, rewardAmount: 0 })
        const buyer = await playwright.request.newContext({ baseURL: here.url })
        const calls = callsOf(buyer)
        await signUp(calls, { username: 'asha', password: PASSWORD, referralCode: 'WELCOME50' })
        await calls.sessions.login({ username: 'asha', password: PASSWORD })
        const [user] = (await owner.users.list({ search: 'asha' })).users
        await owner.users.update({ id: user?._id ?? '', balance: 200, expiresInDays: null })
        const { keys } = await calls.orders.place({ productId: product._id, duration: DURATION, quantity: 1 })
        await calls.claims.open({ keyId: keys[0]?._id ?? '', reason: 'never-worked', note: 'I am Asha' })
        await buyer.storageState({ path: test.info().outputPath('asha.json') })
        await buyer.dispose()

        await page.goto('/admin/claims')
        await page.getByRole('button', { name: /^Answer C-/ }).click()
        const dialog = page.getByRole('dialog')
        await expect(dialog.getByText(`From ${SUPPLIER}, S-1001.`)).toBeVisible()
        await dialog.getByRole('button', { name: 'Report it there' }).click()
        await expect(dialog.getByText(/^Reported there as C-\d+$/)).toBeVisible()
        await expect(dialog.getByRole('button', { name: 'Report it there' })).toHaveCount(0)
        const [there] = (await shop.owner.claims.list({ search: reseller.username })).claims
        expect(there).toMatchObject({ reason: 'never-worked', status: 'open', note: '' })
      })

      await test.step('a buyer orders what is out of stock, and pays when it is here', async () => {
        const { _id, prices } = await addProduct(owner, {
          name: 'Paper Empire',
          description: 'Build a realm out of paper.',
          prices: { [DURATION]: 120 },
          stock: 0,
          keyText: () => '',
        })
        const [link] = (await owner.supply.links({})).links
        await owner.supply.saveSource({
          priceId: prices[0]?._id ?? '',
          linkId: link?._id ?? '',
          theirProduct: theirRare._id,
          theirDuration: DURATION,
          max: 100,
          keep: 0,
          forBuyers: 2,
        })
        const [user] = (await owner.users.list({ search: 'asha' })).users
        await owner.users.update({ id: user?._id ?? '', balance: 500, expiresInDays: null })
        await expect(async () => {
          const [price] = (await owner.catalogue.list({})).find((each) => each._id === _id)?.prices ?? []
          expect(price?.fetch).toMatchObject({ upTo: 2 })
        }).toPass(SOON)
        const visit = { viewport, storageState: test.info().outputPath('asha.json'), reducedMotion: 'reduce' } as const
        const { page: asha, context: hers } = await person(browser, here, visit)
        await asha.goto('/')
        const card = asha.getByRole('article').filter({ hasText: 'Paper Empire' })
        await expect(card.getByText('Ordered for you', { exact: true })).toBeVisible()
        await card.getByRole('link', { name: 'Purchase Key: Paper Empire' }).click()
        await liftFinger(asha)
        await asha.getByRole('button', { name: 'Order, pay when it’s here' }).click()
        await expect(asha.getByText(theirRare.keyTexts[0] ?? '')).toBeVisible(SOON)
        const [, { balance }] = [await asha.goto('/my-key'), await callsOf(hers.request).sessions.me({})]
        expect(balance).toBe(460)
        await expect(asha.getByText(/on its way|didn’t come/)).toHaveCount(0)
        await hers.close()
      })
      await context.close()
    } finally {
      await request.dispose()
      await here.stop()
    }
  })
