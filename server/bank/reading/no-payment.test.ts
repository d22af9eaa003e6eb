import { describe, expect, test } from 'vitest'
import { readWording } from '../../../test/bank/wordings.ts'
import { readTransfer } from './references.ts'

const REF = '632545101877'
const AT = new Date('2026-11-28T10:00:00+05:30')
const said = (text: string) => readWording({ bank: 'SBI', tail: '1855', sender: 'VM-SBIUPI-S', text }, AT).outcome
const notified = (text: string) =>
  readWording({ bank: 'SBI', tail: '1855', sender: 'com.phonepe.app.business', text }, AT).outcome
const alertOf = (what: string) => `Rs.500.00 credited to A/c X1855 on 28-11-26 ${what} Avl Bal Rs.9,999.00 -SBI`

describe('money that came back', () => {
  test.each([
    `by RVSL-UPI/${REF}/SHOP.`,
    `Info: REV-UPI/${REF}/SHOP.`,
    `Info: R-UPI/${REF}/SHOP.`,
    `Info: UPIREV/${REF}/SHOP.`,
    `Info: UPI-RET-${REF}.`,
    `for RET of UPI txn Ref No ${REF}.`,
    `by NEFT RETURN-SBIN526347125003.`,
    `. Your failed txn Ref No ${REF} is credited back.`,
    `as UPI txn Ref No ${REF} is returned.`,
    `. Money was sent back, UPI Ref ${REF}.`,
    `by chargeback, UPI Ref ${REF}.`,
    `for refund by SHOP (UPI Ref ${REF}).`,
    `. UPI लेनदेन Ref No ${REF} वापस।`,
  ])('is none of a buyer’s: %s', (what) => expect(said(alertOf(what))).toBe('ignored'))

  test.each([
    `RVSL-UPI/${REF}/SHOP`,
    `REV-UPI/${REF}/SHOP`,
    `Credited back ${REF}`,
    `Amount returned ${REF}`,
    'NEFT-RET-SBIN526347125003',
    `FAILED UPI TXN ${REF}`,
    `UPI TXN FAILED ${REF}`,
    `UPI DEBIT REVERSAL ${REF}`,
    `UPI TIMEOUT REVERSAL/${REF}`,
    `R-UPI/${REF}/SHOP`,
    `R-UPI-SHOP-SHOP@YBL-SBIN0001234-${REF}-KEY`,
    `RV-UPI-SHOP-${REF}`,
    `BY TRANSFER-RVS/UPI/${REF}/SHOP`,
    `UPIREV/${REF}/SHOP`,
    `UPIRET ${REF}`,
    `IMPSREV-${REF}-SHOP`,
  ])('is a reversal in a statement: %s', (narration) => expect(readTransfer(narration, '', null).kind).toBe('reversal'))

  test.each([`UPI/RV KUMAR/${REF}/SBI`, `UPI/${REF}/R UPIRETI/SBI`, `UPI-R V RETNAM-RV@YBL-SBIN0001234-${REF}-KEY`])(
    'is a payment of somebody with such a name: %s',
    (narration) => expect(readTransfer(narration, '', null).kind).toBe('payment'),
  )

  test.each(['REV', 'RVSL', 'RET', 'REFUND', 'CRADJ', 'DRC', 'RRC'])('has this code behind UPI: %s', (code) => {
    expect(said(alertOf(`has credit for UPI/${code}/${REF}/28112026/ of Rs 73.00`))).toBe('ignored')
    for (const lead of ['', 'BY TRANSFER-', 'CEMTEX DEP ', 'BULK POSTING-'])
      expect(readTransfer(`${lead}UPI/${code}/${REF}/SHOP`, '', 'SBI').kind).toBe('reversal')
  })
})

describe('money that is still to come', () => {
  test.each([
    'will be credited on 05-12-26.',
    'shall be credited by evening.',
    'is to be credited on 05-12-26.',
    'आपके खाते में जमा कर दी जाएगी।',
    'आपके खाते में जमा किए जायेंगे।',
    'कल खाते में क्रेडिट होगा।',
  ])('is no hint of a buyer’s: %s', (what) => expect(said(`INR 500.00 A/c X1855 ${what} -SBI`)).toBe('ignored'))
})

describe('money of the bank and of payment apps', () => {
  test.each([
    'as Monthly interest.',
    'towards interest.',
    'towards SB interest.',
    'towards Interest paid till 31-10-26.',
    'by INT.PD 01-07-26 to 30-09-26.',
    'as cashback for your recharge.',
    'by NEFT SBIN526347125003 from PHONEPE PRIVATE LIMITED.',
    'by NEFT UTIB526347125003 ONE97 COMMUNICATIONS.',
    'as dividend.',
  ])('is no hint of a buyer’s: %s', (what) => expect(said(alertOf(what))).toBe('ignored'))

  test.each(['₹4,500 settled to your bank account', 'Payout of ₹4,500 received in your account'])('nor is %s', (text) =>
    expect(notified(text)).toBe('ignored'),
  )

  test.each([
    'INT.PD:01-07-2026 TO 30-09-2026',
    'CREDIT INTEREST CAPITALISED',
    'INTEREST PAID TILL 30-SEP-2026',
    'NEFT CR-YESB0000001-PHONEPE PRIVATE LIMITED-SHOP-YESBN12026112800512345',
    'IMPS-632545101877-ONE97 COMMUNICATIONS-YESB',
    'DAY SETTLEMENT 28/11/2026',
  ])('is the shop’s own in a statement: %s', (narration) => expect(readTransfer(narration, '', null).kind).toBe('own'))
})

describe('a buyer is one who is called so', () => {
  test.each(['REV KUMAR', 'RETURN GIFTS', 'INTERESTING BOOKS', 'RET SINGH', 'REVATHI', 'SETTLE'])('%s', (name) => {
    if (name !== 'SETTLE') expect(said(alertOf(`by ${name} (UPI Ref No ${REF}).`))).toBe('proposed')
    expect(readTransfer(`UPI/CR/${REF}/${name}/HDFC/r@ybl/refund`, '', null).kind).toBe('payment')
    expect(readTransfer(`IMPS/${REF}/${name}/HDFC`, '', null).kind).toBe('payment')
  })

  test.each(['Payment from PhonePe', 'Paid via Paytm', 'Sent using Paytm UPI', 'interest for books'])(
    'and who writes “%s”',
    (note) => {
      expect(readTransfer(`UPI/CR/${REF}/RAVI/HDFC/r@ybl/${note}`, '', null).kind).toBe('payment')
    },
  )
})
