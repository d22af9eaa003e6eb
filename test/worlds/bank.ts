/** A bank account of a test store, and statements of it. */
import type { BankAccount } from '../../contract/bank-shapes.ts'
import { nextUtr, type Shop } from './shop.ts'
import { TEST_NOW } from './constants.ts'

export interface Row {
  refs?: readonly string[]
  /** In rupees; below zero for money that left. */
  amount?: number
  /** YYYY-MM-DD. */
  day?: string
  payer?: string
  vpa?: string
  narration?: (ref: string) => string
}

const TODAY = TEST_NOW.slice(0, 10)
let tails = 100_000

export async function account(shop: Shop, { feedsStore = true, bank = 'HDFC' } = {}): Promise<BankAccount> {
  return shop.owner.api.bank.createAccount({ bank, label: 'Shop', tail: String((tails += 1)), feedsStore })
}

const inIndia = (day: string) => day.split('-').toReversed().join('/')

interface Period {
  tail?: string
  from?: string
  to?: string
  /** In rupees. */
  opening?: number
}

/** A statement in the layout of HDFC's net banking, whose balances add up from ₹1,00,000. */
export function statementOf(
  rows: readonly Row[],
  { tail, from = TODAY, to = TODAY, opening = 100_000 }: Period = {},
): string {
  let balance = opening * 100
  const lines = rows.map(({ refs = [nextUtr()], amount = 100, day = TODAY, narration, ...who }) => {
    const [ref = ''] = refs
    balance += Math.round(amount * 100)
    const { payer = 'RAVI KUMAR', vpa = `R${ref}@OKAXIS` } = who
    const text = narration?.(ref) ?? `UPI-${payer}-${vpa}-UTIB0000123-${ref}-WALLET`
    const [debit, credit] = amount < 0 ? [(-amount).toFixed(2), ''] : ['', amount.toFixed(2)]
    const column = refs[1] ?? (ref === '' ? '' : `0000${ref}`)
    return [inIndia(day), text, column, inIndia(day), debit, credit, (balance / 100).toFixed(2)].join(',')
  })
  return [
    ...(tail === undefined ? [] : [`Account No : 501000${tail}   OTHER,,,,,,`]),
    `Statement From : ${inIndia(from)} To : ${inIndia(to)},,,,,,`,
    'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
    ...lines,
    ',,,,,,',
    'STATEMENT SUMMARY  :-,,,,,,',
    'Opening Balance,Dr Count,Cr Count,Debits,Credits,Closing Bal,',
    `${opening.toFixed(2)},0,0,0,0,${(balance / 100).toFixed(2)},`,
  ].join('\n')
}

/** The same in the layout of ICICI's, of money that came: without a column for the reference. */
export function iciciStatementOf(
  rows: readonly Required<Pick<Row, 'amount' | 'day' | 'narration'>>[],
  { tail = '', from = TODAY, to = TODAY, opening = 100_000 }: Period,
): string {
  let balance = opening
  const lines = rows.map(({ amount, day, narration }, n) => {
    balance += amount
    const figures = ['0.00', amount.toFixed(2), balance.toFixed(2)]
    return [n + 1, inIndia(day), inIndia(day), '-', narration(''), ...figures].join(',')
  })
  return [
    `Account Number,,14200151${tail} ( INR )  - SHOP,,,,,,`,
    `Transaction Date from,,${inIndia(from)},to,${inIndia(to)},,,,,`,
    'S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,' +
      'Withdrawal Amount (INR ),Deposit Amount (INR ),Balance (INR )',
    ...lines,
  ].join('\n')
}

export const imported = (shop: Shop, accountId: string, rows: readonly Row[], period: Period = {}) =>
  shop.owner.api.bank.import({ text: statementOf(rows, period), accountId })

/** Unclaimed money. */
export async function credited(
  shop: Shop,
  row: Row = {},
): Promise<{ creditId: string; accountId: string; utr: string }> {
  const utr = nextUtr()
  const { _id: accountId } = await account(shop)
  await imported(shop, accountId, [{ refs: [utr], ...row }])
  const { credits } = await shop.owner.api.bank.credits({ search: utr })
  return { creditId: credits[0]?._id ?? '', accountId, utr }
}

/** A pending request, and a statement with its money. */
export async function confirmed(
  shop: Shop,
  { amount = 100, shown = amount, ...row }: Row & { amount?: number; shown?: number } = {},
): Promise<{ id: string; utr: string; creditId: string; accountId: string }> {
  const utr = nextUtr()
  const buyer = await shop.buyer()
  const { payment } = await buyer.api.payments.addMoney({ amount, utr, payerName: '9876543210' })
  const { _id: accountId } = await account(shop)
  await imported(shop, accountId, [{ refs: [utr], ...row, amount: shown }])
  const { credits } = await shop.owner.api.bank.credits({ search: utr })
  return { id: payment._id, utr, creditId: credits[0]?._id ?? '', accountId }
}

export const rules = (more: object = {}) => ({
  mode: 'propose' as const,
  trusts: 'statement' as const,
  perRequest: 2_000,
  perBuyerDay: 5_000,
  perDay: 25_000,
  unprovenMax: 10_000,
  ...more,
})
