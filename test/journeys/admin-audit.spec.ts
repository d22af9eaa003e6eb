/** The log of who changed what: found, narrowed, followed back and taken away as a file. */
import { DESK, expect, failing, freshName, PHONE, savedBy, said, SORRY, test, repeatAt } from './admin-counter.ts'

for (const viewport of [PHONE, DESK]) {
  test(
    `the audit log at ${viewport.width} px: search, area, days, older entries, export`,
    repeatAt(viewport),
    async ({ owner, shop }) => {
      const page = await owner({ viewport })
      const code = `AUD${freshName().slice(-6).toUpperCase()}`
      const { _id } = await shop.owner.referrals.create({ code, description: '=1+1', rewardAmount: 5 })
      await shop.owner.referrals.update({ id: _id, rewardAmount: 7 })
      await shop.owner.referrals.remove({ id: _id })
      const rows = page.locator('[data-row]')

      await test.step('a failure is said, with another try; older entries come when asked for', async () => {
        const letThrough = await failing(page, 'GET', '/admin/audit')
        await page.goto('/admin/audit')
        await expect(page.getByText(SORRY)).toBeVisible()
        await letThrough()
        await page.getByRole('button', { name: 'Retry' }).click()
        await expect(rows).toHaveCount(50)
        await page.getByRole('button', { name: 'Show older' }).click()
        await expect.poll(() => rows.count()).toBeGreaterThan(50)
      })

      await test.step('what was done to one thing, with before and after', async () => {
        await page.getByLabel('Search admin or subject').fill(code)
        await expect(rows).toHaveCount(3)
        const update = rows.filter({ hasText: 'referral.update' })
        await expect(update.getByText('owner', { exact: true })).toBeVisible()
        await expect(update.getByText('rewardAmount')).toBeVisible()
      })

      await test.step('by area and by days, kept in the address', async () => {
        await page.getByLabel('What was changed').selectOption({ label: 'Payments' })
        await expect(page.getByText('Nothing matches')).toBeVisible()
        await page.getByLabel('What was changed').selectOption({ label: 'Referral codes' })
        await page.getByLabel('Period').selectOption({ label: 'Yesterday' })
        await expect(page.getByText('Nothing matches')).toBeVisible()
        await page.getByLabel('Period').selectOption({ label: 'Today' })
        await expect(rows).toHaveCount(3)
        await page.reload()
        await expect(rows).toHaveCount(3)
      })

      await test.step('the file is what is shown, a failed one is said, and taking it leaves an entry', async () => {
        const button = page.getByRole('button', { name: 'Export CSV' })
        const letThrough = await failing(page, 'GET', '/admin/audit/export')
        await button.click()
        await expect(said(page, SORRY)).toBeVisible()
        await letThrough()
        const { name, text } = await savedBy(page, button)
        expect(name).toBe('audit.csv')
        const lines = text.trim().split('\r\n')
        expect(lines).toHaveLength(4)
        expect(lines.slice(1).every((line) => line.includes(code))).toBe(true)
        await page.getByRole('button', { name: 'Clear search' }).click()
        await page.getByLabel('What was changed').selectOption({ label: 'Audit exports' })
        await expect(rows.first().getByText('audit.export')).toBeVisible()
      })
    },
  )
}
