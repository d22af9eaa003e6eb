import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '../../../contract/users.ts'

/** Calls that wait for their answers, in order. */
let asked: { answer(balance: number): void; lose(): void }[]

beforeEach(() => {
  asked = []
  vi.resetModules()
  vi.stubGlobal('__ENDPOINTS__', { sessions: { me: ['GET', '/auth/me'] }, settings: { version: ['GET', '/version'] } })
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((resolve, reject) =>
        asked.push({
          answer: (balance) => resolve(Response.json({ id: 'diya', balance })),
          lose: () => reject(new TypeError('Failed to fetch')),
        }),
      ),
  )
})

afterEach(() => vi.unstubAllGlobals())

async function givenSignedIn(balance: number) {
  const page = { ...(await import('./session.ts')), ...(await import('../calls/client.ts')) }
  page.drawFor({ id: 'diya', balance } as User, null)
  return page
}

const nth = (number: number) => vi.waitFor(() => asked[number - 1] ?? expect.fail(`There is no call ${number}`))

test('who hears of a change while the session is being fetched sees it, though that answer may be older', async () => {
  const { refreshSession, getSession } = await givenSignedIn(300)
  void refreshSession()
  const first = await nth(1)

  const heard = [refreshSession(), refreshSession()]
  first.answer(300)
  ;(await nth(2)).answer(307)
  await Promise.all(heard)

  expect(getSession().user?.balance).toBe(307)
  expect(asked).toHaveLength(2)
})

test('what was asked in vain is asked again once the store answers anything', async () => {
  const { client, refreshSession, getSession } = await givenSignedIn(300)
  for (const time of [1, 2]) {
    const lost = refreshSession()
    ;(await nth(time)).lose()
    await lost
    expect(asked).toHaveLength(time)
  }

  void client.settings.version({}).catch(() => {})
  ;(await nth(3)).answer(0)
  ;(await nth(4)).answer(307)

  await vi.waitFor(() => expect(getSession().user?.balance).toBe(307))
  // However often it was lost
  expect(asked).toHaveLength(4)
})
