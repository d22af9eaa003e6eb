/** The store’s face: chosen on a phone, cut and encoded in the browser, and seen by visitors. */
import type { Locator, Page } from '@playwright/test'
import { expect, failing, openSetting, PHONE, rowOf, said, SORRY, test } from './admin-counter.ts'
import { liftFinger } from './people.ts'

/** A photo of the size that phones take, with more detail than any limit allows. */
const photo = (page: Page, type = 'image/png') =>
  page.evaluate(async (wanted) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 3000, height: 1500 })
    const brush = canvas.getContext('2d') as CanvasRenderingContext2D
    for (let n = 0; n < 6_000; n++) {
      brush.fillStyle = `hsl(${(n * 47) % 360} 80% ${20 + (n % 60)}%)`
      brush.fillRect((n * 97) % 3000, (n * 61) % 1500, 40, 30)
    }
    return canvas.toDataURL(wanted)
  }, type)

async function choose(page: Page, within: Page | Locator, buffer?: Buffer): Promise<void> {
  const bytes = buffer ?? Buffer.from((await photo(page)).split(',')[1] ?? '', 'base64')
  await within.locator('input[type=file]').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: bytes })
}

/** The picture as it is sent: its type and its size in pixels. */
const pictureAt = (page: Page, address: string) =>
  page.evaluate(async (from) => {
    const file = await (await fetch(from)).blob()
    const { width, height } = await createImageBitmap(file)
    return { type: file.type, bytes: file.size, width, height }
  }, address)

test('a logo, a colour and a headline are set on a phone, and a visitor sees them', async ({ owner, people, shop }) => {
  const page = await owner({ viewport: PHONE })
  const { page: visitor } = await people.visitor({ viewport: PHONE })
  const site = () => shop.owner.settings.site({})
  await shop.owner.pictures.removeOfStore({ place: 'logo' })
  await shop.owner.settings.saveFace({ accent: 'lime', heroLine: '' })
  await page.goto('/admin/settings')
  await page.getByRole('link', { name: /Branding/ }).click()

  await test.step('a photo of any size becomes a small square, and what is no picture says so', async () => {
    await choose(page, page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))
    await expect(page.getByText(/^This file is not a picture/)).toBeVisible()
    const letThrough = await failing(page, 'PUT', '/pictures/store/logo')
    await choose(page, page)
    await expect(page.getByText(SORRY)).toBeVisible()
    await letThrough()
    await choose(page, page)
    await expect(said(page, 'Logo saved')).toBeVisible()
    const { logo = '' } = await site()
    expect(await pictureAt(page, logo)).toMatchObject({ type: 'image/webp', width: 512, height: 512 })
  })

  await test.step('the preview follows what is typed, and is saved with one press', async () => {
    await page.getByRole('radio', { name: 'Coral' }).check()
    await page.getByLabel('Headline').fill('Diwali keys in a minute')
    await expect(page.getByRole('figure')).toContainText('Diwali keys in a minute')
    await page.getByRole('button', { name: 'Save colour and headline' }).click()
    await expect(said(page, /^Saved/)).toBeVisible()
    // The panel has the colour without a reload, in either theme
    const colourOf = () =>
      page
        .getByRole('link', { name: 'Skip to content' })
        .evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-solid').trim())
    await expect.poll(colourOf).toBe('#ff987c')
    await page.getByRole('button', { name: /theme/i }).click()
    await expect.poll(colourOf).toBe('#9d381f')
    await page.getByRole('button', { name: /theme/i }).click()
    // The one of the logo is just being replaced
    await expect(async () => {
      const { shareImage = '' } = await site()
      expect(await pictureAt(page, shareImage)).toMatchObject({ type: 'image/jpeg', width: 1200, height: 630 })
    }).toPass({ timeout: 10_000 })
  })

  await test.step('a visitor sees all of it, in the page as it is sent', async () => {
    const sent = (await (await visitor.context().request.get('/')).text()).split('</head>')[0] ?? ''
    expect(sent).toContain('<meta property="og:description" content="Diwali keys in a minute">')
    await visitor.goto('/')
    await expect(visitor.getByRole('heading', { name: 'Diwali keys in a minute' })).toBeVisible()
    const { logo = '' } = await site()
    await expect(visitor.getByRole('banner').locator(`img[src="${logo}"]`)).toHaveJSProperty('naturalWidth', 512)
    const button = visitor.getByRole('link', { name: 'Create account' }).first()
    expect(await button.evaluate((each) => getComputedStyle(each).backgroundColor)).toBe('rgb(255, 152, 124)')
  })

  await test.step('a new name alone is drawn into the picture of shared links, too', async () => {
    const { shareImage, websiteName, websiteTitle } = await site()
    await page.goto('/admin')
    await openSetting(page, 'Website name and title')
    await page.getByLabel('Website name').fill('Another Name')
    await page.getByRole('button', { name: 'Save name and title' }).click()
    await expect.poll(async () => (await site()).shareImage).not.toBe(shareImage)
    await shop.owner.settings.saveSite({ websiteName, websiteTitle })
    await page.goto('/admin/settings/face')
  })

  await test.step('one tap removes the logo, and Undo brings it back, unless there is a newer one', async () => {
    const bytesOf = async () => (await (await page.request.get((await site()).logo ?? '')).body()).toString('base64')
    const before = await bytesOf()
    const remove = page.getByRole('button', { name: 'Remove', exact: true })
    await remove.click()
    await expect(said(page, 'Logo removed')).toBeVisible()
    expect(await site()).not.toHaveProperty('logo')
    await expect(page.getByRole('button', { name: 'Choose picture' })).toBeVisible()
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
    await expect(remove).toBeVisible()
    await expect(said(page, 'Logo saved')).toBeVisible()
    expect(await bytesOf()).toBe(before)
    await remove.click()
    await expect(said(page, 'Logo removed')).toBeVisible()
    expect(await site()).not.toHaveProperty('logo')

    const newer = await shop.owner.pictures.saveOfStore({ place: 'logo', data: before })
    await liftFinger(page)
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
    await expect(said(page, 'A newer picture was saved. Nothing was changed.')).toBeVisible()
    expect((await site()).logo).toBe(newer.picture)
    await shop.owner.pictures.removeOfStore({ place: 'logo' })
  })
})

test('a product’s picture is cut, shown on its card, and removed', async ({ owner, people, shop }) => {
  const name = `Mosaic ${Date.now().toString(36)}`
  const product = await shop.owner.catalogue.create({ name, prices: [{ duration: '10 Days', price: 20 }] })
  const page = await owner({ viewport: PHONE })
  const { page: visitor } = await people.visitor({ viewport: PHONE })
  const picture = async () =>
    (await shop.owner.catalogue.list({})).find(({ _id }) => _id === product._id)?.picture ?? ''
  await page.goto(`/admin/product-manager?search=${encodeURIComponent(name)}`)
  const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    // It covers the buttons of the last card, and a pointer over it keeps it; it may be gone already
    const notice = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Dismiss' })
    await notice
      .first()
      .click({ timeout: 2_000 })
      .catch(() => undefined)
  }

  await rowOf(page, name).getByRole('button', { name: /^Edit/ }).click()
  await choose(page, dialog)
  await expect(dialog.getByRole('button', { name: 'Remove', exact: true })).toBeVisible()
  expect(await picture()).toBe('')
  await save()
  expect(await pictureAt(page, await picture())).toMatchObject({ type: 'image/webp', width: 640, height: 640 })

  await visitor.goto('/')
  const card = visitor.getByRole('article').filter({ hasText: name })
  await card.scrollIntoViewIfNeeded()
  const shown = card.locator(`img[src="${await picture()}"]`)
  await expect(shown).toHaveJSProperty('naturalWidth', 640)
  await expect(shown).toHaveAttribute('loading', 'lazy')
  await expect(shown).toHaveAttribute('width', '640')

  await rowOf(page, name).getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await save()
  expect(await picture()).toBe('')
  await visitor.reload()
  await expect(card.locator('img')).toHaveCount(0)
})
