import { expect, test } from 'vitest'
import { deviceWords, isPhone } from './device-words.ts'

const MOZILLA = 'Mozilla/5.0'

test.each([
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36`,
    'Chrome on Windows',
  ],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0`,
    'Edge on Windows',
  ],
  [
    `${MOZILLA} (Linux; Android 15; SM-S921B) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 ` +
      'Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/142.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15`, 'Safari on Mac'],
  ['curl/8.14.1', 'Unknown device'],
  ['', 'Unknown device'],
])('%s is said as %s', (userAgent, words) => {
  expect(deviceWords(userAgent)).toBe(words)
})

test('a phone is told from a desk', () => {
  expect(isPhone(`${MOZILLA} (Linux; Android 15; Pixel 9) Chrome/142.0 Mobile Safari/537.36`)).toBe(true)
  expect(isPhone(`${MOZILLA} (Windows NT 10.0; Win64; x64) Chrome/142.0 Safari/537.36`)).toBe(false)
})
