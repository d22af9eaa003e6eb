/** Every refusal that an endpoint declares is given, as declared. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { refusalStatus } from '../../contract/errors.ts'
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

describe('gives each declared refusal', () => {
  for (const { name, provoke } of endpoints) {
    for (const [code, act] of provoke) {
      test(`${name}: ${code}`, async () => {
        const answer = await act(shop)
        expect(answer).toMatchObject({
          status: refusalStatus(code),
          body: { code, message: expect.stringMatching(/\w/) as string },
        })
        expect(answer.headers.get('content-type')).toMatch('application/json; charset=utf-8')
      })
    }
  }
})
