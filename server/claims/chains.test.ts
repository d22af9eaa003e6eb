import { expect, test } from 'vitest'
import { dayOf } from '../../contract/india.ts'
import { withStore, type Browser } from '../../test/store.ts'
import { anAdmin, enrolled } from '../../test/worlds/admins.ts'
import { openShop, type Buyer } from '../../test/worlds/shop.ts'

const duration = '10 Days'

const buys = async (buyer: Buyer, productId: string) =>
  (await buyer.api.orders.place({ productId, duration, quantity: 1 })).keys[0]?._id ?? ''

/** Reports the key, and has it replaced. @returns the answer with the new key's id */
async function replaces(buyer: Buyer, helper: Browser, keyId: string) {
  const { _id: id } = await buyer.api.claims.open({ keyId, reason: 'never-worked' })
  return helper.put(`/claims/${id}/replace`, {})
}

test('one helper and one buyer get two keys for one price, and more only from who answers for payments', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId } = await shop.product({ stock: 20 })
    const buyer = await shop.buyer({ balance: 100 })
    const helper = (await anAdmin(shop, 'support')).browser
    let keyId = await buys(buyer, productId)
    let keys = 1
    for (; keys < 13; keys++) {
      const { status, body } = await replaces(buyer, helper, keyId)
      if (status !== 200) {
        expect({ status, code: body.code }).toEqual({ status: 403, code: 'REPLACED_BEFORE' })
        break
      }
      keyId = body.replacementId
    }
    expect(keys).toBe(2)

    const [claim] = (await shop.owner.api.claims.list({ status: 'open' })).claims
    const { evidence } = await helper.api.claims.one({ id: claim?._id ?? '' })
    expect(evidence.replacedBefore).toBe(1)
    const payments = (await anAdmin(shop, 'payments')).browser
    expect(await payments.api.claims.replace({ id: claim?._id ?? '' })).toMatchObject({ status: 'replaced' })

    const day = dayOf(store.clock.now())
    const { replacedBy } = await shop.owner.api.books.read({ from: day, to: day, by: 'day' })
    expect(replacedBy).toMatchObject([{ keys: 1 }, { keys: 1 }])
    expect(new Set(replacedBy.map(({ username }) => username)).size).toBe(2)
  }))

test('what support replaces in a day has a ceiling, which no proof of their own lifts', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await shop.owner.api.settings.saveStore({ stepUpAbove: 250 })
    const { _id: productId } = await shop.product({ stock: 20 })
    const buyer = await shop.buyer({ balance: 700 })
    const answers = async (helper: Browser, times: number) => {
      const codes = []
      for (let nth = 0; nth < times; nth++) {
        const { status, body } = await replaces(buyer, helper, await buys(buyer, productId))
        codes.push(status === 200 ? 200 : body.code)
      }
      return codes
    }
    expect(await answers((await anAdmin(shop, 'support')).browser, 3)).toEqual([200, 200, 'DAY_LIMIT'])
    // An admin who has just proven who they are
    expect(await answers((await enrolled(shop, 'support')).browser, 3)).toEqual([200, 200, 'DAY_LIMIT'])
    const payments = (await enrolled(shop, 'payments')).browser
    for (const { _id: id } of (await shop.owner.api.claims.list({ status: 'open' })).claims)
      expect((await payments.put(`/claims/${id}/replace`, {})).status).toBe(200)
  }))
