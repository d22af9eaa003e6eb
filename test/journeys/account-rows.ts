/** Rows of the account and of the settings, which open where they stand. */
import type { Locator, Page } from '@playwright/test'
import { expect } from './people.ts'

export function rowNamed(page: Page, name: string): Locator {
  const titled = page.locator('summary').filter({ has: page.getByText(name, { exact: true }) })
  return page.getByRole('main').locator('details').filter({ has: titled })
}

/** Opens a row, unless it is open. @returns the row with what it holds */
export async function openRow(page: Page, name: string): Promise<Locator> {
  const row = rowNamed(page, name)
  await expect(row.locator('summary')).toBeVisible()
  if ((await row.getAttribute('open')) === null) await row.locator('summary').click()
  await expect(row).toHaveAttribute('open', '')
  return row
}
