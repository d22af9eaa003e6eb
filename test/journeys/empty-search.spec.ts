/** A search that finds nothing says what was searched for, and one press shows everything again. */
import { screensOf } from '../screens.ts'
import { expect, PHONE, test } from './admin-counter.ts'
import { LONG } from './people.ts'

const SCREENS = [
  ...screensOf('admin'),
  '/admin/key-manager?view=keys',
  '/admin/key-manager?view=batches',
  '/admin/books?view=batches',
]
const SEARCHED = 'nobody-wrote-this'

test('on every list of the panel', LONG, async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  const main = page.getByRole('main')
  const searched: string[] = []
  for (const path of SCREENS) {
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}search=${SEARCHED}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await expect(main.getByText('Loading…')).toHaveCount(0)
    const field = main.getByRole('search').getByRole('textbox')
    if ((await field.count()) === 0) continue
    searched.push(path)
    await test.step(path, async () => {
      const nothing = main.getByText(`Nothing found for “${SEARCHED}”`)
      await expect(nothing).toBeVisible()
      await main.getByRole('button', { name: /^Show all / }).click()
      await expect(nothing).toBeHidden()
      await expect(field).toHaveValue('')
    })
  }
  expect(searched.length).toBeGreaterThan(9)
})
