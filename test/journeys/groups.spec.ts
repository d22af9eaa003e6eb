/** An owner makes a group of buyers, and a buyer in it sees the price, pays it, and sees the list price again after. */
import { AxeBuilder } from '@axe-core/playwright'
import { actionOf, rowOf, said, test } from './admin-counter.ts'
import { DESK, expect, freshName, LOOKS_AT_ALL, PHONE, stopTransitions } from './people.ts'

for (const viewport of LOOKS_AT_ALL ? [PHONE, DESK] : [PHONE])
  test(`a group at ${viewport.width} px: made, joined, bought in, removed`, async ({ owner, people }) => {
    const [desk, buyer] = await Promise.all([owner({ viewport }), people.buyer({ viewport, balance: 600 })])
    const { page, username, calls } = buyer
    const name = `Club ${freshName()}`

    await test.step('the owner makes it, and sees what it makes of each price', async () => {
      await desk.goto('/admin/groups')
      await desk.getByRole('button', { name: 'Make a group' }).click()
      const dialog = desk.getByRole('dialog', { name: 'New buyer group' })
      await dialog.getByRole('button', { name: 'Make group' }).click()
      await expect(dialog.getByText('Name is required')).toBeVisible()
      await dialog.getByLabel('Name', { exact: true }).fill(name)
      await dialog.getByLabel('Off the list price (%)').fill('10')
      const own = dialog.getByLabel('Price of Orbit Arena Pro, 5 Days')
      await expect(own).toHaveAttribute('placeholder', '90')
      await own.fill('0')
      await expect(dialog.getByText('Enter more than ₹0, or leave empty for the percentage')).toBeVisible()
      await own.fill('70')
      await desk.evaluate(stopTransitions)
      expect((await new AxeBuilder({ page: desk }).include('dialog[open]').analyze()).violations).toEqual([])
      await dialog.getByRole('button', { name: 'Make group' }).click()
      await expect(said(desk, `${name} saved`)).toBeVisible()
      await expect(rowOf(desk, name)).toContainText('10% off · 1 exception')
    })

    await test.step('and puts the buyer into it, whose open page follows', async () => {
      await page.goto('/buy?product=Orbit+Arena+Pro&duration=5+Days')
      await expect(page.getByRole('radio', { name: /5 Days/ })).toBeVisible()
      await desk.goto(`/admin/user-manager?search=${username}`)
      await (await actionOf(rowOf(desk, username), `Edit ${username}`)).click()
      const dialog = desk.getByRole('dialog', { name: `Edit ${username}` })
      await dialog.getByRole('button', { name: 'Prices' }).click()
      await dialog.getByLabel('Buyer group').selectOption({ label: name })
      await expect(said(desk, `${username} is in ${name}`)).toBeVisible()
      await expect(dialog.getByText(`List price ₹99 · ${name} ₹70`)).toBeVisible()
      await expect(page.getByText(`${name} price`).first()).toBeVisible()
      await page.getByRole('button', { name: 'Buy with Wallet' }).click()
      await expect(page.getByText('Paid ₹70')).toBeVisible()
      expect((await calls.sessions.me({})).balance).toBe(530)
    })

    await test.step('it is removed by its count of buyers, and the list price is back', async () => {
      await desk.goto('/admin/groups')
      await expect(rowOf(desk, name)).toContainText('1 buyer')
      await (await actionOf(rowOf(desk, name), `Remove ${name}`)).click()
      const dialog = desk.getByRole('alertdialog', { name: `Remove ${name}?` })
      await expect(dialog.getByText('1 buyer pays as everybody does from then on.')).toBeVisible()
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await expect(said(desk, `${name} removed`)).toBeVisible()
      await page.goto('/buy?product=Orbit+Arena+Pro&duration=5+Days')
      await expect(page.getByRole('radio', { name: /5 Days/ })).toBeVisible()
      await expect(page.getByText(`${name} price`)).toHaveCount(0)
    })
  })
