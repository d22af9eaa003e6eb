import { expect, test } from 'vitest'
import { withStore, type TestStore } from '../../test/store.ts'
import { startOtherApi } from '../../test/worlds/other-supplier.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { demoPages } from './pages.ts'

test('a link in a mail of the demo leads to the store that shows it, and other addresses are text', () => {
  const text = 'Open http://localhost:4000/confirm-email#secret or https://a.example/x'
  const mails = [{ to: 'asha@example.in', subject: 'Confirm', text }]
  const [mailbox] = demoPages({ mails, origin: 'http://localhost:4000' })
  expect(mailbox?.body().match(/<pre>.*<\/pre>/)?.[0]).toBe(
    '<pre>Open <a href="/confirm-email#secret">http://localhost:4000/confirm-email#…</a> or https://a.example/x</pre>',
  )
})

test.each([true, false])('a supplier that is checked is asked, and not in the demo: demo %s', async (isDemo) => {
  const there = await startOtherApi()
  const demo = isDemo && { demo: { mails: [], origin: 'https://demo.example' } }
  const check = async (store: TestStore) => {
    const { owner } = await openShop(store)
    const asked = await owner.api.supply.check({ address: there.url, secret: `chaabi_${'a'.repeat(43)}` })
    expect(asked).toEqual({ found: null, why: isDemo ? 'silent' : 'unreadable' })
    expect(there.asked).toHaveLength(isDemo ? 0 : 1)
  }
  try {
    await withStore(check, { testOrigins: [there.url], ...demo })
  } finally {
    await there.close()
  }
})
