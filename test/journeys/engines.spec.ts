/** The store in the engines that Playwright can't drive here: that of Safari, and Firefox. */
import { findWebKit } from '../../scripts/find-browser.ts'
import { DEMO_PASSWORD, expect, test } from './people.ts'
import { cutOff, fill, press, see } from './tab.ts'
import { openWebKit } from './webkit.ts'

const webKit = findWebKit()

test('in WebKit, the dialog for adding money shows all that is in it', async ({ shop }) => {
  test.skip(webKit === undefined, 'No WebKit here: apt-get install -y webkit2gtk-driver xvfb')
  if (!webKit) return
  const { tab, stop } = await openWebKit(webKit)
  try {
    await tab.goto(`${shop.url}/login`)
    await fill(tab, 'Username', 'aarav')
    await fill(tab, 'Password', DEMO_PASSWORD)
    await press(tab, 'button', 'Login')
    await see(tab, 'Wallet')
    await press(tab, 'button', 'Add Money')
    await see(tab, 'Submit request')
    expect(await cutOff(tab)).toEqual([])
  } finally {
    await stop()
  }
})
