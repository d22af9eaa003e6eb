/** What a phone's messages look like: one that is only proposed, and those of today. */
import type { Payment } from '../../contract/payments.ts'
import { DESK, expect, freshUtr, PHONE, rowOf, test } from './admin-counter.ts'
import { withoutData } from './people.ts'

const AT = '2026-11-22T08:30:00.000Z'
const CREDIT = '0190a000-0000-7000-8000-0000000000c1'
const DEVICE = '0190a000-0000-7000-8000-00000000000d'
const TEXT = 'A/c XX5678 is credited with Rs.416.00 by RAVI (UPI Ref No 632611112877) -RBL Bank'

for (const [size, viewport] of [
  ['phone', PHONE],
  ['desk', DESK],
] as const)
  test(`a message that was read by its parts stands beside its request, to compare: ${size}`, async ({
    owner,
    people,
    shop,
  }) => {
    const buyer = await people.buyer()
    const { payment } = await buyer.calls.payments.addMoney({ amount: 416, utr: freshUtr(), payerName: '9812345675' })
    const page = await owner({ viewport })
    await page.route('**/api/payments?*', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json().catch(() => undefined)) as { payments: Payment[] } | undefined
      if (!body) return
      const bank = { verdict: 'proposed', amount: 416, proof: 'none', why: 'reference …877', creditId: CREDIT }
      await route.fulfill({ json: { ...body, payments: body.payments.map((one) => ({ ...one, bank })) } })
    })
    await page.route('**/api/bank/alerts?*', (route) => {
      const message = { _id: CREDIT, outcome: 'proposed', why: 'names no account', account: null, device: null }
      const alert = { ...message, amount: 416, day: null, at: AT, line: null, text: TEXT, creditId: CREDIT, seenAt: AT }
      return route.fulfill({ json: { alerts: [alert], total: 1 } })
    })
    try {
      await withoutData(page)
      await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
      const row = rowOf(page, '₹416')
      await expect(row.getByText('We read ₹416, reference …877, in this message. Compare, then approve.')).toBeVisible()
      await expect(row.getByText(TEXT)).toBeVisible()
      await expect(row.getByText('This message names no account.')).toBeVisible()
      await expect(page.getByRole('button', { name: /confirmed by the bank/ })).toBeHidden()
    } finally {
      await shop.owner.payments.reject({ id: payment._id })
    }
  })

test('the messages of a phone today say what became of each, and why, and a new sender is one tap away', async ({
  owner,
}) => {
  for (const viewport of [PHONE, DESK]) {
    const page = await owner({ viewport })
    await page.route('**/api/bank/devices', (route) => {
      const device = { _id: DEVICE, name: 'Counter', accounts: [], createdAt: AT, lastSeenAt: AT }
      const state = {
        reachedAt: AT,
        smsAt: null,
        bankAt: AT,
        pausedAt: null,
        pausedWhy: null,
        endedAt: null,
        smsAbove: 500,
        unknownSenders: ['VM-KARBNK-S'],
      }
      return route.fulfill({ json: { devices: [{ ...device, ...state }], hasHttps: true } })
    })
    await page.route(`**/api/bank/devices/${DEVICE}/heard`, (route) => {
      const refused = { at: AT, sender: 'VM-KARBNK-S', outcome: 'refused', why: 'sender', stampedAt: null }
      const day = new Date().toISOString().slice(0, 10)
      const add = { accountId: DEVICE, header: 'KARBNK', looksLike: null }
      return route.fulfill({
        json: {
          heard: [{ ...refused, text: 'Rs.### credited to A/c XX####', add }],
          counts: [{ day, outcome: 'refused', count: 1 }],
        },
      })
    })
    await withoutData(page)
    await page.goto('/admin/settings/bank')
    await expect(page.getByText('Refused today, because we don’t know the sender: VM-KARBNK-S')).toBeVisible()
    const silence = page.getByText('Payments up to ₹500 may come without an SMS.')
    await expect(silence).toHaveCount(1)
    await page.getByRole('switch', { name: 'Trust alerts before a statement' }).click()
    await expect(silence, 'beside the rule too').toHaveCount(2)
    const added = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('senders'))
    await page.getByRole('button', { name: 'Add sender KARBNK' }).click()
    expect((await added).postDataJSON()).toEqual({ accountId: DEVICE, header: 'KARBNK' })
    const open = page.getByRole('button', { name: 'Messages today from Counter' })
    await open.click()
    await expect(open).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByText('VM-KARBNK-S · refused (the sender is no bank that we know)')).toBeVisible()
    await expect(page.getByText('Rs.### credited to A/c XX####')).toBeVisible()
  }
})
