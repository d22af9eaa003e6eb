/**
 * What people in India have reported of payments, frozen accounts and turnover, and test data of other programs, played
 * here. Each names its source: owner/name#number of a public thread, a repository, or a page.
 */
import { describe, expect, test } from 'vitest'
import { dayOf, financialYear, yearText } from '../contract/india.ts'
import { paise } from '../contract/money.ts'
import { HELD_BY_BANK } from '../contract/reason-words.ts'
import { isVpa, upiLink } from '../contract/upi.ts'
import { readYear, tellTurnover } from '../server/books/read-year.ts'
import { sql } from '../server/platform/database/database.ts'
import { saveStore } from '../server/settings/save-settings.ts'
import { withDatabase } from './database.ts'
import { givenAdminCall, servicesOf } from './services.ts'
import { withStore } from './store.ts'
import { givenProduct } from './worlds/given.ts'
import { nextUtr, openShop } from './worlds/shop.ts'
import { readStatement } from './worlds/statements.ts'

describe('UPI IDs', () => {
  // mastermunj/format-utils, stripe/stripe-ios, @s2b of Standard Chartered, and IDs of shops on the web
  test.each([
    'amazing-uid@upi',
    'random9999@upi',
    'vpa_with_underscore@upi',
    'vpa-with-hyphen@upi',
    'vpa.with.dot@upi',
    '9876543210@upi',
    'stripe.9897605011@paytm',
    'payment.pending@stripeupi',
    'test30c_123@numberofcharacters',
    'shravyatours23@okicici',
    '9488467006@fam',
    'whycode.pay@icici',
    'shop@s2b',
    'Q123456789@ybl',
    'paytmqr281005050101abc@paytm',
    'gpay-11223344556@okbizaxis',
    'BHARATPE.9000000000@fbpe',
  ])('%s is one', (vpa) => {
    expect(isVpa(vpa)).toBe(true)
  })

  test.each(['with#hash@upi', 'with space@upi', 'with@at@upi', 'test@stripe.com', 'stripe@gmail.com', 'stripe', ''])(
    '%j is none',
    (text) => {
      expect(isVpa(text)).toBe(false)
    },
  )

  // drenther/upi_pay#1 and #15 (SBI Pay), openMF/mifos-pay#2029, hashgraph/hedera-wallet-android#78
  test('keep their @ in the link, and blanks are %20', () => {
    const link = upiLink('abc.d@okhdfcbank', 'Khushi  Jain & Sons', '499.00', 'ravi')
    expect(link).toBe(
      'upi://pay?pa=abc.d@okhdfcbank&pn=Khushi%20Jain%20Sons&am=499.00&cu=INR&tn=Wallet%20Recharge%20ravi',
    )
  })

  // jorenvh/laravel-share#101 and names of eazypay codes: a name that loses its signs keeps its words apart
  test.each([
    ['M/S.BENCO', 'M S BENCO'],
    ['K.V.S.R.MURTHY', 'K V S R MURTHY'],
    ['RAO,K', 'RAO K'],
    ['ALICE/BOB', 'ALICE BOB'],
    ["D’SOUZA O'CONNOR", 'DSOUZA OCONNOR'],
    ['क्\u200dष', 'क्ष'],
    ['A#B 100% + &am=1', 'A B 100 am 1'],
  ])('%j is %j in the link', (name, pn) => {
    expect(new URL(upiLink('a@ybl', name, '1.00')).searchParams.get('pn')).toBe(pn)
  })
})

// Headings of public readers of statements, the names that RazorpayX and Worldpay take, and names of real QR codes
test('names that banks have are taken as UPI apps show them', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const wrong: string[] = []
    for (const payeeName of [
      'Mr. RAHUL KUMAR',
      'MRS. SWATI NITIN BHOKARE',
      'M/S. TAWAKKAL TRADERS',
      'M/S TAWAKKAL (ASIM FAZILI)',
      'MS.. JI INDUSTRIES',
      'RAVI KUMAR, PROP',
      'Khushi  Jain',
      'D’SOUZA STORES',
      "O'CONNOR ST. JOHN",
      'Anna-Marie Johnson',
      'MR RAVI_KUMAR',
      'राहुल शर्मा',
      'W'.repeat(50),
      // Couchers-org/couchers#9183, LuteOrg/lute-v3#333, affaan-m/ECC#2655: scripts that join letters by a sign unseen
      'क्\u200dषितिज',
      'অভি র\u200d্যাম',
      'ශ්\u200dරී ලංකා',
      'അവന്\u200d നായര്\u200d',
      'முருகன்',
      'રમેશભાઈ',
      'محمد خان',
      // eazypay and BharatPe codes of shops on the web
      'M/S.BENCO (FRMY KN AS BDAS) PVT LTD',
      'M/s Krishan Enterprises',
      'Neha Jain D/o Santosh',
      'GHISULAL HUF',
    ]) {
      const { status, body } = await owner.put('/settings/upi', { payeeName })
      if (status !== 200 || body.payeeName !== payeeName) wrong.push(payeeName)
    }
    expect(wrong).toEqual([])
    // paycrest/noblocks#698: what is no name was shown as a name that was checked
    const none = ['...', '-', '9876543210', 'RAVI\u200dKUMAR', '\u200fمحمد', 'RAVI ☕', 'RAVI\nKUMAR']
    for (const payeeName of ['W'.repeat(51), '<script>', 'RAHUL\u202eKUMAR', 'pay@ybl', '100%', ...none])
      expect((await owner.put('/settings/upi', { payeeName })).status, payeeName).toBe(400)
  }))

test.each([
  ['Account Name : Mr. RAHUL KUMAR', 'RAHUL KUMAR'],
  ['Account Name : MRS. SWATI NITIN BHOKARE', 'SWATI NITIN BHOKARE'],
  ['Account Name : MR CHARTIST,,,,', 'CHARTIST'],
  ['Account Name : M/S TAWAKKAL (ASIM FAZILI)', 'M/S TAWAKKAL (ASIM FAZILI)'],
  ['Customer Name : MS.. JI INDUSTRIES', 'JI INDUSTRIES'],
  ['TO:,,,,', null],
])('a statement under %j belongs to %s', (heading, holder) => {
  const row = '05/11/2026,UPI/CR/630512345678/A/HDFC/x,,5.00,5.00'
  expect(readStatement(`${heading}\nTxn Date,Particulars,Debit,Credit,Balance\n${row}`).holder).toBe(holder)
})

// UPI IDs of shops on the web stand in capitals (MSSHREEACADEMY.eazypay@icici) and are the same in small letters
test('the same UPI ID in other letters keeps its name, and payments to it', () =>
  withStore(async (store) => {
    const { owner, buyer } = await openShop(store)
    await owner.api.settings.saveUpi({ upiId: 'MSACADEMY.eazypay@icici', payeeName: 'M/S ACADEMY' })
    await owner.api.settings.saveUpi({ upiId: 'msacademy.eazypay@ICICI' })
    expect(await owner.api.settings.upi({})).toMatchObject({
      upiId: 'msacademy.eazypay@ICICI',
      payeeName: 'M/S ACADEMY',
    })
    await owner.api.settings.saveUpi({ upiId: 'other@ybl', payeeName: 'OTHER' })
    const { api } = await buyer()
    const payTo = 'MSACADEMY.EAZYPAY@icici'
    const { payment } = await api.payments.addMoney({ amount: 100, utr: nextUtr(), payerName: '9876543210', payTo })
    const { request } = await owner.api.proofs.read({ id: payment._id })
    expect(request.paidTo).toEqual({ upiId: 'msacademy.eazypay@ICICI', name: 'M/S ACADEMY' })
  }))

// bekifaayati.co, “New MHA SOP”: two complaints of ₹467 and ₹1,135 froze one account
test('of two held payments of one buyer, the first release keeps the buyer out', () =>
  withStore(async (store) => {
    const { owner, buyer } = await openShop(store)
    const { api, username } = await buyer()
    const held: string[] = []
    for (const amount of [467, 1_135]) {
      const { payment } = await api.payments.addMoney({ amount, utr: nextUtr(), payerName: '9876543210' })
      await owner.api.payments.approve({ id: payment._id })
      held.push(payment._id)
    }
    for (const id of held) await owner.api.proofs.hold({ id, note: 'NCRP 31912250012345' })
    expect((await owner.api.reports.overview({})).held).toMatchObject({ count: 2, amount: 1_602 })
    const reasons: (string | undefined)[] = []
    for (const id of held) {
      await owner.api.proofs.release({ id })
      reasons.push((await owner.api.users.list({ search: username })).users[0]?.blocked?.reason)
    }
    expect(reasons).toEqual([HELD_BY_BANK, undefined])
  }))

describe('the financial year', () => {
  // A public Dart helper says these; a public Java one reads March as the next year
  test.each([
    ['2025-03-31', '2024–25'],
    ['2025-04-01', '2025–26'],
    ['2025-01-15', '2024–25'],
    ['2024-12-20', '2024–25'],
    ['2027-03-01', '2026–27'],
    ['2008-04-01', '2008–09'],
    ['2100-03-31', '2099–00'],
  ])('of %s is %s', (day, text) => {
    expect(yearText(financialYear(day))).toBe(text)
  })

  test('turns at midnight in India', () => {
    expect(['2027-03-31T18:29:59.999Z', '2027-03-31T18:30:00Z'].map((at) => financialYear(dayOf(at)))).toEqual([
      2026, 2027,
    ])
  })

  // masalamirror.com: notices for 2021–22 to 2024–25 at once
  test('can be asked for before the store began', () =>
    withDatabase(async (db) => {
      for (const year of [2021, 2024]) {
        const { months, total, unspent } = await readYear(db, year, new Date('2026-12-01T00:00:00Z'))
        expect(months.map(({ month }) => month.slice(5)).join(' ')).toBe('04 05 06 07 08 09 10 11 12 01 02 03')
        expect([total.received, total.sales, unspent]).toEqual([0, 0, 0])
      }
    }))

  // efiletax.in: ₹3,000 a day is ₹10,95,000 a year. pti: who reaches the line must register
  test('of ₹3,000 a day has ₹10,95,000, and says when its sales reach the line', () =>
    withDatabase(async (db) => {
      const { priceId } = await givenProduct(db)
      await db.run(sql`
        insert into book_days (day, price_id, keys, revenue_paise, refunded_paise, bonus_paise, warranty_keys)
        select day, ${priceId}, 1, 300000, 0, 0, 0
          from generate_series('2025-04-01'::date, '2026-03-31', '1 day') day`)
      await db.run(sql`insert into book_closing (closed_through) values ('2025-04-30')`)
      const now = new Date('2026-04-01T00:00:00Z')
      // 334 days of ₹3,000, so the last of February reaches it to the rupee
      const line = paise(334 * 300_000)
      await saveStore(servicesOf(db), { turnoverLine: line }, await givenAdminCall(db))
      const told: string[] = []
      for (const [before, closed] of [
        ['2026-02-26', '2026-02-27'],
        ['2026-02-27', '2026-02-28'],
        ['2026-03-30', '2026-03-31'],
      ] as const) {
        await db.run(sql`update book_closing set closed_through = ${closed}`)
        await tellTurnover(db, before, now)
        told.push((await db.texts(sql`select dedupe from outbox_messages where kind = 'books.turnover'`)).join(' '))
      }
      expect(told).toEqual(['', 'books.turnover:2025:100:1002000', 'books.turnover:2025:100:1002000'])
      // trak.in: the line is ₹40 lakh for who sells goods. Who learns it late hears of that line, too
      await saveStore(servicesOf(db), { turnoverLine: paise(364 * 300_000) }, await givenAdminCall(db))
      await tellTurnover(db, '2026-03-29', now)
      expect(await db.count(sql`select count(*) from outbox_messages where kind = 'books.turnover'`)).toBe(2)
      expect((await readYear(db, 2025, now)).total.sales).toBe(1_095_000)
    }))
})
