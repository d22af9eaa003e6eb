import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/find-browser.ts'

/** What Playwright 1.65 switches off in Chromium: of several of these switches only the last one counts. */
const OFF_WITH_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]
/** Two pages behind the address bar of each window, which nobody sees: a sixth of the CPU time of the journeys. */
const UNSEEN = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Chromium as root needs --no-sandbox, and there is no GPU to ask; the others keep it from calling home. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A public name of the store, because a link to this machine alone is not handed to messengers
  '--host-resolver-rules=MAP shop.example 127.0.0.1',
  `--disable-features=${[...OFF_WITH_PLAYWRIGHT, ...UNSEEN].join(',')}`,
]

/** With a store that others do not fill. They take longest, and at the end would leave the other core idle. */
const OWN_STORES = /(admin-lists|engine-\w+|firefox|hostile-text|main-job|wire)\.spec\.ts$/

export default defineConfig({
  testDir: 'test/journeys',
  outputDir: 'test-results',
  projects: [
    { name: 'own stores', testMatch: OWN_STORES },
    { name: 'one store', testIgnore: OWN_STORES },
  ],
  // Each worker has a store of its own
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  ...(process.env.JOURNEYS === 'all' ? {} : { grepInvert: /@long/ }),
  forbidOnly: Boolean(process.env.CI),
  // A shared machine may stand still for seconds; what fails each time is broken
  retries: process.env.CI ? 2 : 0,
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
