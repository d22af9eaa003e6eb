import { expect, test } from 'vitest'
import { nextUtr, openShop } from '../../../test/worlds/shop.ts'
import { withStore } from '../../../test/store.ts'
import { REJECT_REASONS } from '../../../contract/review-requests.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { ACCOUNT_CLOSED, bankShows } from '../../../contract/top-up-reasons.ts'
import { sql } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { keepUsersLanguage } from '../../users/access/accounts.ts'
import { describe, readersLanguage } from '../words.ts'

const KINDS = ['account.proof', 'account.reset', 'account.new-device', 'account.password-changed', 'credit.lapsing']

test('a message is in the language that its reader has chosen, and in English until then', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer()
    const now = store.clock.now()
    const say = async (kind: string) => {
      const message = {
        id: newId(),
        kind,
        userId: buyer.id,
        subjectId: null,
        data: { amount: 12_300 },
        goneAfter: new Date(now.getTime() + DAY_MS),
        createdAt: now,
        wasPutOff: false,
      }
      const reader = { userId: buyer.id, channel: 'email', target: buyer.id }
      const words = await describe(store.app.services, message, now, await readersLanguage(store.db, reader))
      if ('gone' in words) throw new Error(`${kind}: ${words.gone}`)
      return words
    }
    const isHindi = (text: string) => /\p{Script=Devanagari}/u.test(text)
    for (const kind of KINDS) {
      const { title, body, lang } = await say(kind)
      expect([kind, isHindi(title + body), lang]).toEqual([kind, false, undefined])
    }
    await keepUsersLanguage(store.db, buyer.id, 'hi')
    for (const kind of KINDS) {
      const { title, body, lang } = await say(kind)
      expect([kind, isHindi(title), isHindi(body), lang]).toEqual([kind, true, true, 'hi'])
    }
    expect((await say('credit.lapsing')).title).toContain('₹123')
    expect((await say('account.new-device')).body).not.toContain('ask the person')
  }))

test('a reason that the store itself gives is in the reader’s language, also with the amount that the bank shows', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer()
    const { payment } = await buyer.api.payments.addMoney({ amount: 500, utr: nextUtr(), payerName: '9876543210' })
    await shop.owner.api.payments.reject({ id: payment._id, reason: 'Another amount came' })
    const now = store.clock.now()
    const message = {
      id: newId(),
      kind: 'topup.rejected',
      userId: buyer.id,
      subjectId: payment._id,
      data: {},
      goneAfter: null,
      createdAt: now,
      wasPutOff: false,
    }
    for (const reason of [...REJECT_REASONS, ACCOUNT_CLOSED, bankShows(10_049_950)]) {
      await store.db.run(sql`update topup_requests set reason = ${reason} where id = ${payment._id}`)
      const words = await describe(store.app.services, message, now, 'hi')
      expect('body' in words && words.body.replaceAll('UTR', '')).not.toMatch(/[A-Za-z]/)
    }
  }))
