/** A bank account for the demo, requests that wait, and statements. */
import { dayAfter, dayOf } from '../../contract/india.ts'
import { type Demo } from './month.ts'

export const ACCOUNT = { bank: 'HDFC', label: 'Store account', tail: '5678', feedsStore: true }
/** Eleven, with the three that wait already. */
const WAITING = [
  ['diya', 300],
  // Large: a panel asks once before it approves it by hand
  ['kabir', 12_000],
  ['meera', 500],
  ['rohan', 1_200],
  ['isha', 150],
  ['meera', 600],
  ['rohan', 2_000],
  ['isha', 450],
] as const
const STRANGERS = ['RAVI KUMAR', 'MEENA DEVI', 'IMRAN ALI', 'GOPAL TRADERS', 'SUNITA RAO']
const CREDITS = 30
const OPENING_PAISE = 18_450_75

/**
 * Adds requests: nine that the statement confirms, one of another amount, and one that two claim.
 * @returns the statement, to be dropped on the queue
 */
export async function openBank({ owner, buyers, now, dice, topUp }: Demo): Promise<string> {
  for (const [name, amount] of WAITING) await topUp(name, amount)
  const { payments } = await owner.payments.list({ status: 'pending', limit: 20 })
  const [another, contested] = payments
  await buyers
    .get('diya')
    ?.payments.addMoney({ amount: contested?.amount ?? 1, utr: contested?.utr ?? '', payerName: '9812345670' })
    .catch(() => {})
  const claimed = payments.map(({ utr, amount, userId }) => {
    const name = userId?.username ?? 'buyer'
    return { utr, rupees: utr === another?.utr ? 100 : amount, name: name.toUpperCase(), vpa: `${name}@okaxis` }
  })
  const others = Array.from({ length: CREDITS - claimed.length }, (_, index) => {
    const name = STRANGERS[dice(STRANGERS.length)] ?? ''
    const vpa = `${name.split(' ')[0]?.toLowerCase()}${index}@oksbi`
    return { utr: String(402_700_000_000 + index * 7_919 + dice(7_000)), rupees: 50 * (1 + dice(30)), name, vpa }
  })
  return statementOf([...others, ...claimed], now)
}

export function statementOf(
  credits: readonly { utr: string; rupees: number; name: string; vpa: string }[],
  now: Date,
): string {
  const day = (daysAgo: number): string => dayAfter(dayOf(now), -daysAgo).split('-').toReversed().join('/')
  let balance = OPENING_PAISE
  const text = (paise: number): string => (paise / 100).toFixed(2)
  const lines = credits.map(({ utr, rupees, name, vpa }) => {
    balance += rupees * 100
    const narration = `UPI-${name}-${vpa.toUpperCase()}-UTIB0000123-${utr}-UPI`
    return [day(0), narration, `0000${utr}`, day(0), '', text(rupees * 100), text(balance)].join(',')
  })
  return [
    'Account No : 50100000005678   OTHER,,,,,,',
    `Statement From : ${day(1)} To : ${day(0)},,,,,,`,
    'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
    ...lines,
    ',,,,,,',
    'STATEMENT SUMMARY  :-,,,,,,',
    'Opening Balance,Dr Count,Cr Count,Debits,Credits,Closing Bal,',
    `${text(OPENING_PAISE)},0,${credits.length},0.00,${text(balance - OPENING_PAISE)},${text(balance)},`,
    '',
  ].join('\n')
}
