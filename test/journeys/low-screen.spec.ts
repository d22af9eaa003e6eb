/** A phone held sideways shows what scrolls, and not mostly what stays in its place. */
import type { Page } from '@playwright/test'
import { storeDialogs } from './engine-dialogs.ts'
import { tabOf } from './marked-words.ts'
import { cutOffInPage } from './dialog-room.ts'
import { expect, LONG, test } from './people.ts'

const SIDEWAYS = { viewport: { width: 844, height: 390 }, reducedMotion: 'reduce' } as const

/** @returns how many pixels of the screen's height show this part of the page, in its middle */
const roomFor = (page: Page, part: string): Promise<number> =>
  page.evaluate((selector) => {
    const shown = Array.from({ length: innerHeight }, (_, y) => document.elementFromPoint(innerWidth / 2, y))
    return shown.filter((each) => each?.closest(selector) && !each.closest('.bottom-bar')).length
  }, part)

test('a page scrolls in most of the screen, and its main button stays', async ({ people }) => {
  const { page } = await people.buyer({ ...SIDEWAYS, balance: 100 })
  await page.goto('/buy?product=Tidebound+Rangers')
  await page.evaluate(() => scrollTo({ top: 150, behavior: 'instant' }))
  expect(await roomFor(page, '#main')).toBeGreaterThan(300)
  await expect(page.locator('.bottom-bar').getByRole('button')).toBeInViewport()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Key' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Key' })).toBeInViewport()
})

test('a dialog scrolls in most of the screen', async ({ people }) => {
  const { page } = await people.buyer(SIDEWAYS)
  await page.goto('/')
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Money' })
  await expect(dialog.getByRole('button', { name: 'Submit request' })).toBeAttached()
  await dialog.getByLabel('Contact phone').scrollIntoViewIfNeeded()
  expect(await roomFor(page, 'dialog form')).toBeGreaterThan(300)
  expect(await page.evaluate(cutOffInPage)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('in every dialog of the store all can be reached', LONG, async ({ people, shop }) => {
  test.setTimeout(300_000)
  await storeDialogs(tabOf((await people.visitor(SIDEWAYS)).page), { shop, people })
})
