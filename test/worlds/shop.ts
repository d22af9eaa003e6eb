/** A small store for tests, opened through its own calls: an owner, buyers, products with stock. */
import type { Product } from '../../contract/catalogue.ts'
import type { AdminRole } from '../../contract/endpoint.ts'
import { ensureFirstAdmin } from '../../server/admins/first-admin.ts'
import { addProduct, signUp } from '../../server/demo/store-calls.ts'
import type { Answer, Browser, TestStore } from '../store.ts'
import { unique } from './constants.ts'
import { passOverSecurity } from './told.ts'

export const OWNER = { username: 'owner', password: 'a long owner password' }
export const PASSWORD = 'a long buyer password'

export interface Buyer extends Browser {
  id: string
  username: string
  email: string
}

export interface Shop {
  store: TestStore
  owner: Browser
  /** A referral code without limit or reward. */
  referralCode: string
  /** Signs up and logs in; `balance` in rupees comes by an approved top-up. */
  buyer(options?: { balance?: number }): Promise<Buyer>
  /** `stock` keys for each duration. */
  product(options?: {
    prices?: Record<string, number>
    stock?: number
    name?: string
  }): Promise<Product & { keyTexts: string[] }>
  visitor(): Browser
  /** Another admin in the place of the one of `unproven` (worlds/admins.ts). */
  unproven?: (role?: AdminRole) => Promise<Browser>
}

/** By username or e-mail, whatever comes of it. */
export const logIn = (browser: Browser, username: string, password = PASSWORD): Promise<Answer> =>
  browser.post('/auth/login', { username, password })

let utr = 100_000_000_000

/** A UTR that no other request of the run has. */
export const nextUtr = (): string => String((utr += 1))

export async function openShop(store: TestStore): Promise<Shop> {
  await ensureFirstAdmin(store.db, OWNER, store.clock.now())
  const owner = store.browser()
  await owner.api.sessions.adminLogin(OWNER)
  await owner.api.admins.stepUp({ password: OWNER.password })
  owner.provesWith = OWNER.password
  await owner.api.settings.saveUpi({ upiId: 'shop@okaxis', paymentEnabled: true })
  const referralCode = unique('REF').toUpperCase()
  await owner.api.referrals.create({ code: referralCode, description: 'For tests' })
  await passOverSecurity(store.db)

  return {
    store,
    owner,
    referralCode,
    visitor: () => store.browser(),
    async buyer({ balance = 0 } = {}) {
      const username = unique('buyer')
      const browser = store.browser()
      const email = await signUp(browser.api, { username, password: PASSWORD, referralCode })
      const { user } = await browser.api.sessions.login({ username, password: PASSWORD })
      if (balance > 0) {
        const { payment } = await browser.api.payments.addMoney({
          amount: balance,
          utr: nextUtr(),
          payerName: '9876543210',
        })
        await owner.api.payments.approve({ id: payment._id })
      }
      return Object.assign(browser, { id: user._id, username, email })
    },
    product: ({ prices = { '10 Days': 100 }, stock = 0, name = unique('Game ') } = {}) =>
      addProduct(owner.api, { name, description: 'A game', prices, stock, keyText: () => unique('KEY-') }),
  }
}
