/** Credit by codes: who gets it, until when, whatever is typed in, and what is kept of a code. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startOf } from '../../contract/india.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { unproven } from '../../test/worlds/admins.ts'
import { codeForm } from '../../test/worlds/codes.ts'
import { openShop, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { prepared, sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { forgetCodes } from './code-batches.ts'

interface Given {
  store: TestStore
  shop: Shop
  make(more?: object): Promise<{ id: string; codes: string[] }>
}

/** @returns the answer, or the code and the text of a refusal */
async function redeem(buyer: Buyer, code: unknown): Promise<unknown> {
  const { status, body } = await buyer.post('/wallet/redeem', { code })
  return status === 200 ? body : `${status} ${body.code}`
}

const withCodes = (work: (given: Given) => Promise<void>, options: Parameters<typeof withStore>[1] = {}) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const make = async (more: object = {}) => {
      const { batch, codes } = await shop.owner.api.wallet.makeCodes(codeForm(store, more))
      return { id: batch._id, codes }
    }
    await work({ store, shop, make })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  }, options)

const balanceOf = async (buyer: Buyer) => (await buyer.api.sessions.me()).balance

describe('a code', () => {
  test('adds its credit once, with an end of its own, and says the same again to its buyer', () =>
    withCodes(async ({ store, shop, make }) => {
      const [{ id, codes }, buyer] = [await make({ amount: '99.50' }), await shop.buyer()]
      const [code = ''] = codes
      expect(code).toMatch(/^(?:[\dA-HJKMNP-TV-Z]{4}-){3}[\dA-HJKMNP-TV-Z]{4}$/)
      const expiresAt = new Date(store.clock.now().getTime() + 60 * DAY_MS).toISOString()
      const answer = { amount: 99.5, expiresAt, balance: 99.5 }
      expect(await redeem(buyer, code)).toEqual(answer)
      store.clock.advance(HOUR_MS)
      expect(await redeem(buyer, code)).toEqual(answer)
      await shop.owner.api.users.update({ id: buyer.id, balance: 10 })
      await shop.owner.api.wallet.endCodes({ id })
      expect(await redeem(buyer, code)).toEqual({ ...answer, balance: 109.5 })

      const history = await buyer.api.wallet.history({})
      expect(history[1]).toMatchObject({ kind: 'admin_credit', delta: 99.5, description: 'Code: Diwali', expiresAt })
      const { payments } = await shop.owner.api.payments.list({})
      expect(payments.map(({ type, codeOf }) => [type, codeOf])).toEqual([
        ['add_money', undefined],
        ['add_money', 'Diwali'],
      ])
      expect(await shop.owner.api.wallet.codes()).toMatchObject([{ name: 'Diwali', count: 2, used: 1 }])
    }))

  test('is one each as a gift, borne by promotions; sold ones are any number, and no promotion', () =>
    withCodes(async ({ store, shop, make }) => {
      const [gifts, sold, one, other] = [
        await make(),
        await make({ sold: true }),
        await shop.buyer(),
        await shop.buyer(),
      ]
      await redeem(one, gifts.codes[0])
      expect(await redeem(one, gifts.codes[1])).toBe('409 ONE_EACH')
      expect(await redeem(other, gifts.codes[0])).toBe('409 CODE_USED')
      expect(await redeem(other, gifts.codes[1])).toMatchObject({ balance: 100 })
      for (const code of sold.codes) await redeem(one, code)
      expect(await balanceOf(one)).toBe(300)
      const Row = z.object({ account: z.string(), paise: z.number() })
      const accounts = await store.db.rows(sql(Row)`
        select account, sum(amount_paise)::bigint as paise from wallet_entries group by account order by account`)
      expect(accounts).toEqual([
        { account: 'adjustments', paise: 200_00 },
        { account: 'promotions', paise: 200_00 },
      ])
    }))

  test('is good until its last day in India is over, and says so after it', () =>
    withCodes(async ({ store, shop, make }) => {
      const [{ codes }, one, other] = [await make({ codeUntil: '2026-11-24' }), await shop.buyer(), await shop.buyer()]
      store.clock.advance(startOf('2026-11-25').getTime() - 1 - store.clock.now().getTime())
      expect(await redeem(one, codes[0])).toMatchObject({ amount: 100 })
      store.clock.advance(1)
      expect((await other.post('/wallet/redeem', { code: codes[1] })).body).toMatchObject({
        code: 'CODE_INVALID',
        message: 'This code was valid until 24/11/2026.',
      })
      expect(await redeem(other, codes[0])).toBe('409 CODE_USED')
      expect(await balanceOf(other)).toBe(0)
    }))

  test('of an ended batch is worth nothing; what was redeemed stays', () =>
    withCodes(async ({ shop, make }) => {
      const [{ id, codes }, one, other] = [await make(), await shop.buyer(), await shop.buyer()]
      await redeem(one, codes[0])
      const ended = await shop.owner.api.wallet.endCodes({ id })
      expect(await shop.owner.api.wallet.endCodes({ id })).toEqual(ended)
      expect(await redeem(other, codes[1])).toBe('404 CODE_INVALID')
      expect(await redeem(other, codes[0])).toBe('409 CODE_USED')
      expect([await balanceOf(one), await balanceOf(other)]).toEqual([100, 0])
    }))
})

describe('what is typed in', () => {
  test('is read as people write it: case, spaces, dashes, O and I, other digits, a link, a sentence', () =>
    withCodes(async ({ shop, make }) => {
      const buyer = await shop.buyer()
      // A code of every kind of letter, however many it takes
      const written = async (): Promise<string> => {
        const { codes } = await make({ count: 1_000, amount: 1, sold: true })
        return codes.find((code) => /0/.test(code) && /1/.test(code)) ?? written()
      }
      const code = await written()
      const answer = await redeem(buyer, code)
      expect(answer).toMatchObject({ amount: 1 })
      const wide = (text: string) =>
        text.replaceAll(/[\dA-Z]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfe_e0))
      for (const way of [
        code.toLowerCase(),
        ` ${code.replaceAll('-', ' ')}\n`,
        code.replaceAll('-', ''),
        code.replaceAll('-', '–'),
        code.replaceAll('0', 'o').replaceAll('1', 'l'),
        code.replaceAll('0', 'O').replaceAll('1', 'I'),
        wide(code),
        `\u200b${code.replaceAll('-', '-\u200d')}\u2060`,
        `https://keys.example/add-balance#code=${code}`,
        `Your gift: ${code.toLowerCase()}. Enjoy!`,
        code.split('').join(' '),
      ])
        expect(await redeem(buyer, way), way).toEqual(answer)
    }))

  test('is refused and never kept where it is none, also as a flood or in disguise', () =>
    withCodes(async ({ shop, make }) => {
      const [{ codes }, buyer] = [await make(), await shop.buyer()]
      const [code = ''] = codes
      for (const none of [
        "'",
        "' or 1=1 --",
        '',
        ' ',
        '-',
        'x'.repeat(10_000),
        `${' '.repeat(2_000)}${code}`,
        code.slice(0, -1),
        `${code}7`,
        code.replace(/^./, 'К'),
        `U${code.slice(1)}`,
        `${code} ${code}x`.replaceAll('-', ''),
        '%00',
        '{{7*7}}',
        '<script>alert(1)</script>',
        '٠٠٠٠-٠٠٠٠-٠٠٠٠-٠٠٠٠',
        'K7QM-2XRD-94HW-TB5N',
        'e\u0301'.repeat(400),
      ])
        expect(await redeem(buyer, none), none.slice(0, 40)).toBe('404 CODE_INVALID')
      for (const none of [null, 7, true, [code], { code }, undefined, '\0'])
        expect(await redeem(buyer, none)).toBe('400 INVALID_INPUT')
      expect(await balanceOf(buyer)).toBe(0)
    }))

  test('is limited to ten wrong ones an hour, and the right one is taken all the same', () =>
    withCodes(
      async ({ store, shop, make }) => {
        const [{ codes }, buyer] = [await make(), await shop.buyer()]
        const wrong = () => redeem(buyer, 'K7QM-2XRD-94HW-TB5N')
        for (let n = 0; n < 10; n++) expect(await wrong()).toBe('404 CODE_INVALID')
        expect(await wrong()).toBe('429 RATE_LIMITED')
        expect(await redeem(buyer, codes[0])).toMatchObject({ amount: 100 })
        expect(await redeem(buyer, codes[1])).toBe('409 ONE_EACH')
        store.clock.advance(3_600_001)
        expect(await wrong()).toBe('404 CODE_INVALID')
      },
      { rateLimitScale: 1 },
    ))
})

describe('a batch', () => {
  test('counts in its maker’s day as a whole, however it is cut, and redeeming counts nothing', () =>
    withCodes(async ({ store, shop }) => {
      const thief = await unproven(shop, 'payments')
      const ask = async (more: object) => (await thief.post('/codes', codeForm(store, more))).body.code
      expect(await ask({ count: 1_000, amount: 10.01 })).toBe('STEP_UP_REQUIRED')
      expect(await ask({ count: 50, amount: 100 })).toBeUndefined()
      expect(await ask({ count: 50, amount: 100 })).toBeUndefined()
      expect(await ask({ count: 1, amount: 1 })).toBe('STEP_UP_REQUIRED')
      expect(await store.db.count(sql`select count(*) from redeem_codes`)).toBe(100)
    }))

  test('takes no other terms', () =>
    withCodes(async ({ store, shop }) => {
      const field = async (more: object) =>
        Object.keys((await shop.owner.post('/codes', codeForm(store, more))).body.fields ?? {})
      for (const [name, values] of Object.entries({
        name: ['', ' ', 'x'.repeat(61), 'a\u202eb', null],
        count: [0, -1, 1_001, 1.5, '1e2', 'NaN', null],
        amount: [0, 0.99, 10_000.01, -5, '1e4', Number.MAX_SAFE_INTEGER],
        codeUntil: ['2026-11-19', '2028-11-20', '2026-02-30', 'tomorrow', ''],
        creditDays: [6, 731, 0.5, null],
        sold: ['maybe', 2],
      }))
        for (const value of values) expect(await field({ [name]: value }), `${name} ${value}`).toEqual([name])
      expect(await field({ name: 'Diwali', codeUntil: '2026-11-20', creditDays: 730, count: 1_000 })).toEqual([])
    }))

  test('leaves no text of a code in the database, and is in the log of admins without any', () =>
    withCodes(async ({ store: { db }, shop, make }) => {
      const [{ id, codes }, buyer] = [await make(), await shop.buyer()]
      await redeem(buyer, codes[0])
      await shop.owner.api.wallet.endCodes({ id })
      const tables = await db.texts(sql`
        select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
      const texts = codes.flatMap((code) => [code, code.replaceAll('-', '')])
      for (const table of tables)
        expect(
          await db.count(sql`
            select count(*) from ${prepared(table)} kept
             where exists (select from unnest(${texts}::text[]) text where kept::text ilike '%' || text || '%')`),
          table,
        ).toBe(0)
      const { entries } = await shop.owner.api.reports.audit({ limit: 2 })
      expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
        ['codes.end', `Diwali (${id})`],
        ['codes.create', `Diwali (${id})`],
      ])
    }))

  test('forgets its unused codes 90 days after its end', () =>
    withCodes(async ({ store, shop, make }) => {
      const [{ codes }, buyer] = [await make(), await shop.buyer()]
      await redeem(buyer, codes[0])
      const forget = (days: number) =>
        forgetCodes(store.db, new Date(store.clock.now().getTime() + (days - 90) * DAY_MS))
      expect(await forget(120)).toBe(0)
      expect(await forget(122)).toBe(1)
      expect(await redeem(buyer, codes[0])).toMatchObject({ amount: 100 })
    }))
})
