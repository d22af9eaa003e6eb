import { describe, expect, test } from 'vitest'
import { ApiError } from '../platform/calls/api-error.ts'
import { adminLoginFailure, isDeviceLocked, loginFailure, registerFailure, resetFailure } from './failures.ts'

const offline = new ApiError({ status: 0, code: 'OFFLINE', message: 'No network.' })
const wordless = new ApiError({ status: 500, code: 'UNKNOWN', message: 'Something went wrong', isWordless: true })
const wrong = new ApiError({ status: 401, code: 'WRONG_CREDENTIALS', message: 'Incorrect username or password.' })

describe('a login that failed', () => {
  test('says what the server said, or its status where it said nothing', () => {
    expect(loginFailure(wrong, true)).toBe('Login failed: Incorrect username or password.')
    expect(loginFailure(wordless, true)).toBe('Login failed with status 500. Something went wrong')
  })

  test('names the other device, by code or by words', () => {
    const byCode = new ApiError({ status: 403, code: 'DEVICE_ALREADY_LOGGED_IN', message: 'No.' })
    const byWords = new ApiError({ status: 403, code: 'UNKNOWN', message: 'Device lock active' })

    expect(isDeviceLocked(byCode)).toBe(true)
    expect(isDeviceLocked(byWords)).toBe(true)
    expect(isDeviceLocked(wrong)).toBe(false)
    expect(loginFailure(byCode, true)).toBe('You are already logged in on another device')
  })

  test('tells a lost connection from a refusal', () => {
    expect(loginFailure(offline, false)).toBe('API connection failed: No network.')
    expect(loginFailure(offline, true)).toMatch(/^API connection failed: the store is back online/)
  })
})

describe('a reset that failed', () => {
  test('says so, with the server’s reason or the status', () => {
    const cooldown = new ApiError({ status: 400, code: 'RESET_COOLDOWN', message: 'Please wait 5 h 12 min.' })

    expect(resetFailure(cooldown, true)).toBe('Reset failed: Please wait 5 h 12 min.')
    expect(resetFailure(wordless, true)).toBe('Reset failed: Device reset failed with status 500. Something went wrong')
    expect(resetFailure(offline, false)).toBe('API connection failed: No network.')
  })
})

test('a registration without words from the server gives its status', () => {
  expect(registerFailure(wordless)).toBe('Register failed with status 500. Something went wrong')
  expect(registerFailure(wrong)).toBe('Incorrect username or password.')
})

test('an admin login tells a page from broken JSON from a plain no', () => {
  const page = new ApiError({ status: 502, code: 'NOT_JSON', message: 'HTML' })
  const broken = new ApiError({ status: 200, code: 'NOT_JSON', message: 'Cut.', details: { isBroken: true } })

  expect(adminLoginFailure(page)).toBe('Server returned non-JSON response. HTML')
  expect(adminLoginFailure(broken)).toBe('Invalid response from server. Cut.')
  expect(loginFailure(page, true)).toBe('Login failed: Server returned HTML instead of JSON. Status: 502. HTML')
  expect(registerFailure(broken)).toBe('Invalid response format from server. Cut.')
  expect(adminLoginFailure(wordless)).toBe('Login failed. Something went wrong')
  expect(adminLoginFailure(wrong)).toBe('Login failed: Incorrect username or password.')
})
