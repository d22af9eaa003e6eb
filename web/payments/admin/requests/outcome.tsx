import { CircleCheck, CircleX, Clock3 } from 'lucide-react'
import type { Payment } from '../../../../contract/payments.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { Chip } from '../../../ui/chip.tsx'
import type { Decision } from './decisions.ts'
import { useDecided } from './queries.ts'
import { creditedBy, decidedText } from './words.ts'

export function Fault({ decision }: { decision: Decision | undefined }) {
  return (
    <p role="alert" className="text-xs whitespace-normal text-bad empty:hidden wide:w-56 wide:text-right">
      {decision?.phase === 'failed' && decision.message}
    </p>
  )
}

const STATUS = {
  pending: { tone: 'warn', Icon: Clock3, label: () => t('Pending') },
  approved: { tone: 'ok', Icon: CircleCheck, label: () => t('Approved') },
  rejected: { tone: 'bad', Icon: CircleX, label: () => t('Rejected') },
} as const

interface OutcomeProps {
  payment: Payment
  decision: Decision | undefined
  isGone: boolean
}

/** Shows the result of a request, whether this admin or another one reviewed it. */
export function Outcome({ payment, decision, isGone }: OutcomeProps) {
  if (decision?.phase === 'done') return <Status payment={decision.payment} credited={creditedBy(decision.payment)} />
  // An earlier try may have decided it although its answer was lost.
  if (decision?.phase === 'failed' && !decision.retry) return <Fault decision={decision} />
  if (!isGone) return <Status payment={payment} />
  return decision ? <DecidedAfterAll payment={payment} /> : <DecidedElsewhere payment={payment} />
}

interface StatusProps {
  payment: Payment
  /** Rupees that this admin's decision credited. Undefined if another admin decided, or the answer was lost. */
  credited?: number
}

export function Status({ payment, credited }: StatusProps) {
  const { status, decidedBy, takenBack, held } = payment
  const { tone, Icon, label } = STATUS[status]
  return (
    <output className="grid justify-items-end gap-0.5">
      <Chip tone={tone} icon={<Icon size={13} aria-hidden />}>
        {takenBack ? t('Taken back') : label()}
      </Chip>
      {takenBack && takenBack.loss > 0 && (
        <span className="text-xs text-bad">{t('{amount} lost', { amount: formatRupees(takenBack.loss) })}</span>
      )}
      {held && (
        <Chip tone="warn" icon={<Clock3 size={13} aria-hidden />}>
          {t('Held by the bank')}
        </Chip>
      )}
      {credited !== undefined && status === 'approved' && (
        <span className="text-xs text-ok">{t('{amount} credited', { amount: formatRupees(credited) })}</span>
      )}
      {credited === undefined && decidedBy && (
        <span className="text-xs wrap-anywhere text-fg-3">{t('by {name}', { name: decidedBy })}</span>
      )}
    </output>
  )
}

/** A reviewed request whose answer was lost. Asks the store which admin reviewed it. */
function DecidedAfterAll({ payment }: { payment: Payment }) {
  const decided = useDecided(payment)
  if (decided && decided.status !== 'pending') return <Status payment={decided} />
  return <output className="text-xs text-fg-2">{t('Already reviewed.')}</output>
}

function DecidedElsewhere({ payment }: { payment: Payment }) {
  const decided = useDecided(payment)
  return (
    <output className="w-48 text-right text-xs whitespace-normal text-fg-2">
      {t('Already reviewed by another admin.')} {decided && decidedText(decided)}
    </output>
  )
}
