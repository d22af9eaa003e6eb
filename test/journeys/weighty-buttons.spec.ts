/** A button that moves money or deletes never takes a press where another control was within the last second. */
import type { Page } from '@playwright/test'
import {
  actionOf,
  expect,
  freshName,
  freshUtr,
  listBar,
  PHONE,
  DESK,
  repeatAt,
  rowOf,
  said,
  sendHeld,
  test,
} from './admin-counter.ts'

/**
 * Looks every 50 ms at what a finger would reach, and notes each weighty button that takes presses where another
 * control was within a second. Amounts and counts change while a button means the same.
 */
async function watchPlaces(page: Page): Promise<Set<string>> {
  const faults = new Set<string>()
  await page.exposeFunction('noteFault', (fault: string) => faults.add(fault))
  await page.addInitScript(() => {
    const CONTROLS = 'button, a, input, summary, select, label'
    let seen: { at: number; spots: { name: string; box: DOMRect; isWeighty: boolean; isOff: boolean }[] }[] = []
    const saidBy = (control: Element) => control.ariaLabel ?? (control as HTMLElement).innerText ?? ''
    const nameOf = (control: Element) => `${control.tagName} ${saidBy(control).replaceAll(/[\d,.]+/g, '#')}`
    setInterval(() => {
      const at = performance.now()
      const spots = [...document.querySelectorAll(CONTROLS)].flatMap((control) => {
        const box = control.getBoundingClientRect()
        const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        if (!there || !control.contains(there)) return []
        const isWeighty = control.matches('[data-weighty]')
        return [{ name: nameOf(control), box, isWeighty, isOff: control.matches('[aria-disabled="true"], :disabled') }]
      })
      seen = [...seen.filter((each) => at - each.at < 950), { at, spots }]
      for (const { name, box, isWeighty, isOff } of spots) {
        if (!isWeighty || isOff) continue
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
        const before = seen
          .flatMap((each) => each.spots)
          .find(
            (spot) =>
              spot.name !== name && spot.box.left < x && spot.box.right > x && spot.box.top < y && spot.box.bottom > y,
          )
        if (before) Reflect.get(window, 'noteFault')(`${name} stands where ${before.name} was`)
      }
    }, 50)
  })
  return faults
}

for (const viewport of [PHONE, DESK])
  test(
    `no button of the panel at ${viewport.width} px moves money or deletes where another one was a moment ago`,
    repeatAt(viewport),
    async ({ owner, people, shop }) => {
      test.setTimeout(120_000)
      const [page, buyer] = await Promise.all([owner({ viewport }), people.buyer({ balance: 100 })])
      const name = buyer.username
      const faults = await watchPlaces(page)
      const settled = () => page.waitForTimeout(1_200)
      const ask = (amount: number) =>
        buyer.calls.payments.addMoney({ amount, utr: freshUtr(), payerName: `98${String(Date.now()).slice(-8)}` })

      await test.step('the bar over requests, and their rows', async () => {
        for (const amount of [431, 432, 433]) await ask(amount)
        await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
        const approve = (amount: number) => page.getByRole('button', { name: `Approve ₹${amount} from ${name}` })
        await approve(431).click()
        await settled()
        await page.getByRole('button', { name: /^Undo the approval/ }).click()
        await settled()
        await page.getByRole('checkbox', { name: 'Select all 2' }).check()
        await page.getByRole('checkbox', { name: `Select ₹433 from ${name}` }).check()
        await settled()
        await page.getByRole('button', { name: 'Approve 3' }).click()
        await page
          .getByRole('button', { name: 'Approve 3 · ₹1,296' })
          .or(page.getByRole('button', { name: 'Undo 3' }))
          .click()
        await settled()
        const undo = page.getByRole('button', { name: 'Undo 3' })
        if (await undo.isVisible()) await undo.click()
        await settled()
        await approve(432).click()
        await sendHeld(page)
        await expect(page.getByRole('button', { name: '1 reviewed' })).toBeVisible()
        await settled()
        await page.getByRole('button', { name: `Reject ₹433 from ${name}` }).click()
        await settled()
        await page.getByRole('dialog').getByRole('button', { name: 'This UTR was used for another request.' }).click()
        await settled()
      })
      await test.step('come from another screen, as a second press on the way', async () => {
        await page.goto('/admin')
        await page.getByRole('link', { name: /^Pending payments/ }).click()
        await expect(page.locator('[data-approve]').first()).toBeVisible()
        await settled()
      })
      await test.step('a product, its keys, and the message with Undo', async () => {
        const product = await shop.owner.catalogue.create({
          name: `Passing ${freshName()}`,
          prices: [{ duration: '10 Days', price: 20 }],
        })
        await shop.owner.keys.add({ productId: product._id, duration: '10 Days', keys: [freshName(), freshName()] })
        const place = new URLSearchParams({ product: product._id, duration: '10 Days', view: 'keys' })
        await page.goto(`/admin/key-manager?${place}`)
        await (await actionOf(listBar(page), 'Delete all')).click()
        await settled()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
        await (await actionOf(page.locator('[data-row]').first(), /^Delete key/)).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
        await settled()
        await page.goto(`/admin/product-manager?search=${product.name}`)
        await (await actionOf(rowOf(page, product.name), `Delete ${product.name}`)).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
        await expect(said(page, `${product.name} restored`)).toBeVisible()
        await shop.owner.catalogue.remove({ id: product._id })
      })
      await test.step('a user', async () => {
        await page.goto(`/admin/user-manager?search=${name}`)
        await (await actionOf(rowOf(page, name), `Edit ${name}`)).click()
        await settled()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        await (await actionOf(rowOf(page, name), `Delete ${name}`)).click()
        await settled()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
      })
      await test.step('money in the bank', async () => {
        const accountId = (await shop.owner.bank.accounts({})).accounts[0]?._id
        expect(accountId, 'the demo has an account').toBeDefined()
        await page.goto('/admin/bank?status=matched')
        const back = page.getByRole('button', { name: /^Take back…/ }).first()
        if (await back.isVisible()) {
          await back.click()
          await settled()
        }
      })
      expect([...faults]).toEqual([])
    },
  )

/** Notes which buttons of the page that move money or delete took presses, or rested, when a dialog had just closed. */
async function watchClosings(page: Page): Promise<{ taking: Set<string>; resting: Set<string> }> {
  const seen = { taking: new Set<string>(), resting: new Set<string>() }
  await page.exposeFunction('noteUncovered', (how: keyof typeof seen, name: string) => seen[how].add(name))
  await page.addInitScript(() => {
    let closedAt = -1_000
    document.addEventListener('close', () => (closedAt = performance.now()), true)
    setInterval(() => {
      const sinceMs = performance.now() - closedAt
      if (sinceMs < 50 || sinceMs > 900) return
      for (const button of document.querySelectorAll('main [data-weighty]')) {
        const rests = button.matches('[aria-disabled="true"], :disabled')
        Reflect.get(window, 'noteUncovered')(rests ? 'resting' : 'taking', button.ariaLabel)
      }
    }, 20)
  })
  return seen
}

test('what moves money rests when a dialog over it has closed', async ({ owner, people }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer({ balance: 100 })])
  await buyer.calls.payments.addMoney({ amount: 441, utr: freshUtr(), payerName: '9876501234' })
  const { taking, resting } = await watchClosings(page)
  await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
  const name = `Approve ₹441 from ${buyer.username}`
  const approve = page.getByRole('button', { name })
  await expect(approve).toBeEnabled()
  await page.getByRole('button', { name: `Reject ₹441 from ${buyer.username}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => [...resting]).toEqual([name])
  await expect(approve).toBeEnabled()
  expect([...taking]).toEqual([])
})
