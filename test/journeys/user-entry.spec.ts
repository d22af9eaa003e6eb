/** Signing up, logging in, the one device, and the account page. */
import type { Page } from '@playwright/test'
import { openRow } from './account-rows.ts'
import { DESK, expect, freshName, localStorageOf, PASSWORD, PHONE, test, repeatAt } from './people.ts'

async function fillSignup(page: Page, username: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(`${username}@example.in`)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

async function logIn(page: Page, username: string, password = PASSWORD) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** The next call arrives and is answered, but the page does not hear of it. */
async function loseAnswer(page: Page, url: string) {
  // Sent beside the page: what Playwright fetches for a page would bring its cookies home
  await page.route(
    url,
    async (route) => {
      const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
      const answer = await fetch(route.request().url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: route.request().postData() ?? '',
      })
      expect(answer.ok).toBe(true)
      await route.abort()
    },
    { times: 1 },
  )
}

for (const viewport of [PHONE, DESK]) {
  test(
    `signing up at ${viewport.width} px: the code is checked while typing, then the login`,
    repeatAt(viewport),
    async ({ people }) => {
      const { page } = await people.visitor({ viewport })
      await page.goto('/signup?next=/wallet-history')
      const code = page.getByLabel('Referral code')
      const username = freshName()

      await test.step('nothing is asked before three characters', async () => {
        let asked = 0
        page.on('request', (request) => {
          if (request.url().includes('/referral/validate/')) asked += 1
        })
        await code.fill('we')
        await expect(code).toHaveValue('WE')
        await page.waitForTimeout(600)
        expect(asked).toBe(0)
      })

      await test.step('checking, and a submit meanwhile has to wait; an edit takes it back', async () => {
        let release = () => {}
        const held = new Promise<void>((resolve) => (release = resolve))
        await page.route('**/api/referral/validate/WELCOME50', async (route) => {
          await held
          await route.continue()
        })
        await fillSignup(page, username)
        await code.fill('welcome50')
        await expect(page.getByText('Checking…')).toBeVisible()
        await page.getByRole('button', { name: 'Sign up' }).click()
        await expect(page.getByText('Please wait while we validate your referral code')).toBeVisible()
        await page.getByLabel('Password', { exact: true }).fill(`${PASSWORD}x`)
        await expect(page.getByText('Please wait while we validate your referral code')).toBeHidden()
        release()
        await expect(page.getByText('Code applied')).toBeVisible()
      })

      await test.step('an unknown code is invalid', async () => {
        await code.fill('nosuchcode')
        await expect(page.getByText('Invalid referral code')).toBeVisible()
        await expect(code).toHaveAttribute('aria-invalid', 'true')
      })

      await test.step('a reload keeps everything but the password', async () => {
        await page.reload()
        await expect(page.getByLabel('Username')).toHaveValue(username)
        await expect(code).toHaveValue('NOSUCHCODE')
        await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
      })

      await test.step('with a valid one the account is made, and the login follows in 1.5 s', async () => {
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await expect(page.getByText('Good length')).toBeVisible()
        await page.getByLabel('Password', { exact: true }).fill('password')
        await expect(page.getByText('Good length')).toBeHidden()
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await code.fill('WELCOME50')
        await expect(page.getByText('Code applied')).toBeVisible()
        await page.getByRole('button', { name: 'Sign up' }).click()
        await expect(page.getByText('Account created')).toBeVisible()
        await expect(page).toHaveURL(/\/login\?next=/, { timeout: 4_000 })
        await expect(page.getByLabel('Username')).toHaveValue(username)
      })

      await test.step('and login goes on to where the person was going', async () => {
        await logIn(page, username)
        await expect(page).toHaveURL(/\/wallet-history$/)
        await expect(page.getByText('Referral reward')).toBeVisible()
        const kept = await localStorageOf(page)
        expect(Object.keys(kept)).toEqual(['user'])
        expect(Object.keys(JSON.parse(kept['user'] ?? '{}')).sort()).toEqual(['id', 'theme', 'username'])
      })
    },
  )
}

for (const [answer, code, then] of [
  ['valid', 'welcome50', 'Account created'],
  ['unknown', 'nosuchcode', 'Invalid referral code'],
] as const)
  test(`a sign-up that is pressed while its code is checked goes on once the code is ${answer}`, async ({ people }) => {
    const { page } = await people.visitor()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/referral/validate/*', async (route) => {
      await held
      await route.continue()
    })
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/auth/register') && sent.push(request.url()))
    await page.goto('/signup')
    await fillSignup(page, freshName())
    await page.getByLabel('Referral code').fill(code)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page.getByText('Please wait while we validate your referral code')).toBeVisible()
    expect(sent).toEqual([])
    release()
    await expect(page.getByText(then)).toBeVisible()
    await expect(page.getByText('Please wait while we validate your referral code')).toBeHidden()
    expect(sent).toHaveLength(answer === 'valid' ? 1 : 0)
  })

test('the consent is part of what is said of the form, and its terms open beside it', async ({ people }) => {
  const { page, context } = await people.visitor()
  await page.goto('/signup')
  const consent = /^By signing up, you agree to the terms \(updated .+\) \(opens in a new tab\)$/
  await expect(page.getByRole('form', { name: 'Create your account' })).toHaveAccessibleDescription(consent)
  await expect(page.getByRole('button', { name: 'Sign up' })).toHaveAccessibleDescription(consent)

  await fillSignup(page, 'somebody')
  for (const name of [/^terms \(updated/, /^Terms and policy/]) {
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name }).click()
    const terms = await opened
    await expect(terms.getByRole('heading', { level: 1, name: 'Terms and Conditions' })).toBeVisible()
    await terms.close()
  }
  await expect(page.getByLabel('Username')).toHaveValue('somebody')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD)
})

test('signup says at each field what is missing, and what the server refuses', async ({ people }) => {
  const { username } = await people.account()
  const { page } = await people.visitor()
  await page.goto('/signup')
  await page.getByRole('button', { name: 'Sign up' }).click()
  for (const text of ['Email is required', 'Username is required', 'Password is required', 'Referral code is required'])
    await expect(page.getByText(text)).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()

  await fillSignup(page, username, 'password')
  await page.getByLabel('Referral code').fill('WELCOME50')
  await expect(page.getByText('Code applied')).toBeVisible()
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText(/taken|already/i).first()).toBeVisible()

  await page.route('**/api/auth/register', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByLabel('Username').fill(freshName())
  await page.getByLabel('Email').fill(`${freshName()}@example.in`)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('Register failed with status 500')).toBeVisible()
})

test('a login that fails says why', async ({ people }) => {
  const { username } = await people.account()
  const { page } = await people.visitor()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Please enter username and password first.')).toBeVisible()

  await logIn(page, username, 'not the password')
  await expect(page.getByText(/^Login failed: /)).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)

  const answer = async (given: { status: number; body: string; contentType: string }) => {
    await page.unroute('**/api/auth/login')
    await page.route('**/api/auth/login', (route) => route.fulfill(given))
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }
  await answer({ status: 502, body: '<h1>Bad gateway</h1>', contentType: 'text/html' })
  await expect(page.getByText('Server returned HTML instead of JSON. Status: 502')).toBeVisible()
  await answer({ status: 200, body: '{broken', contentType: 'application/json' })
  await expect(page.getByText('Invalid response format from server')).toBeVisible()
  await answer({ status: 500, body: '{}', contentType: 'application/json' })
  await expect(page.getByText('Login failed with status 500')).toBeVisible()
  await page.unroute('**/api/auth/login')
  await page.route('**/api/auth/login', (route) => route.abort())
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText(/^API connection failed/)).toBeVisible()

  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')

  // No driver turns Caps Lock on, so the events say that it is
  await password.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await expect(page.getByText('Caps Lock is on')).toBeVisible()
  await password.dispatchEvent('keyup', { key: 'CapsLock', modifierCapsLock: false })
  await expect(page.getByText('Caps Lock is on')).toBeHidden()
})

test('login leads to own paths only', async ({ people }) => {
  const { username } = await people.account()
  const { page } = await people.visitor()
  await page.goto('/login?next=https://evil.example/')
  await logIn(page, username)
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
})

test('one device: the second is refused, and told how to reset', async ({ people }) => {
  const first = await people.buyer()
  await first.page.goto('/')
  await expect(first.page.getByRole('region', { name: 'Wallet' })).toBeVisible()

  const { page } = await people.visitor()
  await page.goto('/login')
  const reset = page.getByRole('button', { name: 'Reset Device Lock', exact: true })
  await test.step('reset needs both fields', async () => {
    await reset.click()
    await expect(page.getByText('Please enter username and password first.')).toBeVisible()
    await expect(page.getByText('available 24 hours after first login').first()).toBeVisible()
  })
  await test.step('the login is refused', async () => {
    await logIn(page, first.username)
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('You are already logged in on another device')
    await expect(alert).toContainText('available 24 hours after first login')
  })
  await test.step('a reset asks first, and says how long to wait', async () => {
    await reset.click()
    const question = page.getByRole('alertdialog', { name: `Reset the device lock for ${first.username}?` })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toBeHidden()
    await expect(page.getByRole('alert')).toContainText('already logged in')
    await reset.click()
    await question.getByRole('button', { name: 'Reset device lock' }).click()
    await expect(page.getByText(/^Reset failed: .*hour/)).toBeVisible()
  })
  await test.step('after 24 hours it succeeds', async () => {
    await page.route('**/api/auth/reset-device-lock', (route) =>
      route.fulfill({ json: { message: 'Device lock reset successfully', success: true } }),
    )
    await reset.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset device lock' }).click()
    await expect(page.getByText('Device lock reset successfully! You can now login on other devices')).toBeVisible()
  })
  await test.step('logging out on the first device lets the second in', async () => {
    await first.page.getByRole('button', { name: 'Menu' }).click()
    await first.page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Logout' }).click()
    await expect(first.page).toHaveURL(/\/login$/)
    expect(await localStorageOf(first.page)).toEqual({})
    await logIn(page, first.username)
    await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
  })
})

// With no cookie before the first login this one is refused for a day.
test('a first login whose answer is lost is tried again by the same browser', async ({ people, shop }) => {
  const { id, username } = await people.buyer()
  await shop.owner.users.unlockDevice({ id })
  const { page } = await people.visitor()
  await page.goto('/login')
  await loseAnswer(page, '**/api/auth/login')
  await logIn(page, username)
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
  await expect(page).toHaveURL(/\/login/)

  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
})

test('a sign-up whose answer is lost is done, and the second try goes in', async ({ people }) => {
  const { page } = await people.visitor()
  const name = freshName()
  await page.goto('/signup')
  await loseAnswer(page, '**/api/auth/register')
  await fillSignup(page, name)
  await page.getByLabel('Referral code').fill('WELCOME50')
  await expect(page.getByText('Code applied')).toBeVisible()
  const signUp = page.getByRole('button', { name: 'Sign up' })
  await signUp.click()
  await expect(page.getByText(/^The store can’t be reached/)).toBeVisible()

  await test.step('with another password it is somebody else’s', async () => {
    await page.getByLabel('Password', { exact: true }).fill(`${PASSWORD}, another`)
    await signUp.click()
    await expect(page.getByText('That email or username is already taken.')).toBeVisible()
  })

  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await signUp.click()
  await expect(page.getByRole('region', { name: 'Wallet' }).getByText('₹50', { exact: true })).toBeVisible()
})

test('a new password whose answer is lost may be set, and so it is said', async ({ people, shop }) => {
  const { id, username } = await people.account()
  const { link } = await shop.owner.users.issueResetLink({ id })
  const { page } = await people.visitor()
  await page.goto(link)
  await loseAnswer(page, '**/api/auth/reset-password')
  await page.getByRole('textbox', { name: 'New password' }).fill('another long buyer password')
  const set = page.getByRole('button', { name: 'Set new password' })
  await set.click()
  await expect(page.getByText(/^The store can’t be reached/)).toBeVisible()
  await set.click()
  await expect(page.getByText(/^Your new password may already be set/)).toBeVisible()

  await page.getByRole('link', { name: 'Login' }).click()
  await logIn(page, username, 'another long buyer password')
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
})

test('a session ended by another device says so, once, and goes to the login', async ({ people, shop }) => {
  const { page, id, username } = await people.buyer()
  await page.goto('/my-key')
  await expect(page.getByRole('heading', { name: 'My Key' })).toBeVisible()
  await shop.owner.users.unlockDevice({ id })
  const second = await people.visitor()
  await second.page.goto('/login')
  await logIn(second.page, username)
  await expect(second.page.getByRole('region', { name: 'Wallet' })).toBeVisible()

  await expect(page.getByText('Login detected on another device. Please login again.')).toBeVisible()
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByRole('alertdialog').getByRole('button').click()
  await expect(page.getByRole('alertdialog')).toBeHidden()

  await test.step('also to a page that was not open when it ended', async () => {
    await second.page.goto('about:blank')
    await shop.owner.users.unlockDevice({ id })
    await logIn(page, username)
    await expect(page.getByRole('heading', { name: 'My Key' })).toBeVisible()

    await second.page.goto('/my-key')
    await expect(second.page.getByText('Login detected on another device. Please login again.')).toBeVisible()
    await expect(second.page).toHaveURL(/\/login\?next=%2Fmy-key$/)
    await second.page.getByRole('alertdialog').getByRole('button').click()
    await second.page.reload()
    await expect(second.page.getByLabel('Password', { exact: true })).toBeVisible()
    await expect(second.page.getByRole('alertdialog')).toBeHidden()
  })
})

test('the words of DEVICE_ALREADY_LOGGED_IN, should the server say it of a session', async ({ people }) => {
  const { page } = await people.buyer()
  await page.goto('/')
  await page.route('**/api/auth/me', (route) =>
    route.fulfill({ status: 401, json: { code: 'DEVICE_ALREADY_LOGGED_IN', message: 'No' } }),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(
    page.getByText('You are already logged in on another device. Please logout from the other device first.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
})

test('the account page changes the password and signs out', async ({ people }) => {
  const { page, username } = await people.buyer()
  await page.goto('/account')
  await expect(page.getByText(`${username}@example.in`).first()).toBeVisible()
  await openRow(page, 'Password and devices')
  const form = page.getByRole('form', { name: 'Change password' })
  const submit = form.getByRole('button', { name: 'Change password' })
  const next = 'another long password'

  await form.getByLabel('Current password').fill('wrong password')
  await form.getByLabel('New password').fill(next)
  await submit.click()
  await expect(form.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true')
  await expect(form.getByLabel('Current password')).toBeFocused()
  await form.getByLabel('Current password').fill(PASSWORD)
  await submit.click()
  await expect(page.getByText('Password changed')).toBeVisible()
  await expect(form.getByLabel('New password')).toHaveValue('')

  await page.getByRole('main').getByRole('button', { name: 'Logout', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
  await logIn(page, username, next)
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
})

test('the link of a product leads to sign-up with that product and the code, and then to it', async ({ people }) => {
  const { page } = await people.visitor({ viewport: PHONE })
  const link = '/buy?product=night%20circuit%20vip&ref=welcome50'
  const sent = (await (await page.context().request.get(link)).text()).split('</head>')[0]
  expect(sent).toContain('<meta property="og:title" content="Night Circuit VIP · ')
  await page.goto(link)
  const card = page.getByRole('region', { name: 'Night Circuit VIP' })
  await expect(card.getByText('Login to see price')).toBeVisible()
  await expect(page.getByLabel('Referral code')).toHaveValue('WELCOME50')
  await expect(page.getByText('Code applied')).toBeVisible()
  await fillSignup(page, freshName())
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/buy\?product=night/)
  await expect(page.getByRole('heading', { name: 'Night Circuit VIP' })).toBeVisible()
})
