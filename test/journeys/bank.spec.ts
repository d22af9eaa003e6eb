/** The bank inbox: a statement, what it says of each request, and money that goes back. */
import type { Locator, Page } from '@playwright/test'
import { DESK, expect, freshUtr, rowOf, said, actionOf, PHONE, repeatAt, test } from './admin-counter.ts'
import { anAdmin, codeOf, enrolAndReturn } from './admin-door.ts'
import { statementOf } from './bank-statement.ts'
import { enterPanel, liftFinger, type People } from './people.ts'

async function upload(page: Page, statement: string): Promise<void> {
  await page.getByRole('button', { name: 'Upload statement' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload statement' })
  await dialog.getByLabel('Or paste the statement').fill(statement)
  await dialog.getByRole('button', { name: 'Check statement' }).click()
  await expect(dialog.getByText('Balances add up.')).toBeVisible()
  await dialog.getByRole('button', { name: /^Upload \d+ credit/ }).click()
  await expect(dialog.getByText(/new credits?\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
}

/** An owner who has just confirmed the password, as taking money back asks for. */
async function freshOwner(people: People, shop: { admin: { username: string; password: string } }) {
  const { page, context } = await people.visitor({ viewport: PHONE, reducedMotion: 'reduce' })
  await enterPanel(context.request, shop.admin)
  return page
}

test('an upload asks an owner with two-step verification who it is, and keeps the file meanwhile', async ({
  people,
  shop,
}) => {
  const { username } = await anAdmin(shop)
  const person = await people.visitor({ viewport: PHONE, reducedMotion: 'reduce' })
  const { secret } = await enrolAndReturn(person, username)
  const { page } = person
  await page.goto('/admin/bank')
  await page.getByRole('button', { name: 'Upload statement' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload statement' })
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const text = statementOf([{ utr: freshUtr(), rupees: 78, payer: 'RAVI K' }])
  const file = { name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await dialog.getByLabel('Statement file').setInputFiles(file)
  const send = dialog.getByRole('button', { name: /^Upload \d+ credit/ })
  await send.click()
  await proof.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByText('Nothing changed. You didn’t confirm.')).toBeVisible()
  await liftFinger(page)
  await send.click()
  await proof.getByLabel('Code', { exact: true }).fill(await codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/new credits?\./)).toBeVisible()
})

test('a statement sorts the queue: one press takes what the bank confirms, and money is taken back', async ({
  people,
  shop,
}) => {
  const buyer = await people.buyer()
  const name = buyer.username
  // One after the other, because the first credit that comes is spent first
  const [proven, less, more] = [freshUtr(), freshUtr(), freshUtr()]
  // A phone that another buyer has given is a warning
  const phone = `98${freshUtr().slice(-8)}`
  for (const [utr, amount] of [
    [proven, 411],
    [less, 412],
    [more, 413],
  ] as const)
    await buyer.calls.payments.addMoney({ amount, utr, payerName: phone })
  const page = await freshOwner(people, shop)
  await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
  await expect(page.getByRole('button', { name: 'Approve 2 without a warning' })).toBeVisible()
  await upload(
    page,
    statementOf([
      // Nothing stands before the first line that could prove its balance
      { utr: freshUtr(), rupees: 77, payer: 'RAVI K' },
      { utr: proven, rupees: 411, payer: 'ASHA' },
      { utr: less, rupees: 100, payer: 'ASHA' },
      { utr: more, rupees: 413, payer: 'ASHA' },
    ]),
  )
  await expect(rowOf(page, '₹411').getByText(/^In the bank: ₹411/)).toBeVisible()

  await test.step('what is ticked all the same is asked about, in the bank’s words', async () => {
    await page.getByLabel(`Select ₹412 from ${name}`).check()
    await page.getByRole('button', { name: 'Approve 1' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question.getByText('The bank shows ₹100')).toBeVisible()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel(`Select ₹412 from ${name}`).uncheck()
  })

  await test.step('the others are approved together', async () => {
    await liftFinger(page)
    await page.getByRole('button', { name: 'Approve 2 confirmed' }).click()
    await expect(said(page, '2 requests approved, ₹824 credited.')).toBeVisible({ timeout: 12_000 })
  })

  await test.step('the bank’s amount is credited instead', async () => {
    await rowOf(page, '₹412').getByRole('button', { name: 'Credit ₹100 instead' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Credit ₹100' }).click()
    await expect(said(page, '₹100 credited')).toBeVisible()
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 50 + 411 + 413 + 100 })
  })

  await test.step('money is taken back, and what was spent is said to be lost', async () => {
    const { users } = await shop.owner.users.list({ search: name })
    await shop.owner.users.update({ id: users[0]?._id ?? '', balance: -(50 + 411 + 13), expiresInDays: null })
    for (const [utr, text] of [
      [proven, `₹0 taken back from ${name}. ₹411 was already spent and can’t be taken back.`],
      [less, `₹100 taken back from ${name}`],
    ] as const) {
      await page.goto(`/admin/bank?status=matched&search=${utr}`)
      await (await actionOf(page.locator('[data-row]'), /^Take back…/)).click()
      const dialog = page.getByRole('dialog', { name: /^Take ₹\d+ back from/ })
      await dialog.getByRole('button', { name: 'Take back' }).click()
      await expect(dialog.getByText('Reason is required')).toBeVisible()
      await dialog.getByLabel('Reason').fill('The money was another buyer’s')
      await dialog.getByRole('button', { name: 'Take back' }).click()
      await expect(said(page, text)).toBeVisible()
      await expect(page.locator('[data-row]')).toHaveCount(0)
    }
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 400 })
  })

  // Else the queue of other journeys says that it is unclaimed
  const { credits } = await shop.owner.bank.credits({ state: 'unclaimed', limit: 50 })
  for (const { _id: id } of credits) await shop.owner.bank.setAside({ id, why: 'Nobody’s' })
})

/** Presses a button in the moment that it comes, and what stands in its place 300 ms later, as a hurried thumb does. */
const pressAsItComes = (page: Page, label: RegExp): Promise<void> =>
  page.evaluate(async (source) => {
    const find = () =>
      [...document.querySelectorAll('button')].find(
        (button) => button.checkVisibility() && new RegExp(source).test(button.textContent.trim()),
      )
    let button = find()
    while (!button) {
      await new Promise(requestAnimationFrame)
      button = find()
    }
    const { left, top, width, height } = button.getBoundingClientRect()
    button.click()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const there = document.elementFromPoint(left + width / 2, top + height / 2)
    if (there instanceof HTMLElement) there.click()
  }, label.source)

let sets = 0

for (const viewport of [PHONE, DESK])
  test(
    `two quick presses on the bar at ${viewport.width} px approve only what the bank confirms`,
    repeatAt(viewport),
    async ({ owner, people, shop }) => {
      // Each of another buyer and with another phone, so that nothing but the bank speaks against it
      const name = `7${String(Date.now()).slice(-7)}${(sets += 1)}`
      const [one, two, unseen, other] = await Promise.all(
        [811, 812, 1_100, 1_150].map(async (amount, nth) => {
          const buyer = await people.buyer()
          const utr = `${name}${nth}`.padEnd(12, '0')
          await buyer.calls.payments.addMoney({ amount, utr, payerName: `8${String(Date.now()).slice(-8)}${nth}` })
          return { name: buyer.username, utr }
        }),
      )
      if (!one || !two || !unseen || !other) throw new Error('No requests')
      const accountId = (await shop.owner.bank.accounts({})).accounts[0]?._id ?? ''
      const text = statementOf([
        { utr: freshUtr(), rupees: 77, payer: 'RAVI K' },
        { utr: one.utr, rupees: 811, payer: `ASHA${name}` },
        { utr: two.utr, rupees: 812, payer: `MEENA${name}` },
        { utr: other.utr, rupees: 100, payer: `KIRAN${name}` },
      ])
      await shop.owner.bank.import({ text, accountId })

      const page = await owner({ viewport, hasTouch: viewport === PHONE })
      const sent: string[] = []
      page.on('request', (request) => request.url().endsWith('/approve') && sent.push(request.url()))
      await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
      const labels = {
        confirmed: /^Approve 2 (confirmed|confirmed by the bank · ₹1,623)$/,
        undo: /^Undo 2$/,
        all: /^Approve 1 without a warning( · ₹1,100)?$/,
        chosen: /^Approve 2$/,
        yes: /^Approve (1 · ₹1,100|2 · ₹2,250)$/,
      }
      const question = page.getByRole('alertdialog')
      const bar = (label: keyof typeof labels) => page.getByRole('button', { name: labels[label], exact: true })
      /** Presses `first`, and what comes into its place as it comes. */
      const hurry = async (first: Locator, then: keyof typeof labels) => {
        await expect(first).toBeEnabled()
        const pressed = pressAsItComes(page, labels[then])
        await first.click()
        await pressed
      }

      await test.step('what the bank confirms is held, and the second press is no Undo', async () => {
        await hurry(bar('confirmed'), 'undo')
        await expect(bar('undo')).toBeVisible()
      })
      await test.step('Undo brings it back, and the second press does not approve again', async () => {
        await hurry(bar('undo'), 'confirmed')
        await expect(bar('confirmed')).toBeVisible()
        expect(sent).toEqual([])
      })
      await test.step('after five seconds the rest stands there, and an Undo that came late does nothing', async () => {
        await hurry(bar('confirmed'), 'all')
        await expect.poll(() => sent.length).toBe(2)
        await expect(bar('all')).toBeVisible()
        await expect(question).toBeHidden()
      })
      await test.step('the rest is asked about, with sum and marks; a yes in the first second is none', async () => {
        await hurry(bar('all'), 'yes')
        await expect(question.getByText(/^₹1,100 will be credited to /)).toBeVisible()
        await expect(question.getByText('Not in the bank yet (statements up to')).toBeVisible()
        await expect(question.getByText('The bank shows ₹100'), 'a warned one is no part of it').toHaveCount(0)
        await question.getByRole('button', { name: 'Cancel' }).click()
        await page.getByLabel('Select all 1').check()
        await page.getByLabel(`Select ₹1,150 from ${other.name}`).check()
        await hurry(bar('chosen'), 'yes')
        await expect(question.getByText(`${other.name} (₹1,150): The bank shows ₹100`)).toBeVisible()
        for (const each of [`${unseen.name} (₹1,100)`, `${other.name} (₹1,150)`])
          await expect(question.getByText(each)).toBeVisible()
        await question.getByRole('button', { name: 'Cancel' }).click()
      })
      await test.step('a warned one alone is asked about in the same way', async () => {
        await page.getByRole('button', { name: `Approve ₹1,150 from ${other.name}` }).click()
        await expect(question).toBeVisible()
        await question.getByRole('button', { name: 'Cancel' }).click()
      })
      await test.step('with a yes all are approved, and Undo takes them back', async () => {
        await bar('chosen').click()
        await expect(question.getByRole('button', { name: labels.yes })).toBeEnabled()
        await question.getByRole('button', { name: labels.yes }).click()
        await expect(bar('undo')).toBeEnabled()
        await hurry(bar('undo'), 'all')
        await page.waitForTimeout(5_500)
        expect(sent).toHaveLength(2)
      })
      const { payments } = await shop.owner.payments.list({ search: name, status: 'pending' })
      for (const { _id: id } of payments) await shop.owner.payments.reject({ id })
      const { credits } = await shop.owner.bank.credits({ state: 'unclaimed', limit: 50 })
      for (const { _id: id } of credits) await shop.owner.bank.setAside({ id, why: 'Nobody’s' })
    },
  )

test('the worst case of automatic approval reads an amount with commas', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/settings/bank')
  await page.getByLabel('Approve', { exact: true }).selectOption('auto')
  await page.getByRole('switch', { name: 'Trust alerts before a statement' }).check()
  await page.getByLabel('Limit without a statement (₹)').fill('1,00,000')
  await expect(page.getByText(/You can lose up to ₹1,00,000 before/)).toBeVisible()
})
