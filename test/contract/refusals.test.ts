/** Every refusal that an endpoint declares is given, as declared, and can be said in every language. */
import { describe, expect, test } from 'vitest'
import { refusalCode, refusalStatus } from '../../contract/errors.ts'
import { endpoints } from './endpoints.ts'
import { oneShop } from './one-shop.ts'
import { expectSaid, type Body } from './said.ts'

const one = oneShop()

describe('gives each declared refusal', () => {
  for (const { name, endpoint, provoke } of endpoints) {
    for (const [code, act] of provoke) {
      test(`${name}: ${code}`, async () => {
        const answer = await act(one.shop)
        expect(answer).toMatchObject({
          status: refusalStatus(code),
          body: { code: refusalCode(code), message: expect.stringMatching(/\w/) as string },
        })
        expect(answer.headers.get('content-type')).toMatch('application/json; charset=utf-8')
        expectSaid(answer.body as Body, endpoint)
      })
    }
  }
})
