/** A buyer who may buy with programs, and a program of such a buyer. */
import type { Answer } from '../store.ts'
import { PASSWORD, type Buyer, type Shop } from './shop.ts'
import { unique } from './constants.ts'

export const TOKEN_FORM = { name: 'Website', canBuy: true, days: 365, password: PASSWORD } as const

export interface Program {
  id: string
  token: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  /** Buys under a new number, if none is given. */
  buy(order: { productId: string; quantity?: number; expectedPrice?: number }, key?: string): Promise<Answer>
}

export async function aReseller(shop: Shop, options?: { balance?: number }): Promise<Buyer> {
  const buyer = await shop.buyer(options)
  await shop.owner.api.users.setReseller({ id: buyer.id, on: true })
  return buyer
}

export async function aProgram(
  shop: Shop,
  reseller: Buyer,
  form: Partial<Omit<typeof TOKEN_FORM, 'canBuy' | 'days'>> & {
    canBuy?: boolean
    days?: 30 | 90 | 365
    addresses?: string[]
  } = {},
): Promise<Program> {
  const { _id: id, token } = await reseller.api.sessions.makeToken({ ...TOKEN_FORM, ...form })
  return { id, token, ...programWith(shop, token) }
}

/** A program that shows this token, at the store's own address or at another node's. */
export function programWith(shop: Pick<Shop, 'visitor'>, token: string): Omit<Program, 'id' | 'token'> {
  const browser = shop.visitor()
  const call: Program['call'] = (method, path, body, headers) =>
    browser.call(method, path, body, { authorization: `Bearer ${token}`, ...headers })
  return {
    call,
    get: (path) => call('GET', path),
    buy: ({ quantity = 1, ...order }, key = unique('order')) =>
      call('POST', '/keys/buy', { duration: '10 Days', quantity, ...order }, { 'idempotency-key': key }),
  }
}
