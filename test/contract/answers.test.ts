/** Every endpoint answers as the contract says, to buyers in every language. */
import { describe, expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import { oneShop } from './one-shop.ts'
import { expectSaid, type Body } from './said.ts'

const one = oneShop()

describe('answers as the contract says', () => {
  for (const { name, endpoint, succeed } of endpoints) {
    test(name, async () => {
      const answer = await succeed(one.shop)
      expect(answer.status, JSON.stringify(answer.body)).toBe(endpoint.status ?? 200)
      expect(answer.headers.get('content-type')).toMatch(endpoint.stream ?? 'application/json; charset=utf-8')
      const { message } = Object(answer.body) as Body
      // What buyers' screens show of it
      if (message && ['user', 'public'].includes(endpoint.access)) expectSaid({ message }, endpoint)
    })
  }
})
