import { own, t } from '../platform/i18n.ts'
import { useFace } from '../platform/calls/site.ts'
import { Link } from '../platform/navigation/router.tsx'
import { buttonClass } from '../ui/buttons/button.tsx'
import { KeyRound, ReceiptIndianRupee, Wallet } from 'lucide-react'

/** Greets visitors in the balance's place and leads them to log in or sign up. */
export function VisitorPanel() {
  const face = useFace()
  return (
    <section
      className={
        'glow grid items-end gap-5 rounded-panel border border-line ' +
        'bg-surface p-5 sm:p-7 wide:grid-cols-[1fr_auto]'
      }
    >
      <div>
        <h2 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">
          {own(face, 'heroLine') || t('Licence keys, delivered instantly')}
        </h2>
        <p className="mt-2 max-w-prose text-fg-2">
          {t('Add money by UPI, buy with your wallet and get your key instantly.')}
        </p>
      </div>
      <ThreeSteps />
      <div className="flex flex-wrap gap-2">
        <Link to="/signup" className={buttonClass({}, 'max-sm:flex-1')}>
          {t('Create account')}
        </Link>
        <Link to="/login" className={buttonClass({ variant: 'secondary' }, 'max-sm:flex-1')}>
          {t('Login')}
        </Link>
      </div>
    </section>
  )
}

const STEPS = [
  { Icon: Wallet, text: () => t('Pay by UPI') },
  { Icon: ReceiptIndianRupee, text: () => t('Send the UTR') },
  { Icon: KeyRound, text: () => t('Get your key') },
]

/** Shows a visitor how buying works, for people who look rather than read. */
function ThreeSteps() {
  return (
    <ol className="grid grid-cols-3 gap-2 text-center sm:gap-6 text-sm text-fg-2 large-text:grid-cols-1">
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
