/** The log of who changed what: found, narrowed, followed back and taken away as a file. */
import {
  DESK,
  expect,
  failing,
  freshName,
  PHONE,
  savedBy,
  said,
  SORRY,
  test,
  repeatAt,
  actionOf,
  filterBy,
  listBar,
  freshUtr,
} from './admin-counter.ts'
import { AUDIT_PAGE_SIZE } from '../../contract/limits.ts'
import { withoutData } from './people.ts'

for (const viewport of [PHONE, DESK]) {
  test(
    `the audit log at ${viewport.width} px: search, area, days, older entries, export`,
    repeatAt(viewport),
    async ({ owner, people, shop }) => {
      const page = await owner({ viewport })
      const code = `AUD${freshName().slice(-6).toUpperCase()}`
      const { _id } = await shop.owner.referrals.create({ code, description: '=1+1', rewardAmount: 5 })
      await shop.owner.referrals.update({ id: _id, rewardAmount: 7 })
      await shop.owner.referrals.remove({ id: _id })
      // More than fits on the first page
      for (let n = 0; n < AUDIT_PAGE_SIZE / 2; n++) {
        const older = `OLD${freshName().slice(-6).toUpperCase()}`
        const other = await shop.owner.referrals.create({ code: older, description: 'Older' })
        await shop.owner.referrals.remove({ id: other._id })
      }
      const rows = page.locator('[data-row]')

      await test.step('a failure is said, with another try; older entries come when asked for', async () => {
        await withoutData(page)
        const letThrough = await failing(page, 'GET', '/admin/audit')
        await page.goto('/admin/audit')
        await expect(page.getByText(SORRY)).toBeVisible()
        await letThrough()
        await page.getByRole('button', { name: 'Retry' }).click()
        await expect(rows).toHaveCount(AUDIT_PAGE_SIZE)
        // While older ones are on their way, a payment renews what the panel shows
        const buyer = await people.buyer()
        let isHeld = false
        await page.route(/\/api\/admin\/audit\?.*before=/, async (route) => {
          if (isHeld) return route.continue()
          isHeld = true
          const renewed = page.waitForRequest((request) => /\/audit\?(?!.*before=)/.test(request.url()))
          await buyer.calls.payments.addMoney({ amount: 100, utr: freshUtr(), payerName: '9876543210' })
          await renewed
          return route.continue().catch(() => undefined)
        })
        await page.getByRole('button', { name: 'Show older' }).click()
        await expect.poll(() => rows.count()).toBeGreaterThan(AUDIT_PAGE_SIZE)
        expect(isHeld).toBe(true)
      })

      await test.step('what was done to one thing, with before and after', async () => {
        await page.getByLabel('Search admin or item').fill(code)
        await expect(rows).toHaveCount(3)
        const update = rows.filter({ hasText: 'Referral code changed' })
        await expect(update.getByText('owner', { exact: true })).toBeVisible()
        await expect(update.getByText('Reward amount')).toBeVisible()
        await expect(update.getByText('₹7')).toBeVisible()
      })

      await test.step('whom and what is said by name: no id anywhere, and a name leads to its screen', async () => {
        const product = await shop.owner.catalogue.create({
          name: `Game ${code}`,
          prices: [{ duration: '1 Day', price: 9 }],
        })
        const buyer = await people.buyer()
        await shop.owner.users.update({
          id: buyer.id,
          customPrices: [{ productId: product._id, duration: '1 Day', price: 5 }],
          hiddenProducts: [product._id],
        })
        await page.getByLabel('Search admin or item').fill(buyer.username)
        const change = rows.filter({ hasText: 'User changed' })
        await expect(change.getByText(`Game ${code}, 1 Day ₹5`)).toBeVisible()
        await expect(change.getByText(`${buyer.username}@example.in`)).toBeVisible()
        await page.getByRole('button', { name: 'Clear search' }).click()
        await expect.poll(() => rows.count()).toBeGreaterThan(3)
        expect(await page.getByRole('main').innerText()).not.toMatch(/[\da-f]{8}-[\da-f]{4}-7/)
        await change.first().getByRole('link', { name: buyer.username }).click()
        await expect(page).toHaveURL(new RegExp(`user-manager\\?search=${buyer.username}`))
        await page.goBack()
        await page.getByLabel('Search admin or item').fill(code)
        await expect(rows.filter({ hasText: 'Referral code changed' })).toHaveCount(1)
      })

      await test.step('by area and by days, kept in the address', async () => {
        await filterBy(page, () => page.getByLabel('Filter by type').selectOption({ label: 'Payments' }))
        await expect(page.getByText(`Nothing found for “${code}”`)).toBeVisible()
        await filterBy(page, async () => {
          await page.getByLabel('Filter by type').selectOption({ label: 'Referral codes' })
          await page.getByLabel('Date range').selectOption({ label: 'Yesterday' })
        })
        await expect(page.getByText(`Nothing found for “${code}”`)).toBeVisible()
        await filterBy(page, () => page.getByLabel('Date range').selectOption({ label: 'Today' }))
        await expect(rows).toHaveCount(3)
        await page.reload()
        await expect(rows).toHaveCount(3)
        if (viewport === PHONE) return
        // A day that is typed is no step of its own for Back, and the years on the way to it are none at all
        await page.getByLabel('Date range').selectOption({ label: 'Custom range' })
        const entries = await page.evaluate(() => history.length)
        const days: string[] = []
        page.on('framenavigated', (frame) => days.push(new URL(frame.url()).searchParams.get('from') ?? ''))
        await page.getByLabel('From').focus()
        await page.keyboard.type('05052025')
        await expect(page).toHaveURL(/from=2025-05-05/)
        expect(days.filter((day) => day < '2000')).toEqual([])
        expect(await page.evaluate(() => history.length)).toBe(entries)
        await expect(rows).toHaveCount(3)
        // Back is not undone by leaving the field
        await page.goBack()
        await expect(page.getByText(`Nothing found for “${code}”`)).toBeVisible()
        await page.getByLabel('To', { exact: true }).focus()
        await page.reload()
        await expect(page.getByText(`Nothing found for “${code}”`)).toBeVisible()
        expect(page.url()).not.toContain('from=2025-05-05')
        await page.goForward()
        await expect(page).toHaveURL(/from=2025-05-05/)
        await expect(rows).toHaveCount(3)
      })

      await test.step('the file is what is shown, a failed one is said, and taking it leaves an entry', async () => {
        const letThrough = await failing(page, 'GET', '/admin/audit/export')
        await (await actionOf(listBar(page), 'Export CSV')).click()
        await expect(said(page, SORRY)).toBeVisible()
        await letThrough()
        const { name, text } = await savedBy(page, await actionOf(listBar(page), 'Export CSV'))
        expect(name).toBe('audit.csv')
        const lines = text.trim().split('\r\n')
        expect(lines).toHaveLength(4)
        expect(lines.slice(1).every((line) => line.includes(code))).toBe(true)
        await page.getByRole('button', { name: 'Clear search' }).click()
        await filterBy(page, () => page.getByLabel('Filter by type').selectOption({ label: 'Audit exports' }))
        await expect(rows.first().getByText('Audit log exported')).toBeVisible()
      })
    },
  )
}
