/** The owner's texts in another language: who gets them, what stays, and that a store without any answers as before. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withStore } from '../../test/store.ts'
import { openShop, type Shop } from '../../test/worlds/shop.ts'
import { sql } from '../platform/database/database.ts'

const PRICES = [{ duration: '10 Days', price: 100 }]
const HINDI = { nameHi: 'स्काईफ़ोर्ज पास', descriptionHi: 'पूरे सीज़न के लिए', instructionsHi: 'गेम में key डालें' }
const withShop = (work: (shop: Shop) => Promise<void>) => withStore(async (store) => work(await openShop(store)))

const given = (shop: Shop) =>
  shop.owner.api.catalogue.create({
    name: 'Skyforge Pass',
    description: 'For the season',
    instructions: 'Enter the key',
    prices: PRICES,
    ...HINDI,
  })

const lastAudit = async ({ store }: Shop) =>
  store.db.one(sql(z.object({ before: z.unknown(), after: z.unknown() }))`
    select before, after from audit_entries order by seq desc limit 1`)

test('a store without such texts answers as before', () =>
  withShop(async (shop) => {
    const { api } = shop.owner
    const product = await api.catalogue.create({ name: 'Plain', description: 'Text', prices: PRICES })
    const answers = [product, await api.catalogue.list({}), await api.settings.site({}), await api.settings.store({})]
    expect(JSON.stringify(answers)).not.toMatch(/Hi"/)
    expect(await api.settings.notice({})).toEqual({ text: '' })
    expect(await api.settings.saveNotice({ text: 'Closed' })).toEqual({ text: 'Closed' })
    expect(JSON.stringify(await lastAudit(shop))).not.toContain('Hi"')
  }))

test('a product has its texts for admins, and a visitor gets those of the card alone', () =>
  withShop(async (shop) => {
    expect(await given(shop)).toMatchObject(HINDI)
    const [seen] = await shop.visitor().api.catalogue.list({})
    expect(seen).toMatchObject({ nameHi: HINDI.nameHi, descriptionHi: HINDI.descriptionHi })
    expect(seen).not.toHaveProperty('instructionsHi')
  }))

test('an absent text stays, an empty one is taken away, and the log has both', () =>
  withShop(async (shop) => {
    const { _id } = await given(shop)
    expect(await shop.owner.api.catalogue.update({ id: _id, hot: true })).toMatchObject(HINDI)
    const changed = await shop.owner.api.catalogue.update({ id: _id, nameHi: '', descriptionHi: 'छोटा पास' })
    expect(changed).toMatchObject({ descriptionHi: 'छोटा पास', instructionsHi: HINDI.instructionsHi })
    expect(changed).not.toHaveProperty('nameHi')
    const { before, after } = await lastAudit(shop)
    expect(before).toMatchObject(HINDI)
    expect(after).toMatchObject({ descriptionHi: 'छोटा पास' })
    expect(after).not.toHaveProperty('nameHi')
    const long = await shop.owner.put(`/products/${_id}`, { nameHi: 'न'.repeat(81) })
    expect(long).toMatchObject({ status: 400, body: { fields: { nameHi: 'Name can have up to 80 characters' } } })
  }))

test('a copy has the texts, and is told apart by each of its names', () =>
  withShop(async (shop) => {
    const copy = await shop.owner.api.catalogue.duplicate({ id: (await given(shop))._id })
    const { nameHi, descriptionHi, instructionsHi } = HINDI
    expect(copy).toMatchObject({ nameHi: `${nameHi} copy`, descriptionHi, instructionsHi })
    const again = await shop.owner.api.catalogue.duplicate({ id: copy._id })
    expect(again).toMatchObject({ name: 'Skyforge Pass copy 2', nameHi: `${nameHi} copy 2` })
  }))

test('a key has its product’s other name until the product is renamed, and its order keeps the first one', () =>
  withShop(async (shop) => {
    const { _id } = await given(shop)
    await shop.owner.api.keys.add({ productId: _id, duration: '10 Days', keys: ['KEY-1'] })
    const buyer = await shop.buyer({ balance: 500 })
    const placed = await buyer.api.orders.place({ productId: _id, duration: '10 Days', quantity: 1 })
    expect(placed.keys[0]?.productId).toEqual({ _id, name: 'Skyforge Pass' })
    const mine = async () => (await buyer.api.keys.mine({}))[0]
    expect(await mine()).toMatchObject({
      productId: { name: 'Skyforge Pass', nameHi: HINDI.nameHi },
      instructionsHi: HINDI.instructionsHi,
    })
    await shop.owner.api.catalogue.update({ id: _id, name: 'Skyforge Pass 2' })
    expect((await mine())?.productId).toEqual({ _id, name: 'Skyforge Pass' })
  }))

test('what a buyer waits for, and wants to buy with a top-up, has both names', () =>
  withShop(async (shop) => {
    const product = await given(shop)
    const buyer = await shop.buyer()
    const wanted = { productId: product._id, duration: '10 Days', quantity: 1 }
    await buyer.api.waiting.wait(wanted)
    expect((await buyer.api.waiting.mine({}))[0]).toMatchObject({ productNameHi: HINDI.nameHi })
    const request = { amount: 100, utr: '412345678901', payerName: '9876543210' }
    const { payment } = await buyer.api.payments.addMoney({ ...request, then: { ...wanted, expectedPrice: 100 } })
    expect(payment.then).toMatchObject({ productName: 'Skyforge Pass', productNameHi: HINDI.nameHi })
    expect((await buyer.api.orders.wish({})).wish).toEqual(payment.then)
  }))

test('notice, headline, title and refund note have theirs, each saved with its form', () =>
  withShop(async (shop) => {
    const { settings } = shop.owner.api
    expect(await settings.saveNotice({ text: 'Closed', noticeHi: 'आज बंद' })).toEqual({
      text: 'Closed',
      noticeHi: 'आज बंद',
    })
    expect((await lastAudit(shop)).after).toEqual({ notice: 'Closed', noticeHi: 'आज बंद' })
    await settings.saveFace({ heroLineHi: 'मिनटों में key' })
    await settings.saveSite({ websiteName: 'Nova', websiteTitle: 'Nova keys', websiteTitleHi: 'नोवा' })
    expect(await settings.saveStore({ refundNoteHi: 'दीवाली पर रिफ़ंड नहीं' })).toMatchObject({
      refundNote: '',
      refundNoteHi: 'दीवाली पर रिफ़ंड नहीं',
    })
    const all = { heroLineHi: 'मिनटों में key', websiteTitleHi: 'नोवा', refundNoteHi: 'दीवाली पर रिफ़ंड नहीं' }
    expect(await shop.visitor().api.settings.site({})).toMatchObject(all)
    expect(await settings.saveNotice({ text: 'Closed' })).toHaveProperty('noticeHi')
    expect(await settings.saveNotice({ text: 'Closed', noticeHi: '' })).toEqual({ text: 'Closed' })
    expect(await lastAudit(shop)).toMatchObject({ before: { noticeHi: 'आज बंद' } })
  }))
