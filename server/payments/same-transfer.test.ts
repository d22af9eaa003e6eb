import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { fileRequest, givenAdminCall, servicesOf } from '../../test/services.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql } from '../platform/database/database.ts'
import { rejectTopUp } from './decide-top-up.ts'
import { readRiskSignals } from './risk-signals.ts'

const NOW = new Date(TEST_NOW)

test('one transfer stays one transfer in every disguise, until its claim is rejected', () =>
  withDatabase(async (db) => {
    const [services, admin] = [servicesOf(db), await givenAdminCall(db)]
    const [buyer, other] = [await givenUser(db), await givenUser(db)]
    const disguises = [
      '4123 4567 8901',
      ' 412345678901\n',
      '4123-4567-8901',
      '0000412345678901',
      'UTR: 412345678901',
      'utr no. 412345678901',
      'Ref No:412345678901',
      'UPI Ref No. 412345678901',
      '４１２３４５６７８９０１',
      '४१२३४५६७८९०१',
      '4123\u200b4567\u200d8901',
      '4123–4567—8901',
      '4123_4567_8901',
      '(412345678901)',
      'SBIN412345678901',
      'hdfc 4123 4567 8901',
      'N000412345678901',
      'SBIN412345678901X',
      'SBINR12345412345678901',
    ]
    const { payment } = await fileRequest(services, buyer, { utr: '412345678901' })

    for (const utr of disguises)
      await expect(fileRequest(services, other, { utr }), utr).rejects.toMatchObject({ code: 'UTR_ALREADY_USED' })

    await rejectTopUp(services, { id: payment._id, reason: 'Not found at the bank' }, admin)
    const again = await fileRequest(services, other, { utr: disguises[0] ?? '' })
    expect(again.payment.utr).toBe('412345678901')
  }))

const NUMBER = '412345678901'

const HOLDS_IT: Record<string, string> = {
  'a bank’s letters': `SBIN${NUMBER}`,
  'zeros before it': `N000${NUMBER}`,
  'ten characters before it': `SBINR12345${NUMBER}`,
  'ten characters behind it': `SBIN${NUMBER}123456`,
  'digits on both sides': `HDFC123${NUMBER}456`,
  'letters inside': 'HDFC4123A4567B8901',
}

test.each(Object.entries(HOLDS_IT))(
  'a number with %s is the same transfer, whichever of the two is claimed first',
  (_, utr) =>
    withDatabase(async (db) => {
      const services = servicesOf(db)
      const [buyer, other] = [await givenUser(db), await givenUser(db)]
      const refused = { code: 'UTR_ALREADY_USED' }

      const { payment } = await fileRequest(services, buyer, { utr })
      await expect(fileRequest(services, other, { utr: NUMBER })).rejects.toMatchObject(refused)
      await db.run(sql`update topup_requests set utr = '999999999999' where id = ${payment._id}`)
      await fileRequest(services, other, { utr: NUMBER })
      await expect(fileRequest(services, buyer, { utr })).rejects.toMatchObject(refused)
    }),
)

// [the first claim, the same transfer in another form]
const SAME_NUMBER: Record<string, [string, string]> = {
  'of eleven digits with a letter behind it': ['AXISP00123456789', 'AXISP00123456789X'],
  'of eleven digits with the letters of another bank': ['AXISP00123456789', 'UTIBP00123456789'],
  'of eleven digits with an O for a zero': ['AXISP00123456789', 'AXISP0O123456789'],
  'of eleven digits with a letter behind it that could be a one': ['AXISP00123456789', 'AXISP00123456789L'],
  'of twelve digits with an O for a zero': [NUMBER, 'SBIN4123456789O1'],
  'of twelve digits with an I and an L for ones': [NUMBER, 'SBIN4I234567890L'],
  'of twelve digits with a letter in it that could be a one': [NUMBER, 'SBIN41234L5678901'],
  'with the same O for a zero and other letters': ['SBIN4123456789O1', 'HDFCX4123456789O1Y'],
  'with an S for a five and a B for an eight': ['HDFC495393895161', 'HDFC49S393B95161'],
  'with a Z for a two and a G for a six': ['UTIBN52026112012345', 'UTIBN5Z02G112012345'],
  'of twelve digits with letters from the first one on': ['512345678902', 'SIZ3456789O2'],
  'of twelve digits that begin like a bank’s letters': ['588112345678', 'SBBI12345678'],
  'of an unusual form with letters that could be digits': ['AB12345678', 'A812345G7B'],
  'of few digits with letters that could be digits': ['QWERTYU1P5', 'QWERTYUIP5'],
}

test.each(Object.entries(SAME_NUMBER))(
  'a number %s is the same transfer, whichever is claimed first, and a sign once it was rejected',
  (_, pair) =>
    withDatabase(async (db) => {
      const [services, admin] = [servicesOf(db), await givenAdminCall(db)]
      const [buyer, other] = [await givenUser(db), await givenUser(db)]
      for (const [first, second] of [pair, pair.toReversed() as [string, string]]) {
        const { payment: unlike } = await fileRequest(services, buyer, { utr: 'PUNBH26324000001' })
        const { payment } = await fileRequest(services, buyer, { utr: first })
        const again = fileRequest(services, other, { utr: second })
        await expect(again, `${first}, then ${second}`).rejects.toMatchObject({ code: 'UTR_ALREADY_USED' })

        await rejectTopUp(services, { id: payment._id }, admin)
        const { payment: next } = await fileRequest(services, other, { utr: second })
        const signs = await readRiskSignals(db, [unlike._id, next._id])
        expect(signs.get(next._id)).toMatchObject({ utrRejectedBefore: true })
        expect(signs.get(unlike._id)).toMatchObject({ utrRejectedBefore: false })
        await db.run(sql`update topup_requests set utr = '999999999999', status = 'rejected', decided_at = ${NOW}`)
      }
    }),
)

test('references that banks give to different transfers are different, however alike', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    for (const utr of [
      '412345678901',
      '412345678902',
      '000345678901',
      '632445678901',
      'SBIN632412000001',
      'SBIN632412000002',
      'HDFC632412000003',
      'N324261234567890',
      'N324261234567891',
      'N325261234567892',
      'UTIBN52026112012345',
      'UTIBN52026112012346',
      'UTIBN52026112112345',
      'SBIN526324000001',
      'ICICN52026112012347',
      'AXISP00123456789',
      'HDFCR52026112087654321',
      'HDFCR52026112087654322',
      'HDFCR52026112187654321',
      'ICICR52026112000000124',
      'SBINR52026112000000123',
      // Honest references also have letters that could be digits
      'CITIO20012345678',
      'CITIO20012345679',
      'YESBL20012345680',
      'IDIBI20012345681',
      'KOLKOIL20260000001',
      'KOLKOIL20260000002',
      'BARBS25046000011',
      'BARBS25046000012',
      'YESBG25046000013',
      'KKBKB25046000014',
      // Some banks have forms of their own
      'AXB2611201234567',
      'AXB2611201234568',
      '26112012',
      '26112013',
      'P2M7QX81',
      'P2M8QX71',
      'P2N7QX81',
    ]) {
      const { payment } = await fileRequest(services, await givenUser(db), { utr })
      expect(payment.utr, utr).toBe(utr)
    }
  }))
