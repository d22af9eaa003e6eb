/** The store in WebKit, the engine of Safari. */
import { findWebKit } from '../../scripts/find-browser.ts'
import { testEngine } from './engine-tests.ts'
import { test } from './people.ts'
import { openWebKit } from './webkit.ts'

const webKit = findWebKit()
test.skip(webKit === undefined, 'No WebKit here: apt-get install -y webkit2gtk-driver xvfb')

testEngine('WebKit', () => openWebKit(webKit ?? { driver: '', browser: '', display: '' }))
