/** What a phone sends where banks write as differently as the samples have it (test/bank/wordings.json). */
import { readWording, WORDINGS } from '../../test/bank/wordings.ts'
import { alertOf } from '../../test/worlds/phones.ts'

const TELLS = ['credit', 'proposed', 'hint']

/** Of each sample that tells of money: whether the store reads it, proposes it, or takes it for a hint. */
export const MIX = WORDINGS.map((wording) => readWording(wording, new Date(wording.at)).outcome).filter((outcome) =>
  TELLS.includes(outcome),
)

interface Told {
  amount: string
  ref: string
  day: string
  vpa: string
}

/** @returns an alert of this money, in a form that the store takes as it takes one of the samples */
export function mixedAlertOf({ amount, ref, day, vpa }: Told): string {
  const outcome = MIX[Number(ref.slice(-6)) % MIX.length]
  if (outcome === 'credit') return alertOf({ amount, ref, day, vpa })
  const money = `A/c XX5678 is credited with Rs.${amount} on ${day} by ${vpa}`
  return outcome === 'proposed' ? `${money} (UPI Ref No ${ref}) -HDFC` : `${money} -HDFC`
}
