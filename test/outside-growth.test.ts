/**
 * What went wrong in other shops and billing programs with links, renewals, limits, prices of groups, invitations and
 * codes, by the reports of their users, played here. Each names its source: owner/name#number of a public thread.
 */
import { describe, expect, test } from 'vitest'
import { normaliseRedeemCode, normaliseReferralCode } from '../contract/pasted.ts'
import { DAY_MS, HOUR_MS } from '../contract/time.ts'
import { remind } from '../server/reminders/remind.ts'
import { sql } from '../server/platform/database/database.ts'
import { withStore } from './store.ts'
import { givenCredit } from './worlds/given.ts'
import { duration, pay, withLimit } from './worlds/limits.ts'
import { metaIn, withPages } from './worlds/pages.ts'
import { HOURS, rowOf, withRenewals, type Holder, type Renewing } from './worlds/renewals.ts'
import { logIn, nextUtr, openShop, PASSWORD, type Buyer } from './worlds/shop.ts'

const balanceOf = async (buyer: Buyer) => (await buyer.api.sessions.me()).balance

describe('a link to a product', () => {
  const NAMES = [
    'Tom & Jerry + 1',
    '50% off #1 "Deal"?',
    'a/b\\c=d;e',
    'फ़्री फ़ायर – ज़ोन',
    'Café Pro',
    'İstanbul',
    'STRAßE',
    'Night  Circuit',
    '🔥 Hot 🔥',
    '%41',
  ]
  test('opens it whatever signs its name has (scandipwa#3972, social-builder#38)', () =>
    withPages((webDirectory) =>
      withStore(
        async (store) => {
          const shop = await openShop(store)
          const head = async (search: string) => metaIn(await (await fetch(`${store.url}/buy${search}`)).text())
          for (const name of NAMES) {
            const { name: kept } = await shop.product({ name })
            const encoded = encodeURIComponent(kept)
            const title = (await head(`?product=${encoded}`))['og:title']
            expect.soft(title, name).not.toBe((await head(''))['og:title'])
            for (const [way, search] of Object.entries({
              plus: `?product=${encoded.replaceAll('%20', '+')}`,
              tracked: `?fbclid=abc&product=${encoded}&utm_source=wa&gclid=1`,
            }))
              expect.soft((await head(search))['og:title'], `${name} ${way}`).toBe(title)
          }
          // Messengers and mail cut links
          for (const search of ['?product=%', '?product=%E0%A4', '?product', '?&&product=&=', '?product[]=x'])
            expect.soft((await fetch(`${store.url}/buy${search}`)).status, search).toBe(200)
        },
        { webDirectory, publicOrigin: 'https://keys.example' },
      ),
    ))
})

describe('a code of a friend', () => {
  const CODE = 'I-0AB1CDEF2345'
  test.each([
    ` ${CODE}\n`,
    CODE.toLowerCase(),
    `\uFEFF${CODE}\u200f`,
    CODE.replace('-', '–'),
    CODE.replace('-', '‑'),
    CODE.replace('-', ' - '),
    CODE.replace('-', '\u2212'),
    `Code: ${CODE.replace('-', '–')}`,
    `use my code ${CODE}!`,
    `code *${CODE}*`,
    `*${CODE}*`,
    `\`${CODE}\``,
    `(${CODE})`,
    `कोड: ${CODE}`,
    `मेरा कोड ${CODE} है`,
    `Mera code ${CODE} hai`,
    `https://keys.example/signup?ref=${CODE}`,
    `keys.example/signup?ref=${CODE}&next=%2Fbuy`,
    `https://keys.example/signup?next=%2Fbuy%3Fproduct%3DX%26ref%3D${CODE}`,
    `https://keys.example/buy?product=A%20B&ref=${CODE}.`,
    `Ref=${CODE}`,
    'Ｉ－０ＡＢ１ＣＤＥＦ２３４５',
  ])('%j is read (wp-calypso#39991, ilp-kit#428, coupon-generator#14)', (written) => {
    expect(normaliseReferralCode(written)).toBe(CODE)
  })
})

describe('a redeem code', () => {
  const CODE = 'K7QM-2XRD-94HW-TB50'
  const bare = normaliseRedeemCode(CODE)
  test.each([
    ` ${CODE}\r\n`,
    `Code: ${CODE}`,
    `Code: ${CODE.replaceAll('-', '')}`,
    `Code ${CODE.replaceAll('-', ' ')}`,
    `Your code is ${CODE.replaceAll('-', ' ')}. Thanks`,
    `*${CODE}*`,
    `#code=${CODE}`,
    `keys.example/add-balance#code=${CODE}`,
    `https://keys.example/add-balance#code=${CODE.replaceAll('-', '')}`,
    `https://keys.example/login?next=%2Fadd-balance#code=${CODE}`,
    CODE.replaceAll('-', '‑'),
    CODE.replaceAll('-', '--'),
    CODE.replaceAll('-', '\u00a0'),
    CODE.replaceAll('-', '\u00ad'),
    CODE.replaceAll('-', '\u200b'),
    CODE.replaceAll('-', '\u2212'),
    `Code: ${CODE.replaceAll('-', '\u2212')}`,
    `Code: ${CODE.replaceAll('-', ' - ')}`,
    `3. ${CODE}`,
    `${CODE} ₹100`,
    `₹100 ${CODE} Valid till 27 Jan 2027`,
    `\u202b${CODE}\u202c`,
    `कोड ${CODE} है`,
    `कोड:${CODE}`,
  ])('%j is read (magento2#12656, mitxpro#824, NumberSearch#291)', (written) => {
    expect(normaliseRedeemCode(written)).toBe(bare)
  })
})

describe('a renewal', () => {
  const GONE: Record<string, (given: Renewing, buyer: Holder) => Promise<unknown>> = {
    removed: ({ shop, productId }) => shop.owner.api.catalogue.remove({ id: productId }),
    unlisted: ({ shop, productId }) => shop.owner.api.catalogue.update({ id: productId, isListed: false }),
    'hidden from its buyer': ({ shop, productId }, { id }) =>
      shop.owner.api.users.update({ id, hiddenProducts: [productId] }),
    'without its duration': ({ shop, productId }) =>
      shop.owner.api.catalogue.update({ id: productId, prices: [{ duration: '30 Days', price: 5 }] }),
  }
  describe.each(Object.keys(GONE))('of a product that is %s', (how) => {
    test.each([false, true])(
      'says that the key ends, not that it renews, and ends with a reason (fxa#9692, wcs-core#42, sattt#153)',
      (repeat) =>
        withRenewals(async (given) => {
          const buyer = await given.holder({ left: 500 })
          await buyer.renew({ repeat })
          await GONE[how]?.(given, buyer)
          for (let hour = 0; hour < HOURS; hour++) {
            await given.pass(1)
            await remind(given.store.db, given.store.clock.now())
          }
          const told = await given.store.db.texts(sql`
            select kind from outbox_messages where user_id = ${buyer.id} and kind <> 'topup.approved'`)
          expect(told).toEqual(['key.ending'])
          expect(await buyer.api.renewals.mine()).toMatchObject([{ state: 'ended', reason: 'not-for-sale' }])
          expect(await balanceOf(buyer)).toBe(500)
        }),
    )
  })

  test('of what is for sale again is told then, and bought 20 hours later', () =>
    withRenewals(async (given) => {
      const buyer = await given.holder({ left: 500 })
      await buyer.renew({ repeat: true })
      const list = async (isListed: boolean) =>
        (await given.owner()).catalogue.update({ id: given.productId, isListed })
      await list(false)
      await given.pass(HOURS - 12)
      expect(await given.told(buyer)).toEqual([])
      await list(true)
      await given.pass(20)
      expect(await given.told(buyer)).toEqual(['renewal.due'])
      await given.pass(2)
      expect(await given.told(buyer)).toEqual(['renewal.due', 'waiting.bought'])
      expect(await buyer.api.keys.mine()).toHaveLength(2)
    }))

  test('held for money is bought when it comes, and not when it was stopped before (bedolaga#3161)', () =>
    withRenewals(async (given) => {
      const [one, two] = [await given.holder(), await given.holder()]
      await one.renew()
      await two.renew()
      await given.pass(HOURS)
      expect((await one.api.renewals.mine())[0]).toMatchObject({ state: 'held', reason: 'money' })
      await two.api.renewals.stop({ id: two.orderId })
      for (const buyer of [one, two]) {
        const { payment } = await buyer.api.payments.addMoney({ amount: 100, utr: nextUtr(), payerName: '9876543210' })
        await (await given.owner()).payments.approve({ id: payment._id })
      }
      await given.pass(1)
      expect([await balanceOf(one), await balanceOf(two)]).toEqual([0, 100])
      expect(await given.told(one)).toEqual(['renewal.held', 'waiting.bought'])
      expect(await given.told(two)).toEqual(['renewal.held'])
    }))

  test('after a week in which the store was off is bought once (rcp#1393, wcpay#4788)', () =>
    withRenewals(async (given) => {
      const buyer = await given.holder({ left: 500 })
      await buyer.renew()
      given.store.clock.advance(7 * DAY_MS)
      await Promise.all([given.runJob(), given.runJob(), given.runJob()])
      await given.pass(30)
      await logIn(buyer, buyer.username)
      expect([await balanceOf(buyer), (await buyer.api.keys.mine()).length]).toEqual([400, 2])
    }))

  test('of a deleted account says and takes nothing (notesnook#8187)', () =>
    withRenewals(async (given) => {
      const buyer = await given.holder()
      await buyer.renew()
      const before = await given.told(buyer)
      await buyer.api.privacy.closeAccount({ password: PASSWORD })
      await given.pass(HOURS + 30)
      expect(await given.told(buyer)).toEqual(before)
      expect(await rowOf(given, buyer.orderId)).toMatchObject({ reason: 'account' })
    }))

  test('waits: no reminder that the key ends; stopped: one comes (akeebasubs#296, fxa#9692)', () =>
    withRenewals(async (given) => {
      const [renews, stops] = [await given.holder({ left: 100 }), await given.holder({ left: 100 })]
      await renews.renew()
      await stops.renew()
      await stops.api.renewals.stop({ id: stops.orderId })
      for (let hour = 0; hour < HOURS - 1; hour++) {
        given.store.clock.advance(HOUR_MS)
        await remind(given.store.db, given.store.clock.now())
      }
      const told = await given.store.db.texts(sql`select user_id from outbox_messages where kind = 'key.ending'`)
      expect(told).toEqual([stops.id])
    }))

  test('is held where the credit for it has expired before', () =>
    withRenewals(async (given) => {
      const buyer = await given.holder()
      const now = given.store.clock.now()
      await givenCredit(given.store.db, buyer.id, { rupees: 100, expiresAt: new Date(now.getTime() + DAY_MS), now })
      await buyer.renew()
      await given.pass(HOURS)
      expect((await buyer.api.renewals.mine())[0]).toMatchObject({ state: 'held', reason: 'money' })
    }))
})

describe('a limit', () => {
  test('is not used by a purchase that was refused (EDD#3859, woo#27673)', () =>
    withLimit({ perBuyer: 1 }, async ({ shop, productId, buy }) => {
      const buyer = await shop.buyer()
      expect(await buy(buyer)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
      await pay(shop, buyer, '9812345670')
      expect((await buyer.post('/keys/buy', { productId, duration, quantity: 1, expectedPrice: 1 })).body.code).toBe(
        'PRICE_CHANGED',
      )
      expect(await buy(buyer)).toBe('bought')
    }))
  test('goes with a copy of its product, and so does a trial', () =>
    withLimit({ perBuyer: 1, trial: true }, async ({ shop, productId }) => {
      const { prices } = await shop.owner.api.catalogue.duplicate({ id: productId })
      expect(prices).toMatchObject([{ perBuyer: 1, trial: true }])
    }))
})

describe('a group', () => {
  test('has a name of its own, also in other letters (bagisto#188)', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await shop.owner.api.groups.create({ name: 'Gold', percentOff: 15, prices: [] })
      const codes: string[] = []
      for (const name of ['gold', ' GOLD ', 'Go\u200bld', 'Gold\u200f', 'Gold\u00a0'])
        codes.push((await shop.owner.post('/groups', { name, percentOff: 0, prices: [] })).body.code)
      expect(codes).toEqual(['NAME_TAKEN', 'NAME_TAKEN', 'INVALID_INPUT', 'INVALID_INPUT', 'NAME_TAKEN'])
    }))

  test('pays that many times the shown price for many keys (chameleon-system#236, PrestaShop#27880)', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 10_000 })
      const { _id: groupId } = await shop.owner.api.groups.create({ name: 'Gold', percentOff: 15, prices: [] })
      await shop.owner.api.users.setGroup({ id: buyer.id, groupId })
      for (const [list, shown, sum] of [
        [99, 85, 255],
        [1, 1, 3],
        [0.5, 0.5, 1.5],
        [349.5, 298, 894],
        [333.33, 284, 852],
        [7, 6, 18],
      ]) {
        const { _id: productId } = await shop.product({ prices: { [duration]: list ?? 0 }, stock: 3 })
        const row = (await buyer.api.catalogue.list()).find(({ _id }) => _id === productId)?.prices[0]
        expect(row).toMatchObject({ price: shown, listPrice: list })
        const { order } = await buyer.api.orders.place({ productId, duration, quantity: 3 })
        expect(order).toMatchObject({ unitPrice: shown, amount: sum })
        expect((await buyer.api.wallet.history({}))[0]).toMatchObject({ amount: sum })
      }
    }))
})
