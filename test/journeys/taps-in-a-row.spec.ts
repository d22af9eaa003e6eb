/** Two taps in a row on the queue's bar, by a finger or mouse on a slow phone: nothing is approved unasked. */
import type { Locator, Page } from '@playwright/test'
import { DESK, expect, freshUtr, PHONE, test } from './admin-counter.ts'
import { statementOf } from './bank-statement.ts'
import { LONG, LOOKS_AT_ALL, PHONE_AGENT, type People, type Shop } from './people.ts'

test.setTimeout(900_000)

/** Times as slow as this machine. */
const SLOWER = 6
const ROUNDS = LOOKS_AT_ALL ? 20 : 3
/** From 200 to 1,500 ms between the taps. */
const PAUSES_MS = Array.from({ length: ROUNDS }, (_, nth) => Math.round(200 + (1_300 * nth) / (ROUNDS - 1)))
/** A control takes no tap where another one was less than this ago (under-finger.ts). */
const REST_MS = 1_000
/** An approval can be taken back for 5 s (held-approvals.ts). */
const UNDO_MS = 5_000

let sets = 0

/**
 * Two requests, of two buyers.
 * @param isPaid the bank shows both as asked. Else it shows less, so that each has a mark
 */
async function ask(people: People, shop: Shop, isPaid = false): Promise<string> {
  const name = `6${String(Date.now()).slice(-7)}${(sets += 1)}`.padEnd(11, '0').slice(0, 11)
  const asked = await Promise.all(
    [611, 612].map(async (amount, nth) => {
      const { calls } = await people.buyer()
      const utr = `${name}${nth}`
      await calls.payments.addMoney({ amount, utr, payerName: `8${String(Date.now()).slice(-8)}${nth}` })
      return { utr, rupees: isPaid ? amount : 100, payer: `ASHA${utr}` }
    }),
  )
  const accountId = (await shop.owner.bank.accounts({})).accounts[0]?._id ?? ''
  await shop.owner.bank.import({
    text: statementOf([{ utr: freshUtr(), rupees: 77, payer: 'R K' }, ...asked]),
    accountId,
  })
  return name
}

async function clearAway(shop: Shop, name: string): Promise<void> {
  const { payments } = await shop.owner.payments.list({ search: name, status: 'pending' })
  for (const { _id: id } of payments) await shop.owner.payments.reject({ id })
  const { credits } = await shop.owner.bank.credits({ state: 'unclaimed', limit: 50 })
  for (const { _id: id } of credits) await shop.owner.bank.setAside({ id, why: 'Nobody’s' })
}

const approved = async (shop: Shop, name: string) =>
  (await shop.owner.payments.list({ search: name, status: 'approved' })).total

/** A finger, or a mouse, at the middle of what it means to press. */
async function pointAt(what: Locator, hasTouch: boolean): Promise<() => Promise<void>> {
  await expect(what).toBeEnabled()
  const box = await what.boundingBox()
  if (!box) throw new Error('It cannot be tapped')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const page = what.page()
  return () => (hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y))
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
}

for (const viewport of [PHONE, DESK]) {
  const hasTouch = viewport === PHONE
  const device = hasTouch ? { viewport, hasTouch, userAgent: PHONE_AGENT } : { viewport, hasTouch }
  const repeated = hasTouch ? {} : LONG

  test(
    `${ROUNDS} times two ${hasTouch ? 'taps' : 'clicks'} on an approval of marked ones ask, and approve nothing`,
    repeated,
    async ({ owner, people, shop }) => {
      const name = await ask(people, shop)
      const page = await owner(device)
      await slowDown(page)
      const question = page.getByRole('alertdialog')
      for (const pauseMs of PAUSES_MS) {
        await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
        // Both have a warning, so each is ticked by hand
        for (const tick of [/^Select ₹611/, /^Select ₹612/]) await page.getByRole('checkbox', { name: tick }).check()
        await page.waitForTimeout(REST_MS)
        const tap = await pointAt(page.getByRole('button', { name: 'Approve 2', exact: true }), hasTouch)
        await tap()
        await page.waitForTimeout(pauseMs)
        await tap()
        await expect(question, `${pauseMs} ms apart`).toBeVisible()
        expect(await page.getByRole('button', { name: /^Undo/ }).count(), `${pauseMs} ms apart`).toBe(0)
        await question.getByRole('button', { name: 'Cancel' }).click()
      }
      await page.waitForTimeout(UNDO_MS + REST_MS)
      expect(await approved(shop, name)).toBe(0)
      await clearAway(shop, name)
    },
  )

  test(
    `${ROUNDS} times two ${hasTouch ? 'taps' : 'clicks'} on Undo take both approvals back, and approve nothing`,
    LONG,
    async ({ owner, people, shop }) => {
      const [name, others] = [await ask(people, shop, true), await ask(people, shop, true)]
      const page = await owner(device)
      await slowDown(page)
      const undo = page.getByRole('button', { name: /^Undo/ })
      for (const pauseMs of PAUSES_MS) {
        await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
        for (const tick of [/^Select ₹611/, /^Select ₹612/]) await page.getByRole('checkbox', { name: tick }).check()
        await page.waitForTimeout(REST_MS)
        await page.getByRole('button', { name: 'Approve 2', exact: true }).click()
        await page.waitForTimeout(REST_MS)
        const tap = await pointAt(page.getByRole('button', { name: 'Undo 2', exact: true }), hasTouch)
        await tap()
        await page.waitForTimeout(pauseMs)
        await tap()
        await page.waitForTimeout(REST_MS)
        expect.soft(await undo.allTextContents(), `${pauseMs} ms apart`).toEqual([])
        // Nothing that is held is sent by the next page
        if (await undo.first().isVisible()) await undo.first().click()
      }
      await page.waitForTimeout(UNDO_MS + REST_MS)
      expect(await approved(shop, name)).toBe(0)
      expect(await approved(shop, others)).toBe(0)
      for (const each of [name, others]) await clearAway(shop, each)
    },
  )
}
