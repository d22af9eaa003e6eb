import { KeyRound, ReceiptIndianRupee, Wallet } from 'lucide-react'
import { t } from '../platform/i18n.ts'

const STEPS = [
  { Icon: Wallet, text: () => t('Pay by UPI') },
  { Icon: ReceiptIndianRupee, text: () => t('Send the UTR') },
  { Icon: KeyRound, text: () => t('Get your key') },
]

/** Shows a visitor how buying works, for people who look rather than read. */
export function ThreeSteps() {
  return (
    <ol className="grid grid-cols-3 gap-2 text-center text-sm text-fg-2 large-text:grid-cols-1">
      {STEPS.map(({ Icon, text }, at) => (
        <li key={at} className="grid justify-items-center gap-1">
          <span className="grid size-11 place-items-center rounded-full bg-hover text-brand">
            <Icon size={20} aria-hidden />
          </span>
          {text()}
        </li>
      ))}
    </ol>
  )
}
