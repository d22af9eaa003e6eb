/** The store in a stock Firefox. */
import { findFirefox } from '../../scripts/find-browser.ts'
import { testEngine } from './engine-tests.ts'
import { openFirefox } from './firefox-tab.ts'
import { LONG, test } from './people.ts'

const firefox = findFirefox()
test.skip(firefox === undefined, 'No Firefox here: apt-get install -y firefox-esr')

testEngine('Firefox', () => openFirefox(firefox ?? ''), LONG)
