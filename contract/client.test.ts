import { expect, test } from 'vitest'
import { api, type Api } from './api.ts'
import { createClient, endpointTable, type Call } from './client.ts'

const paths: string[] = []
const send = (call: Call) => Promise.resolve(paths.push(`${call.method} ${call.url}`))

test('a call that is listed later waits for its list, once, and the calls before it do not', async () => {
  const table = endpointTable(api, (feature, _, name) => feature === 'sessions' && name === 'me')
  let added = 0
  const client = createClient<Api>(table, send, () => {
    added += 1
    Object.assign(table, endpointTable(api))
    return Promise.resolve()
  })

  const first = client.sessions.me({})
  expect(paths).toEqual(['GET /auth/me'])
  await first
  expect(added).toBe(0)

  await client.waiting.leave({ id: 'an id' })
  expect(paths).toEqual(['GET /auth/me', 'DELETE /waiting/an%20id'])

  const third = client.waiting.mine({})
  expect(paths).toHaveLength(3)
  await third
  expect(added).toBe(1)
})

test('a call that no list has says which it is', async () => {
  const client = createClient<Api>({}, send)
  await expect(client.waiting.mine({})).rejects.toThrow('No call waiting.mine')
})

test('a table has no feature without calls', () => {
  expect(endpointTable(api, () => false)).toEqual({})
})
