/** What a phone sends where banks write as differently as the samples have it (test/bank/wordings.json). */
import { readWording, WORDINGS } from '../../test/bank/wordings.ts'
import { alertOf } from '../../test/worlds/phones.ts'

const TELLS = ['credit', 'proposed', 'hint']

/** What the store makes of each sample that tells of money: it reads it, proposes it, or takes it for a hint. */
export const MIX = WORDINGS.map((wording) => readWording(wording, new Date(wording.at)).outcome).filter((outcome) =>
  TELLS.includes(outcome),
)

interface Told {
  amount: string
  ref: string
  day: string
  vpa: string
}

/** A sender that is in no list of banks. */
export const ADDED = 'ZQSHOP'
export const KNOWN = 'VM-HDFCBK-S'

/** This many of ten come from the added sender, both of the bank's alerts and of forged ones. */
const FROM_ADDED = 2

/**
 * @returns a message of this money, in a form that the store takes as it takes one of the samples, or from the sender
 *   that the owner adds; and what may come of it
 */
export function mixedAlertOf(told: Told): { message: { from: string; text: string }; mayCome: readonly string[] } {
  const { amount, ref, day, vpa } = told
  const number = Number(ref.slice(-6))
  const outcome = MIX[number % MIX.length] ?? ''
  const money = `A/c XX5678 is credited with Rs.${amount} on ${day} by ${vpa}`
  const plain = `${money} (UPI Ref No ${ref}) -HDFC`
  if (Math.floor(number / 1_000) % 10 < FROM_ADDED)
    return { message: { from: `VM-${ADDED}-S`, text: plain }, mayCome: ['refused', 'trial', 'proposed'] }
  const text = outcome === 'credit' ? alertOf(told) : outcome === 'proposed' ? plain : `${money} -HDFC`
  return { message: { from: KNOWN, text }, mayCome: [outcome] }
}
