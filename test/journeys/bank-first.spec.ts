/** The bank inbox of a store that has no bank account yet: what comes first is said first. */
import { readFileSync } from 'node:fs'
import { expect, said } from './admin-counter.ts'
import { DESK, enterPanel, PHONE, repeatAt } from './people.ts'
import { person, test } from './store.ts'

// Of an account that ends in 4444, with a credit of ₹200, ₹1,200 and ₹350
const STATEMENT = readFileSync(new URL('../bank/statements/sbi.xls', import.meta.url), 'utf8')

for (const viewport of [PHONE, DESK])
  test(
    `the first statement adds its account at ${viewport.width} px, and several credits are set aside`,
    repeatAt(viewport),
    async ({ browser, store }) => {
      const { page, context } = await person(browser, store, { viewport })
      const calls = await enterPanel(context.request, store.admin)
      const main = page.getByRole('main')

      await test.step('an inbox without an account says what to do, and not that all is matched', async () => {
        await page.goto('/admin/bank')
        await expect(main.getByText('Add your bank account first')).toBeVisible()
        await expect(main.getByText('Every payment is matched')).toBeHidden()
        await expect(main.getByRole('link', { name: 'Add account' })).toHaveAttribute('href', '/admin/settings/bank')
      })

      await test.step('a phone without https is refused before its form', async () => {
        await page.goto('/admin/settings/bank')
        await page.getByRole('button', { name: 'Connect a phone' }).click()
        const dialog = page.getByRole('dialog', { name: 'Connect a phone' })
        await expect(dialog.getByText('A phone needs an https address.')).toBeVisible()
        await expect(dialog.getByRole('textbox')).toHaveCount(0)
      })

      await test.step('one button adds the account, and the result says what the preview said', async () => {
        await page.goto('/admin/bank')
        await main.getByRole('button', { name: 'Upload statement' }).click()
        const dialog = page.getByRole('dialog', { name: 'Upload statement' })
        await dialog.getByLabel('Or paste the statement').fill(STATEMENT)
        await dialog.getByRole('button', { name: 'Check statement' }).click()
        await expect(dialog.getByText('SBI ··4444 isn’t one of your accounts yet.')).toBeVisible()
        await expect(dialog.getByText('New credits').locator('..')).toContainText('3')
        await expect(dialog.getByText('−₹50', { exact: true })).toHaveCSS('white-space', 'nowrap')
        await dialog.getByRole('button', { name: 'Add and upload' }).click()
        await expect(dialog.getByText('3 new credits. 0 seen before.')).toBeVisible()
        await dialog.getByRole('button', { name: 'Done' }).click()
        const { accounts } = await calls.bank.accounts({})
        expect(accounts).toMatchObject([{ bank: 'SBI', tail: '4444', label: 'SBI account', feedsStore: true }])
      })

      await test.step('the settings list what was uploaded', async () => {
        await page.goto('/admin/settings/bank')
        const uploads = main
          .locator('section')
          .filter({ has: page.getByRole('heading', { name: 'Uploaded statements' }) })
        await expect(uploads.getByRole('listitem')).toContainText(['SBI account'])
        await expect(uploads).toContainText('3 credits, 3 new')
        await page.goto('/admin/bank')
      })

      await test.step('chosen credits are set aside with one reason', async () => {
        await main.getByLabel('Select all 3').check()
        await main.getByLabel(/^Select ₹200 from/).uncheck()
        await expect(main.getByText('2 selected · ₹1,550')).toBeVisible()
        await main.getByRole('button', { name: 'Ignore 2' }).click()
        const dialog = page.getByRole('dialog', { name: 'Ignore 2 payments, ₹1,550 in all?' })
        await dialog.getByLabel('Reason').fill('Rent')
        await dialog.getByRole('button', { name: 'Ignore' }).click()
        await expect(said(page, '₹1,550 ignored')).toBeVisible()
        await expect(page.locator('[data-row]')).toHaveCount(1)
        expect((await calls.bank.credits({ state: 'set-aside' })).total).toBe(2)
      })

      await test.step('an account that is read and matched says so', async () => {
        const { credits } = await calls.bank.credits({ state: 'unclaimed' })
        for (const { _id: id } of credits) await calls.bank.setAside({ id, why: 'Own' })
        await page.reload()
        await expect(main.getByText('Every payment is matched')).toBeVisible()
      })
      await context.close()
    },
  )
