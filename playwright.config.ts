import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/find-browser.mjs'

/** Chromium as root needs --no-sandbox; the rest keeps it from calling home. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'test/journeys',
  outputDir: 'test-results',
  // Each worker has a store of its own
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  ...(process.env.JOURNEYS === 'all' ? {} : { grepInvert: /@long/ }),
  forbidOnly: Boolean(process.env.CI),
  // A shared machine may stand still for seconds; what fails twice is broken
  retries: process.env.CI ? 1 : 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    viewport: { width: 390, height: 844 },
    // What is not there to be clicked by then will not come.
    actionTimeout: 10_000,
    hasTouch: true,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    // Recording costs as much as the journeys themselves: `TRACE=1 npx playwright test …` when one fails
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findBrowser(), args: ARGUMENTS },
  },
})
