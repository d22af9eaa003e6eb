/** Every endpoint answers as the contract says. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openShop, type Shop } from '../shop.ts'
import { startStore, type TestStore } from '../store.ts'
import { endpoints } from './endpoints.ts'

let store: TestStore & { stop(): Promise<void> }
let shop: Shop

beforeAll(async () => {
  store = await startStore(inject('engine'))
  shop = await openShop(store)
})

afterAll(() => store.stop())

describe('answers as the contract says', () => {
  for (const { name, endpoint, succeed } of endpoints) {
    test(name, async () => {
      const answer = await succeed(shop)
      expect(answer.status, JSON.stringify(answer.body)).toBe(endpoint.status ?? 200)
      expect(answer.headers.get('content-type')).toMatch(endpoint.stream ?? 'application/json; charset=utf-8')
    })
  }
})
