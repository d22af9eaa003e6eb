import { expect, test } from 'vitest'
import { DEVICE_RESET_AFTER_MS } from '../../contract/limits.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { withStore, type Browser, type TestStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import type { StoreEvent } from '../platform/events.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'

const PASSWORD = 'correct horse battery'

test('an open page hears of its account, and its stream ends at once with a logout', () =>
  withStore(async (store) => {
    const { id, browser } = await givenVisitor(store)
    const page = await listen(store, browser)

    store.app.services.events.publish({ to: { user: id }, name: 'balance' })
    await expect.poll(page.text, { timeout: 5_000 }).toContain('event: balance')
    await browser.post('/auth/logout')

    await page.ended
    expect(page.text()).toContain('event: session-ended')
    expect((await browser.get('/events')).status).toBe(401)
  }))

test('a reset from elsewhere ends the old device’s stream at once', () =>
  withStore(async (store) => {
    const { username, browser } = await givenVisitor(store)
    store.clock.advance(DEVICE_RESET_AFTER_MS)
    const page = await listen(store, browser)

    const reset = await store.browser().post('/auth/reset-device-lock', { username, password: PASSWORD })
    expect(reset.body).toMatchObject({ success: true })

    await page.ended
    expect(page.text()).toContain('event: session-ended')
  }))

// Without the word, the old stream goes on for as long as the four seconds to the next look at all sessions.
test('a login as somebody else in the same browser ends the first one’s streams at once', () =>
  withStore(async (store) => {
    const { browser } = await givenVisitor(store)
    const { username } = await givenVisitor(store)
    const told: StoreEvent[] = []
    store.app.services.events.subscribe((event) => void told.push(event))
    const page = await listen(store, browser)
    const before = (await browser.api.sessions.me()).id

    // The other account's device is another browser: it is freed first, as by logging out there
    await store.db.run(sql`
      update users set device_hash = null, locked_at = null, unshown_since = null where username = ${username}`)
    expect((await browser.post('/auth/login', { username, password: PASSWORD })).status).toBe(200)

    await page.ended
    expect(told).toContainEqual({ to: { user: before }, name: 'session-ended' })
  }))

async function givenVisitor({ db, browser }: TestStore): Promise<{ id: string; username: string; browser: Browser }> {
  const id = await givenUser(db)
  const username = `visitor-${id.slice(-12)}`
  await db.run(
    sql`update users set username = ${username}, password_hash = ${await hashPassword(PASSWORD)} where id = ${id}`,
  )
  const visitor = browser()
  expect((await visitor.post('/auth/login', { username, password: PASSWORD })).status).toBe(200)
  return { id, username, browser: visitor }
}

async function listen({ url }: TestStore, { cookies }: Browser): Promise<{ text(): string; ended: Promise<void> }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${url}/api/events`, { headers: { cookie } })
  expect(response.status).toBe(200)
  let text = ''
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
  }
  return { text: () => text, ended: read() }
}
