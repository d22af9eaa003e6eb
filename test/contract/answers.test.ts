/** Every endpoint answers as the contract says. */
import { describe, expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import { oneShop } from './one-shop.ts'

const one = oneShop()

describe('answers as the contract says', () => {
  for (const { name, endpoint, succeed } of endpoints) {
    test(name, async () => {
      const answer = await succeed(one.shop)
      expect(answer.status, JSON.stringify(answer.body)).toBe(endpoint.status ?? 200)
      expect(answer.headers.get('content-type')).toMatch(endpoint.stream ?? 'application/json; charset=utf-8')
    })
  }
})
