/** The owner writes texts in Hindi beside the English ones, and each buyer reads those of their language. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { openRow } from './account-rows.ts'
import { DESK, expect, liftFinger, PHONE, test, type People, type Shop } from './people.ts'

const NAME = 'Lotus Chess Club'
const HINDI = { nameHi: 'कमल शतरंज क्लब', descriptionHi: 'रोज़ नई चालें', instructionsHi: 'ऐप में key डालें' }

async function asOwner(people: People, shop: Shop, viewport: typeof PHONE): Promise<Page> {
  return (await people.visitor({ storageState: await shop.ownerRequest.storageState(), viewport })).page
}

const unfold = (page: Page) => page.locator('summary').filter({ hasText: 'हिन्दी' }).click()

for (const viewport of [PHONE, DESK])
  test(`the owner types Hindi texts, finds a product by either name, and takes one away, ${viewport.width} px`, async ({
    people,
    shop,
  }) => {
    const page = await asOwner(people, shop, viewport)
    await shop.owner.catalogue.create({
      name: NAME,
      description: 'New moves',
      prices: [{ duration: '1 Month', price: 9 }],
    })
    await page.goto('/admin/product-manager')
    const edit = async () => {
      await page.locator('input[inputmode=search]').fill('Lotus')
      await page.getByRole('button', { name: `Edit ${NAME}` }).click()
      return page.getByRole('dialog')
    }
    const dialog = await edit()
    await expect(dialog.getByLabel('Name in हिन्दी')).toBeHidden()
    await unfold(page)
    await dialog.getByLabel('Name in हिन्दी').fill(HINDI.nameHi)
    await dialog.getByLabel('Description in हिन्दी').fill(HINDI.descriptionHi)
    await dialog.getByLabel('How to activate in हिन्दी').fill('a\u202eb')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByText('Instructions has characters that aren’t allowed')).toBeVisible()
    await dialog.getByLabel('How to activate in हिन्दी').fill(HINDI.instructionsHi)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    const saved = async () => (await shop.owner.catalogue.list({})).find(({ name }) => name === NAME)
    expect(await saved()).toMatchObject(HINDI)

    await page.locator('input[inputmode=search]').fill('शतरंज')
    await expect(page.getByText(NAME).first()).toBeVisible()
    await edit()
    await unfold(page)
    await dialog.getByLabel('Description in हिन्दी').fill('')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    expect(await saved()).not.toHaveProperty('descriptionHi')
  })

test('the owner types notice, title, headline and refund rules in Hindi', async ({ people, shop }) => {
  const page = await asOwner(people, shop, PHONE)
  const before = await shop.owner.settings.notice({})
  const { websiteName, websiteTitle, heroLineHi = '' } = await shop.owner.settings.site({})
  try {
    await page.goto('/admin')
    for (const [row, label, text, save] of [
      ['Notice:', 'Notice text in हिन्दी', 'कल दुकान बंद', 'Save notice'],
      ['Website name and title:', 'Website title in हिन्दी', 'चाबी: तुरंत key', 'Save name and title'],
    ] as const) {
      const part = page.locator('details').filter({ hasText: row }).first()
      await part.locator('summary').first().click()
      await part.locator('summary').filter({ hasText: 'हिन्दी' }).click()
      await part.getByLabel(label).fill(text)
      await part.getByRole('button', { name: save }).click()
      await expect(part.getByRole('button', { name: save })).toBeDisabled()
      await part.locator('summary').first().click()
    }
    await page.goto('/admin/settings/face')
    await unfold(page)
    await page.getByLabel('Headline in हिन्दी').fill('खेलें और जीतें')
    await page.getByRole('button', { name: 'Save colour and headline' }).click()
    await expect.poll(() => shop.owner.settings.site({})).toMatchObject({ heroLineHi: 'खेलें और जीतें' })
    await page.goto('/admin/settings')
    const refunds = await openRow(page, 'Refunds')
    await unfold(page)
    await page.getByLabel('Your own refund rules in हिन्दी').fill('होली पर रिफ़ंड नहीं')
    await refunds.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => shop.owner.settings.store({})).toMatchObject({ refundNoteHi: 'होली पर रिफ़ंड नहीं' })
    expect(await shop.owner.settings.notice({})).toEqual({ text: before.text, noticeHi: 'कल दुकान बंद' })

    const visitor = await people.visitor({ viewport: PHONE })
    await visitor.page.goto('/?language=hi')
    await expect(visitor.page).toHaveTitle('चाबी: तुरंत key')
    await expect(visitor.page.getByText('खेलें और जीतें')).toBeVisible()
    await expect(visitor.page.getByText('कल दुकान बंद')).toBeVisible()
    await visitor.page.goto('/terms-policy')
    await expect(visitor.page.getByText('होली पर रिफ़ंड नहीं')).toBeVisible()
    await visitor.page.goto('/?language=en')
    await expect(visitor.page).toHaveTitle(websiteTitle)
    await expect(visitor.page.getByText('कल दुकान बंद')).toHaveCount(0)
  } finally {
    await shop.owner.settings.saveNotice({ noticeHi: '', ...before })
    await shop.owner.settings.saveSite({ websiteName, websiteTitle, websiteTitleHi: '' })
    await shop.owner.settings.saveFace({ heroLineHi })
    await shop.owner.settings.saveStore({ refundNoteHi: '' })
  }
})

test('a buyer in Hindi reads the Hindi texts from the store to the key, and finds the product by both names', async ({
  people,
  shop,
}) => {
  const product = await shop.owner.catalogue.create({
    name: NAME,
    description: 'New moves',
    instructions: 'Enter the key',
    prices: [{ duration: '1 Month', price: 9 }],
    ...HINDI,
  })
  await shop.owner.keys.add({
    productId: product._id,
    duration: '1 Month',
    keys: Array.from({ length: 8 }, (_, nth) => `LOTUS-${nth}`),
  })
  const { page, calls } = await people.buyer({ viewport: PHONE, balance: 90 })
  // Drawn by the server, and the same in the browser
  const faults: string[] = []
  page.on('console', (said) => said.type() === 'error' && faults.push(said.text()))
  await page.goto('/?language=hi')
  const card = page.getByRole('article').filter({ hasText: HINDI.nameHi })
  await expect(card.getByText(HINDI.descriptionHi)).toBeVisible()
  for (const typed of ['कमल', 'lotus']) {
    await page.locator('input[inputmode=search]').fill(typed)
    await expect(card).toBeVisible()
  }
  await card.getByRole('link').last().click()
  // The address stays the same in each language
  await expect(page).toHaveURL(/product=Lotus/)
  await expect(page.getByRole('heading', { name: HINDI.nameHi })).toBeVisible()
  const choice = page.getByRole('combobox')
  await expect(choice).toHaveValue(HINDI.nameHi)
  await choice.fill('lotus')
  await page.getByRole('option', { name: HINDI.nameHi }).click()
  await liftFinger(page)
  await page.getByRole('main').getByRole('button', { name: /खरीदें/ }).last().click()
  await expect(page.getByRole('heading', { name: 'आपकी key तैयार है' })).toBeVisible()
  await expect(page.getByRole('main').getByText(HINDI.nameHi)).toBeVisible()
  await page.goto('/my-key')
  await expect(page.getByRole('heading', { name: HINDI.nameHi })).toBeVisible()
  await page.locator('summary').first().click()
  await expect(page.getByText(HINDI.instructionsHi)).toBeVisible()
  // The search comes with the sixth order
  for (let more = 0; more < 5; more++)
    await calls.orders.place(
      { productId: product._id, duration: '1 Month', quantity: 1 },
      { idempotencyKey: randomUUID() },
    )
  await page.reload()
  for (const typed of ['शतरंज', 'chess']) {
    await page.locator('input[inputmode=search]').fill(typed)
    await expect(page.getByRole('heading', { name: HINDI.nameHi }).first()).toBeVisible()
  }
  await page.goto('/?language=en')
  await expect(page.getByText(HINDI.nameHi)).toHaveCount(0)
  await expect(page.getByText(NAME).first()).toBeVisible()
  expect(faults).toEqual([])
})

test('the demo has texts in Hindi', async ({ people }) => {
  const { page } = await people.buyer({ viewport: PHONE })
  await page.goto('/?language=hi')
  await expect(page.getByText('स्काईफ़ोर्ज सीज़न पास').first()).toBeVisible()
  await expect(page.getByText('सुबह 7 बजे के बाद')).toBeVisible()
})
