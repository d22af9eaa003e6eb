import { expect, test } from 'vitest'
import { demoPages } from './pages.ts'

test('a link in a mail of the demo leads to the store that shows it, and other addresses are text', () => {
  const text = 'Open http://localhost:4000/confirm-email#secret or https://a.example/x'
  const mails = [{ to: 'asha@example.in', subject: 'Confirm', text }]
  const [mailbox] = demoPages({ mails, origin: 'http://localhost:4000' })
  expect(mailbox?.body().match(/<pre>.*<\/pre>/)?.[0]).toBe(
    '<pre>Open <a href="/confirm-email#secret">http://localhost:4000/confirm-email#…</a> or https://a.example/x</pre>',
  )
})
