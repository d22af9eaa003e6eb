/** A bad key: reported by its buyer, answered on the desk, and recalled with its batch. Taps count from the screen. */
import type { Locator, Page } from '@playwright/test'
import { unique } from '../worlds/constants.ts'
import { actionOf, expect, rowOf, SORRY, test } from './admin-counter.ts'
import { LONG, PHONE, type People, type Shop } from './people.ts'

test.use({ viewport: PHONE })

test('a bad key is reported and replaced in three taps each', LONG, async ({ people, owner, shop }) => {
  const name = unique('Bad Batch ')
  const { _id: productId } = await shop.owner.catalogue.create({
    name,
    description: 'Some of its keys are bad.',
    hot: false,
    prices: [{ duration: '10 Days', price: 60 }],
  })
  const texts = [unique('BAD-'), unique('GOOD-'), unique('LAST-')]
  await shop.owner.keys.add({ productId, duration: '10 Days', keys: texts, supplier: 'Bazaar' })
  const { page, calls } = await people.buyer({ viewport: PHONE, balance: 100 })
  await calls.orders.place({ productId, duration: '10 Days', quantity: 1 })

  await page.goto('/my-key')
  await page.getByRole('button', { name: 'Problem with this key?' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Problem with this key?' })
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog.getByText('Choose what happened')).toBeVisible()
  await dialog.getByLabel('Note').fill('<b>Error</b> 0x80')
  await page.goBack()
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('Note')).toHaveValue('<b>Error</b> 0x80')
  await dialog.getByRole('radio', { name: 'Never worked' }).check({ force: true })
  await dialog.getByRole('button', { name: 'Send' }).tap()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/^Reported, C-\d+$/)).toBeVisible()
  await expect(page.getByText(/^The store answers by /)).toBeVisible()

  const panel = await owner()
  await panel.goto(`/admin/claims?search=${(await calls.claims.mine({}))[0]?.number}`)
  await panel.getByRole('button', { name: /^Answer C-/ }).click()
  const claim = panel.getByRole('dialog')
  await expect(claim.getByText('<b>Error</b> 0x80')).toBeVisible()
  await expect(claim.getByText('1 of 1 keys reported (100%)')).toBeVisible()
  await expect(claim.getByRole('button', { name: 'In full: ₹60' })).toBeVisible()
  await claim.getByLabel('Answer').fill('Sorry. Try this one.')
  await panel.waitForTimeout(1_100)
  await claim.getByRole('button', { name: 'Replace key' }).click()
  await expect(claim).toBeHidden()

  await expect(page.getByText(/^Replaced, C-\d+$/)).toBeVisible()
  await expect(page.getByText('Sorry. Try this one.')).toBeVisible()
  await expect(page.getByText(texts[1] ?? '').first()).toBeVisible()
  await expect(page.getByText(texts[0] ?? '').first()).toBeVisible()
})

test(
  'a key, a purchase, a buyer and the desk lead to an answer in three taps',
  LONG,
  async ({ people, owner, shop }) => {
    const buyer = await people.buyer({ balance: 400 })
    const products: string[] = []
    for (let n = 0; n < 4; n++) {
      const prices = [{ duration: '10 Days', price: 60 }]
      const { _id: productId } = await shop.owner.catalogue.create({ name: unique('Near '), prices })
      products.push(productId)
      await shop.owner.keys.add({ productId, duration: '10 Days', keys: [unique('NEAR-'), unique('NEAR-')] })
      const { keys } = await buyer.calls.orders.place({ productId, duration: '10 Days', quantity: 1 })
      await buyer.calls.claims.open({ keyId: keys[0]?._id ?? '', reason: 'never-worked' })
    }
    const panel = await owner()
    // The page hears of its answer from the live stream first
    await panel.route('**/api/claims/*/replace', async (route) => {
      const response = await route.fetch()
      await panel.waitForTimeout(1_000)
      await route.fulfill({ response })
    })
    const answerFrom = async (lead?: Locator) => {
      let taps = 0
      const tap = async (target: Locator) => {
        taps += 1
        await target.click()
      }
      if (lead) await tap(lead.filter({ visible: true }).first())
      await tap(panel.getByRole('button', { name: new RegExp(`^Answer C-\\d+ by ${buyer.username}`) }).first())
      await panel.waitForTimeout(1_100)
      await tap(panel.getByRole('dialog').getByRole('button', { name: 'Replace key' }))
      await expect(panel.getByRole('dialog')).toBeHidden()
      expect(taps).toBeLessThanOrEqual(3)
    }
    await panel.goto(`/admin/key-manager?product=${products[0]}`)
    await answerFrom(panel.getByRole('link', { name: /^Claims of key/ }))
    await panel.goto(`/admin/purchases?product=${products[1]}`)
    await answerFrom(panel.getByRole('link', { name: /^Claims of / }))
    await panel.goto(`/admin/user-manager?search=${buyer.username}`)
    const details = `Details of ${buyer.username}: payments, keys and devices`
    await (await actionOf(rowOf(panel, buyer.username), details)).click()
    await answerFrom(panel.getByRole('dialog').getByRole('link', { name: 'Claims' }))
    await panel.goto(`/admin/claims?search=${buyer.username}`)
    await answerFrom()
    expect((await buyer.calls.claims.mine({})).map(({ status }) => status)).toEqual(Array(4).fill('replaced'))
  },
)

test('a batch is recalled, and its claims are answered together', LONG, async ({ people, owner, shop }) => {
  const name = unique('Recalled ')
  const { _id: productId } = await shop.owner.catalogue.create({
    name,
    description: 'Its supplier sold it twice.',
    hot: false,
    prices: [{ duration: '10 Days', price: 60 }],
  })
  await shop.owner.keys.add({ productId, duration: '10 Days', keys: [unique('R-'), unique('R-'), unique('R-')] })
  const { page, calls } = await people.buyer({ viewport: PHONE, balance: 100 })
  await calls.orders.place({ productId, duration: '10 Days', quantity: 1 })

  const panel = await owner()
  await panel.goto(`/admin/key-manager?product=${productId}`)
  await panel
    .getByRole('link', { name: /^Batch of key/ })
    .first()
    .click()
  await panel.getByRole('button', { name: 'Recall' }).click()
  const recall = panel.getByRole('dialog', { name: /^Recall batch/ })
  await recall.getByLabel('Reason').fill('Sold twice')
  await panel.waitForTimeout(1_100)
  await recall.getByRole('button', { name: 'Recall batch' }).click()
  await expect(panel.getByText('Batch recalled: 2 withdrawn, 1 claims opened').first()).toBeVisible()
  await page.goto('/my-key')
  await expect(page.getByText(/^Recalled, C-\d+$/)).toBeVisible()

  await expect(panel.getByRole('button', { name: 'Recall' })).toBeHidden()
  await panel.goto(`/admin/key-manager?view=batches&product=${productId}`)
  await panel.getByRole('button', { name: /^Answer claims: batch/ }).click()
  const answers = panel.getByRole('dialog', { name: /^Answer 1 open claim/ })
  await panel.waitForTimeout(1_100)
  await answers.getByRole('button', { name: 'Answer all' }).click()
  await expect(panel.getByText('0 replaced, 1 refunded, 0 left').first()).toBeVisible()
  await expect(page.getByText(/^Refunded, C-\d+$/)).toBeVisible()
  await page.goto('/wallet-history')
  await expect(page.getByText('Refund', { exact: true }).first()).toBeVisible()
  await expect(page.getByText(name).first()).toBeVisible()
})

/** The store does what is asked, and the network fails before the answer arrives. */
const loseAnswer = (page: Page, url: string) =>
  page.route(
    url,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )

test('an answer that is lost on its way is not given twice', LONG, async ({ people, owner, shop }) => {
  const { _id: productId } = await shop.owner.catalogue.create({
    name: unique('Lost Answer '),
    description: 'Its network is bad.',
    hot: false,
    prices: [{ duration: '10 Days', price: 60 }],
  })
  const keys = Array.from({ length: 6 }, () => unique('LOST-'))
  await shop.owner.keys.add({ productId, duration: '10 Days', keys })
  const { page, calls } = await people.buyer({ viewport: PHONE, balance: 200 })
  for (let n = 0; n < 2; n++) await calls.orders.place({ productId, duration: '10 Days', quantity: 1 })
  const stock = async () => (await calls.keys.stock({}))[`${productId}_10 Days`]?.available

  await test.step('a report', async () => {
    await page.goto('/my-key')
    await page.getByRole('button', { name: 'Problem with this key?' }).first().tap()
    const dialog = page.getByRole('dialog', { name: 'Problem with this key?' })
    await dialog.getByRole('radio', { name: 'Never worked' }).press('Space')
    await loseAnswer(page, '**/api/claims')
    await dialog.getByRole('button', { name: 'Send' }).tap()
    await expect(page.getByText(/^Reported, C-\d+$/)).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(await calls.claims.mine({})).toHaveLength(1)
  })

  const panel = await owner()
  const answer = async (url: string, press: (claim: ReturnType<Page['getByRole']>) => Promise<unknown>) => {
    const [claim] = await calls.claims.mine({})
    await panel.goto(`/admin/claims?search=${claim?.number}`)
    await panel.getByRole('button', { name: /^Answer C-/ }).click()
    await loseAnswer(panel, url)
    await panel.waitForTimeout(1_100)
    await press(panel.getByRole('dialog'))
    await expect.poll(async () => (await calls.claims.mine({}))[0]?.status).not.toBe('open')
    await panel.goto(`/admin/claims?status=all&search=${claim?.number}`)
    await expect(panel.getByRole('button', { name: /^Open C-/ })).toBeVisible()
  }
  await test.step('a new key', async () => {
    await answer('**/api/claims/*/replace', (claim) => claim.getByRole('button', { name: 'Replace key' }).click())
    expect(await stock()).toBe(3)
    expect(await calls.keys.mine({})).toHaveLength(3)
  })

  await test.step('a refund', async () => {
    const [key] = (await calls.keys.mine({})).filter(({ state }) => !state)
    await calls.claims.open({ keyId: key?._id ?? '', reason: 'stopped' })
    await answer('**/api/claims/*/refund', (claim) => claim.getByRole('button', { name: 'In full: ₹60' }).click())
    expect((await calls.sessions.me({})).balance).toBe(140)
  })

  await test.step('a recall', async () => {
    await panel.goto(`/admin/key-manager?view=batches&product=${productId}`)
    await panel.getByRole('button', { name: /^More: / }).click()
    await panel.getByRole('button', { name: /^Recall: batch/ }).click()
    const recall = panel.getByRole('dialog', { name: /^Recall batch/ })
    await recall.getByLabel('Reason').fill('Sold twice')
    await loseAnswer(panel, '**/api/keys/batches/*/recall')
    await panel.waitForTimeout(1_100)
    await recall.getByRole('button', { name: 'Recall batch' }).click()
    await expect.poll(stock).toBe(0)
    await panel.reload()
    await expect(panel.getByText('Recalled').first()).toBeVisible()
    const { batches } = await shop.owner.keys.batches({ productId })
    expect(batches).toMatchObject([{ removed: 3, left: 0 }])
  })
})

/** A buyer's report, and the purchase that it is about. */
async function givenClaim(people: People, { owner }: Shop) {
  const buyer = await people.buyer({ balance: 100 })
  const prices = [{ duration: '10 Days', price: 60 }]
  const { _id: productId } = await owner.catalogue.create({ name: unique('Told '), prices })
  await owner.keys.add({ productId, duration: '10 Days', keys: [unique('TOLD-'), unique('TOLD-')] })
  const { keys, order } = await buyer.calls.orders.place({ productId, duration: '10 Days', quantity: 1 })
  const { _id: id, number } = await buyer.calls.claims.open({ keyId: keys[0]?._id ?? '', reason: 'never-worked' })
  return { buyer, id, number, order: order?._id }
}

test('a link in a claim asks before it leaves a half-written answer', LONG, async ({ people, owner, shop }) => {
  const buyer = await people.buyer({ balance: 200 })
  const prices = [{ duration: '10 Days', price: 60 }]
  const { _id: productId } = await shop.owner.catalogue.create({ name: unique('Leaving '), prices })
  await shop.owner.keys.add({ productId, duration: '10 Days', keys: [1, 2, 3].map(() => unique('LEAVE-')) })
  const { keys } = await buyer.calls.orders.place({ productId, duration: '10 Days', quantity: 3 })
  for (const { _id: keyId } of keys) await buyer.calls.claims.open({ keyId, reason: 'never-worked' })
  const page = await owner()
  await page.goto(`/admin/claims?product=${productId}`)
  await page
    .getByRole('button', { name: /^Answer C-/ })
    .first()
    .click()
  const claim = page.getByRole('dialog')
  await claim.getByLabel('Answer').fill('Half')
  await claim.getByRole('link', { name: 'Recall?' }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(claim.getByLabel('Answer')).toHaveValue('Half')
  await claim.getByRole('link', { name: 'Recall?' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/admin\/key-manager\?/)
  await expect(page.getByRole('button', { name: 'Recall' })).toBeVisible()
})

test('claims of one purchase say so, and lead back to all', LONG, async ({ people, owner, shop }) => {
  const [told, other] = [await givenClaim(people, shop), await givenClaim(people, shop)]
  await shop.owner.claims.reject({ id: told.id, answer: 'It works' })
  const panel = await owner()
  await panel.goto(`/admin/claims?order=${told.order}`)
  const answered = panel.getByRole('button', { name: `Open ${told.number} by ${told.buyer.username}` })
  await expect(answered).toBeVisible()
  await panel.getByRole('button', { name: 'One purchase only. Show all claims' }).click()
  await expect(panel).not.toHaveURL(/order=/)
  await expect(answered).toBeVisible()

  await panel.goto(`/admin/claims?order=${told.order}`)
  await panel.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(panel.getByText('No claims found')).toBeVisible()
  await panel.getByRole('button', { name: 'One purchase only. Show all claims' }).click()
  await expect(panel).not.toHaveURL(/order=/)
  await expect(panel.getByRole('button', { name: `Answer ${other.number} by ${other.buyer.username}` })).toBeVisible()
})

test(
  'an answer waits in its own button, its failure stays in sight, and a half-written one is not lost',
  LONG,
  async ({ people, owner, shop }) => {
    const { number } = await givenClaim(people, shop)
    const panel = await owner({ viewport: PHONE, hasTouch: true })
    await panel.goto(`/admin/claims?search=${number}`)
    await panel.getByRole('button', { name: /^Answer C-/ }).click()
    const claim = panel.getByRole('dialog')
    const answer = claim.getByLabel('Answer')
    await answer.fill('Half written')
    await panel.touchscreen.tap(PHONE.width / 2, 4)
    await expect(answer).toHaveValue('Half written')
    await expect(panel.getByRole('alertdialog')).toBeHidden()
    await panel.goBack()
    await panel.getByRole('button', { name: 'Keep editing' }).click()
    await expect(answer).toHaveValue('Half written')

    let fail: () => void = () => {}
    const waiting = new Promise<void>((resolve) => (fail = resolve))
    await panel.route('**/api/claims/*/refund', async (route) => {
      await waiting
      await route.fulfill({ status: 500, json: { code: 'INTERNAL', message: SORRY } })
    })
    const refund = claim.getByRole('button', { name: 'In full: ₹60' })
    await panel.waitForTimeout(1_100)
    await refund.click()
    await expect(refund).toHaveAttribute('aria-busy', 'true')
    const replace = claim.getByRole('button', { name: 'Replace key' })
    await expect(replace).toBeDisabled()
    await expect(replace).not.toHaveAttribute('aria-busy')
    await panel.keyboard.press('Escape')
    fail()
    await expect(refund).toBeEnabled()
    // Longer than a message lasts
    await panel.waitForTimeout(5_000)
    await expect(claim.getByText(SORRY)).toBeInViewport()
    await expect(answer).toHaveValue('Half written')
  },
)
