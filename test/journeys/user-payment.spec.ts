/** Adding money: the plans, the payment dialog and what becomes of a request. */
import type { Page } from '@playwright/test'
import { said } from './admin-counter.ts'
import { failUntilRetried } from './fail-until-retried.ts'
import { liftFinger, DESK, expect, PASSWORD, PHONE, test, repeatAt, timeShown, unfoldCode } from './people.ts'

let lastUtr = 510_000_000_000 + (Date.now() % 1_000_000) * 1_000
const freshUtr = () => String((lastUtr += 1))

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add Money' })

for (const viewport of [PHONE, DESK]) {
  test(
    `a plan at ${viewport.width} px: fixed amount, request, approval while watching`,
    repeatAt(viewport),
    async ({ people, shop }) => {
      const { page } = await people.buyer({ viewport })
      const utr = freshUtr()
      await page.goto('/')
      await page.getByRole('link', { name: 'Offers' }).click()
      await expect(page).toHaveURL(/\/add-balance$/)
      await expect(page.getByText('Best offer')).toBeVisible()
      const plan = page.getByRole('button', { name: /Pay ₹500/ })
      await expect(plan).toContainText('₹550')
      await expect(plan).toContainText('₹50 bonus')
      await plan.click()

      const dialog = dialogOf(page)
      await test.step('the amount stands, and the QR code says what it pays', async () => {
        await unfoldCode(dialog)
        await expect(dialog.getByRole('img', { name: 'QR code to pay ₹500 to chaabi.demo@okaxis' })).toBeVisible()
        await expect(dialog.getByLabel('Amount', { exact: true })).toHaveCount(0)
        await expect(dialog.getByText('You’ll get ₹550 in your wallet')).toBeVisible()
        await expect(dialog.getByRole('link', { name: 'Open in UPI app' })).toHaveAttribute(
          'href',
          /^upi:\/\/pay\?pa=chaabi\.demo@okaxis&pn=ASHA%20VERMA&am=500\.00&cu=INR&tn=Wallet%20Recharge/,
        )
      })
      await test.step('submit waits for every field', async () => {
        const submit = dialog.getByRole('button', { name: 'Submit request' })
        await expect(submit).toBeDisabled()
        await dialog.getByLabel('UTR (12-digit transaction number)').fill(utr)
        await expect(dialog.getByText('Format looks right')).toBeVisible()
        await dialog.getByLabel('Contact phone').pressSequentially('98765x432109999')
        await expect(dialog.getByLabel('Contact phone')).toHaveValue('9876543210')
        await dialog.getByLabel('Contact phone').fill('')
        await dialog.getByLabel('Contact phone').pressSequentially('+91 98765 43210')
        await expect(dialog.getByLabel('Contact phone')).toHaveValue('9876543210')
        await expect(submit).toBeDisabled()
        await expect(dialog.getByText('Still needed: agreement to the terms')).toBeVisible()
        await dialog.getByRole('checkbox').check()
        await expect(submit).toBeEnabled()
      })
      await test.step('Request submitted: 2 s in the dialog, 3.5 s on the page', async () => {
        const inDialogMs = await timeShown(page, 'dialog[open]', 'Request submitted')
        const shownMs = await timeShown(page, '#main, dialog[open]', 'Request submitted')
        await dialog.getByRole('button', { name: 'Submit request' }).click()
        await expect(dialog.getByText('Request submitted')).toBeVisible()
        await expect(dialog).toBeHidden()
        expect(await inDialogMs()).toBeGreaterThan(1_200)
        await expect(page.getByText('Request submitted')).toBeVisible()
        await expect(page.getByText('Request submitted')).toBeHidden()
        expect(await shownMs()).toBeGreaterThan(2_500)
      })
      await test.step('the request can be followed, and its approval raises the balance by itself', async () => {
        await page.goto('/')
        await expect(page.getByText('Awaiting approval: ₹500')).toBeVisible()
        const { payments } = await shop.owner.payments.list({ search: utr })
        await shop.owner.payments.approve({ id: payments[0]?._id ?? '' })
        await expect(said(page, 'Balance increased by ₹550')).toBeVisible()
        await expect(page.getByRole('region', { name: 'Wallet' }).getByText('₹600', { exact: true })).toBeVisible()
        await expect(page.getByText('Approved: ₹550 added')).toBeVisible()
      })
    },
  )
}

test('a plan that is edited while it is paid is not filed, and what was paid is added without it', async ({
  people,
  shop,
}) => {
  const { page, calls } = await people.buyer()
  const plan = await shop.owner.payments.createPlan({ amount: 730, bonus: 800 })
  try {
    await page.goto('/add-balance')
    await page.getByRole('button', { name: /Pay ₹730/ }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('UTR (12-digit transaction number)').fill(freshUtr())
    await dialog.getByLabel('Contact phone').fill('9876501234')
    await dialog.getByRole('checkbox').check()
    const submit = dialog.getByRole('button', { name: 'Submit request' })

    await test.step('for a lower bonus as for another amount', async () => {
      await shop.owner.payments.updatePlan({ id: plan._id, bonus: 750 })
      await submit.click()
      await expect(dialog.getByRole('alert')).toContainText('This plan has changed to ₹750 for ₹730.')
      await shop.owner.payments.updatePlan({ id: plan._id, amount: 830, bonus: 900 })
      await submit.click()
      await expect(dialog.getByRole('alert')).toContainText('This plan has changed to ₹900 for ₹830.')
      expect(await calls.payments.mine({})).toEqual([])
    })
    await test.step('with all that was typed', async () => {
      await dialog.getByRole('button', { name: 'Add ₹730 without the offer' }).click()
      await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('730')
      await liftFinger(page)
      await submit.click()
      await expect(dialog.getByText('Request submitted')).toBeVisible()
      expect(await calls.payments.mine({})).toMatchObject([{ amount: 730, credited: 730 }])
    })
  } finally {
    await shop.owner.payments.removePlan({ id: plan._id })
  }
})

test('wrong numbers are recognised, and the ways to pay can be copied', async ({ people }) => {
  const { page, context } = await people.buyer()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = dialogOf(page)
  const amount = dialog.getByLabel('Amount', { exact: true })
  const utr = dialog.getByLabel('UTR (12-digit transaction number)')

  await expect(dialog.getByText('Enter an amount to see how to pay.')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Open in UPI app' })).toHaveCount(0)
  await amount.fill('0.50')
  await amount.blur()
  await expect(dialog.getByText('Minimum amount is ₹1')).toBeVisible()
  await expect(dialog.getByRole('img', { name: /QR code/ })).toHaveCount(0)
  await dialog.getByRole('button', { name: '₹1,000' }).click()
  await expect(amount).toHaveValue('1000')
  await unfoldCode(dialog)
  await expect(dialog.getByRole('img', { name: /QR code to pay ₹1,000/ })).toBeVisible()

  // As an Indian keyboard writes it, typed or pasted.
  const phone = dialog.getByLabel('Contact phone')
  await amount.fill('१,२५०.५०')
  await expect(amount).toHaveValue('1,250.50')
  await phone.pressSequentially('৯৮৭৬৫৪৩২১০')
  await expect(phone).toHaveValue('9876543210')
  await phone.fill('')
  await page.evaluate(() => navigator.clipboard.writeText('+91 ९८७६५ ४३२१०'))
  await phone.press('ControlOrMeta+v')
  await expect(phone).toHaveValue('9876543210')
  await phone.fill('')

  await amount.fill('1,00,001')
  await expect(dialog.getByText('Maximum amount is ₹1,00,000')).toBeVisible()
  await expect(dialog.getByRole('img', { name: /QR code/ }), 'nothing to pay that would be refused').toHaveCount(0)
  await amount.fill('1000')
  await unfoldCode(dialog)

  // While the rest is filled in, the code stays the same picture in the same place.
  const code = dialog.getByRole('img', { name: /QR code to pay ₹1,000/ })
  const look = () => code.evaluate((svg) => `${svg.innerHTML} ${JSON.stringify(svg.getBoundingClientRect())}`)
  const before = await look()
  await dialog.evaluate((element) => {
    const picture = element.querySelector('svg[role=img]')
    if (picture)
      new MutationObserver(() => picture.setAttribute('data-changed', '')).observe(picture, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['d'],
      })
  })
  await utr.pressSequentially('4026 1187', { delay: 20 })
  await dialog.getByLabel('Contact phone').pressSequentially('98765', { delay: 20 })
  await utr.scrollIntoViewIfNeeded()
  await code.scrollIntoViewIfNeeded()
  expect((await look()).split(' {')[0]).toBe(before.split(' {')[0])
  await expect(code).not.toHaveAttribute('data-changed')
  await dialog.getByLabel('Contact phone').fill('')

  await utr.fill('98765 43210')
  await utr.blur()
  await expect(dialog.getByText('That looks like a phone number')).toBeVisible()
  await utr.fill('somebody@okaxis')
  await expect(dialog.getByText('That’s a UPI ID')).toBeVisible()
  await utr.fill('CICAgPDrkqaXYZ')
  await expect(dialog.getByText('That’s Google Pay’s own ID')).toBeVisible()
  await utr.fill('T2611211430123456789012')
  await expect(dialog.getByText('That’s PhonePe’s own ID')).toBeVisible()
  await utr.fill('1234567890123')
  await expect(dialog.getByText('A UTR has 12 digits. This one has 13.')).toBeVisible()
  await dialog.getByText('Where do I find my UTR?').click()
  await expect(dialog.getByText('Paytm')).toBeVisible()

  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await dialog.getByRole('button', { name: 'Copy UPI ID' }).click()
  await expect(dialog.getByText('Copied').and(page.locator(':not(output)')).filter({ visible: true })).toHaveCount(1)
  expect(await clipboard()).toBe('chaabi.demo@okaxis')
  await dialog.getByRole('button', { name: 'Copy amount' }).click()
  await expect.poll(clipboard).toBe('1000.00')
  await dialog.getByRole('button', { name: 'Copy note' }).click()
  await expect.poll(clipboard).toMatch(/^Wallet Recharge/)

  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save QR code' }).click()
  expect((await saved).suggestedFilename()).toBe('upi-1000.00.png')
})

test('what was typed survives a reload, a failure is said, and a used UTR is refused', async ({ people, shop }) => {
  const { page, username } = await people.buyer()
  const utr = freshUtr()
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = dialogOf(page)
  const fill = async (reference: string) => {
    await dialog.getByLabel('Amount', { exact: true }).fill('250')
    await dialog.getByLabel('UTR (12-digit transaction number)').fill(reference)
    await dialog.getByLabel('Contact phone').fill('9876501234')
    await dialog.getByRole('checkbox').check()
  }
  await fill(utr)
  await page.reload()
  // The dialog opens again with what was typed
  await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('250')
  await expect(dialog.getByLabel('UTR (12-digit transaction number)')).toHaveValue(utr)
  await expect(dialog.getByLabel('Contact phone')).toHaveValue('9876501234')
  await expect(dialog.getByRole('checkbox')).toBeChecked()

  const submit = dialog.getByRole('button', { name: 'Submit request' })
  await test.step('no answer: nothing is lost, and sending again is safe', async () => {
    await page.route('**/api/payments/add-money', (route) => route.abort())
    await submit.click()
    await expect(dialog.getByRole('alert')).toContainText('We couldn’t confirm your request')
    await page.unroute('**/api/payments/add-money')
  })
  await test.step('a fault of the server is said in its words', async () => {
    await page.route('**/api/payments/add-money', (route) =>
      route.fulfill({ status: 409, json: { code: 'PAYMENTS_OFF', message: 'The admin is offline' } }),
    )
    await submit.click()
    await expect(dialog.getByRole('alert')).toContainText('The admin is offline')
    await page.unroute('**/api/payments/add-money')
  })
  await test.step('then it arrives, once', async () => {
    let sent = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/payments/add-money')) sent += 1
    })
    await submit.dblclick()
    await expect(dialog.getByText('Request submitted')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(sent).toBe(1)
  })
  await test.step('the phone is kept, and the same UTR is refused at its field', async () => {
    await page.getByRole('button', { name: 'Add Money' }).click()
    await expect(dialog.getByLabel('Contact phone')).toHaveValue('9876501234')
    await dialog.getByLabel('Amount', { exact: true }).fill('300')
    await dialog.getByLabel('UTR (12-digit transaction number)').fill(utr)
    await dialog.getByRole('checkbox').check()
    await submit.click()
    await expect(dialog.getByText(/already been submitted\./).first()).toBeVisible()
    await expect(dialog.getByText('they can see your request')).toHaveCount(0)
    await expect(dialog.getByLabel('UTR (12-digit transaction number)')).toHaveValue(utr)
  })
  await test.step('that of another buyer is a claim, which support and the admins see', async () => {
    const [other, theirs] = [await people.buyer(), freshUtr()]
    await other.calls.payments.addMoney({ amount: 300, utr: theirs, payerName: '9876501299' })
    await dialog.getByLabel('UTR (12-digit transaction number)').fill(theirs)
    await submit.click()
    // The rest of the sentence depends on the support link: see support-words.test.ts
    await expect(dialog.getByText(/^If this is your payment, ask .* see your request\./i)).toBeVisible()
    const { payments } = await shop.owner.payments.list({ search: theirs })
    expect(payments).toMatchObject([{ claimedBy: [username] }])
  })
  await test.step('Escape closes, and the focus goes back to the button', async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Add Money' })).toBeFocused()
  })
})

test('the dialog says whose name the UPI app will show, and a new UPI ID has none', async ({ people, shop }) => {
  const { page } = await people.buyer()
  const { upiId } = await shop.owner.settings.upi({})
  try {
    await shop.owner.settings.saveUpi({ payeeName: 'RAMESH KUMAR' })
    await page.goto('/')
    await page.getByRole('button', { name: 'Add Money' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Amount', { exact: true }).fill('200')

    await expect(dialog.getByText('Your UPI app will show RAMESH KUMAR. If it shows another name')).toBeVisible()
    await expect(dialog.getByRole('link', { name: 'Open in UPI app' })).toHaveAttribute('href', /pn=RAMESH%20KUMAR/)

    await shop.owner.settings.saveUpi({ upiId: 'another@okaxis' })
    await dialog.getByRole('button', { name: 'Show new QR code' }).click()
    await expect(dialog.getByText('another@okaxis')).toBeVisible()
    await expect(dialog.getByText('Your UPI app will show')).toHaveCount(0)
  } finally {
    await shop.owner.settings.saveUpi({ upiId, payeeName: '' })
  }
})

test('while payments are off the dialog says so, and without a UPI ID there is nothing to scan', async ({
  people,
  shop,
}) => {
  const { page } = await people.buyer()
  const before = await shop.owner.settings.upi({})
  const upi = { upiId: before.upiId, paymentEnabled: before.paymentEnabled }
  try {
    await page.goto('/')
    await page.getByRole('button', { name: 'Add Money' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Amount', { exact: true }).fill('200')
    await unfoldCode(dialog)
    await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()

    await shop.owner.settings.saveUpi({ ...upi, paymentEnabled: false })
    await expect(dialog.getByText('The admin is offline')).toBeVisible()
    await expect(dialog.getByText('Pay by UPI')).toHaveCount(0)
    await expect(dialog.getByText('Money cannot be added right now')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Submit request' })).toHaveCount(0)

    await shop.owner.settings.saveUpi({ ...upi, paymentEnabled: true })
    await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('200')

    await shop.owner.settings.saveUpi({ upiId: '', paymentEnabled: true })
    await page.reload()
    await expect(dialog.getByText('UPI payment isn’t set up yet')).toBeVisible()
    await expect(dialog.getByRole('img', { name: /QR code/ })).toHaveCount(0)
    await expect(dialog.getByRole('link', { name: 'Open in UPI app' })).toHaveCount(0)
  } finally {
    await shop.owner.settings.saveUpi(upi)
  }
})

test('a request under way keeps the dialog open, so that its outcome is seen', async ({ people }) => {
  const { page } = await people.buyer()
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Amount', { exact: true }).fill('260')
  await dialog.getByLabel('UTR (12-digit transaction number)').fill(freshUtr())
  await dialog.getByLabel('Contact phone').fill('9876501234')
  await dialog.getByRole('checkbox').check()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/payments/add-money', async (route) => {
    await held
    await route.abort()
  })
  const sent = page.waitForRequest('**/api/payments/add-money')
  await dialog.getByRole('button', { name: 'Submit request' }).click()
  await sent
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('Escape')
  await page.goBack()
  letGo()
  await expect(dialog.getByRole('alert')).toContainText('We couldn’t confirm your request')
  await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('260')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('while the UPI ID is not known, the dialog does not say that there is none', async ({ people }) => {
  const { page } = await people.visitor()
  const buyer = await people.account()
  await failUntilRetried(page, '**/api/settings/upi*', { status: 500, json: {} })
  await page.goto('/login')
  await page.getByLabel('Username').fill(buyer.username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Amount', { exact: true }).fill('210')
  await expect(dialog.getByText('Failed to load data')).toBeVisible()
  await expect(dialog.getByText('UPI payment isn’t set up yet')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await unfoldCode(dialog)
  await expect(dialog.getByRole('img', { name: /QR code to pay ₹210/ })).toBeVisible()
})

test('a form that cannot be fetched is asked for again, and then with the page', async ({ people }) => {
  const { page } = await people.buyer({ serviceWorkers: 'block' })
  await page.route(/add-money-form.*\.js$/, (route) => route.abort())
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('alert')).toContainText('Part of this page didn’t load.')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  const reload = dialog.getByRole('button', { name: 'Reload page' })
  await expect(reload).toBeVisible()
  await page.unroute(/add-money-form.*\.js$/)
  await reload.click()
  await expect(dialog.getByLabel('Amount', { exact: true })).toBeVisible()
})

test('the last older requests take the focus of the button that showed them', async ({ people, shop }) => {
  const { page, calls } = await people.buyer()
  for (const amount of [301, 302, 303, 304, 305, 306]) {
    const { payment } = await calls.payments.addMoney({ amount, utr: freshUtr(), payerName: '9876543210' })
    await shop.owner.payments.reject({ id: payment._id })
  }
  await page.goto('/wallet-history#requests')
  await page.getByRole('button', { name: 'Show older requests' }).press('Enter')
  await expect(page.getByRole('listitem').filter({ hasText: '₹301' })).toBeFocused()
})

test('a rejected request shows its reason and the way to another', async ({ people, shop }) => {
  const { page, calls } = await people.buyer()
  const utr = freshUtr()
  const { payment } = await calls.payments.addMoney({ amount: 300, utr, payerName: '9876543210' })
  await page.goto('/add-balance')
  await expect(page.getByText('Pending', { exact: true })).toBeVisible()
  await shop.owner.payments.reject({ id: payment._id, reason: 'No such transfer on our statement' })
  await expect(page.getByText('Rejected', { exact: true })).toBeVisible()
  await expect(page.getByText('Reason: No such transfer on our statement')).toBeVisible()
  await page.getByRole('button', { name: 'Send a new request' }).click()
  await expect(dialogOf(page).getByLabel('Amount', { exact: true })).toHaveValue('300')
})

test('plans: loading, a failure with Retry, and none', async ({ people }) => {
  const { page } = await people.buyer()
  await failUntilRetried(page, '**/api/payments/topup-plans/active', { status: 500, json: {} }, [])
  // A page that is loaded there brings them along; from another screen they are asked for.
  await page.goto('/terms-policy')
  await page.getByRole('link', { name: 'Offers' }).click()
  await expect(page.getByText('Failed to fetch plans')).toBeVisible()
  await page.getByRole('button', { name: /Retry|Try again/ }).click()
  await expect(page.getByText('No offers right now')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).click()
  await expect(dialogOf(page)).toBeVisible()
})
