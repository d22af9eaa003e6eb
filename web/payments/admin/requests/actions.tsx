import { Check, FileCheck, IndianRupee, ReceiptText, Snowflake, Undo2 } from 'lucide-react'
import type { Payment } from '../../../../contract/payments.ts'
import { warningAbout } from '../../../bank/admin/queue/bank-line.tsx'
import { isSuspicious } from '../../../../contract/review-requests.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { ActionMenu, type Action } from '../../../ui/admin/lists/action-menu.tsx'
import { deleting } from '../../../ui/admin/lists/usual-actions.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { WeightyButton } from '../../../ui/buttons/weighty-button.tsx'
import { takeBack, useUndone } from './held-approvals.ts'
import type { RowContext } from './columns.tsx'
import type { Decision } from './decisions.ts'
import { Fault, Outcome } from './outcome.tsx'
import { buyerOf, creditedBy, isRequest } from './words.ts'

const wordsOf = (payment: Payment) => ({ amount: formatRupees(payment.amount), name: buyerOf(payment) })

export const controlsOf = (context: RowContext) => (payment: Payment) => <Actions payment={payment} context={context} />

function Actions({ payment, context }: { payment: Payment; context: RowContext }) {
  const decision = context.decisions.get(payment._id)
  const remove = <Rest payment={decision?.phase === 'done' ? decision.payment : payment} context={context} />
  if (decision?.phase === 'held') return <Held payment={payment} />
  if (!context.isOpen(payment) && decision?.phase !== 'working') {
    return (
      <div className="flex items-center justify-between gap-1 wide:justify-end">
        <Outcome payment={payment} decision={decision} isGone={context.gone.has(payment._id)} />
        {remove}
      </div>
    )
  }
  return (
    <div className="grid gap-1 max-wide:mt-1 wide:justify-items-end">
      <div className="flex items-center gap-2 max-wide:flex-wrap large-text:flex-wrap">
        <DecisionButtons
          payment={payment}
          decision={decision}
          place={context.placeOf(payment)}
          onApprove={(isByKey) => context.approve(payment, isByKey)}
          onReject={() => context.reject(payment)}
        />
        {remove}
      </div>
      <Fault decision={decision} />
    </div>
  )
}

interface DecisionButtonsProps {
  payment: Payment
  decision: Decision | undefined
  /** Where the buttons stand. After a move they take no press for a moment. */
  place: string | number
  onApprove: (isByKey: boolean) => void
  onReject: () => void
}

/** As wide as the card on a phone, so that thumbs reach them. */
export function DecisionButtons({ payment, decision, place, onApprove, onReject }: DecisionButtonsProps) {
  const words = wordsOf(payment)
  const working = decision?.phase === 'working' ? decision.verdict : undefined
  const isUndone = useUndone()
  return (
    <>
      <WeightyButton
        does={String(place)}
        rests={isUndone}
        size="sm"
        icon={<Check size={16} aria-hidden />}
        aria-label={t('Approve {amount} from {name}', words)}
        data-approve
        variant={warningAbout(payment) !== undefined || isSuspicious(payment) ? 'secondary' : 'primary'}
        className="max-wide:min-h-11 max-wide:flex-1 large-text:basis-full!"
        pending={working === 'approve'}
        disabled={working === 'reject'}
        denied={denied(calls.payments.approve)}
        // A click that was made by a key has no count.
        onClick={({ detail }) => onApprove(detail === 0)}
      >
        {t('Approve')}
      </WeightyButton>
      <Button
        size="sm"
        variant="secondary"
        className="max-wide:min-h-11 max-wide:flex-1 large-text:basis-full!"
        aria-label={t('Reject {amount} from {name}', words)}
        pending={working === 'reject'}
        disabled={working === 'approve'}
        denied={denied(calls.payments.reject)}
        onClick={onReject}
      >
        {t('Reject')}
      </Button>
    </>
  )
}

/** An approval that is not sent yet. */
export function Held({ payment }: { payment: Payment }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 wide:justify-end">
      <output>
        <Chip tone="ok" icon={<Check size={13} aria-hidden />}>
          {t('{amount} approved', { amount: formatRupees(creditedBy(payment)) })}
        </Chip>
      </output>
      <Button
        size="sm"
        variant="secondary"
        data-decides
        data-undo
        className="held relative overflow-hidden max-wide:min-h-11"
        icon={<Undo2 size={16} aria-hidden />}
        aria-label={t('Undo the approval of {amount} from {name}', wordsOf(payment))}
        // The second click of a double one would take back what the first did
        onClick={({ detail }) => detail < 2 && takeBack(payment._id)}
      >
        {t('Undo')}
      </Button>
    </div>
  )
}

/** Less used actions, in a menu: five icons without words would say nothing. */
function Rest({ payment, context }: { payment: Payment; context: RowContext }) {
  const words = wordsOf(payment)
  const withdrawing: Action = {
    label: t('Take back…'),
    name: t('Take back… {amount} from {name}', words),
    icon: <Undo2 size={17} aria-hidden />,
    denied: denied(calls.bank.takeBack),
    run: () => context.withdraw(payment),
  }
  const crediting: Action = {
    label: t('Credit a different amount…'),
    name: t('Credit a different amount than {amount} to {name}…', words),
    icon: <IndianRupee size={17} aria-hidden />,
    denied: denied(calls.payments.approve),
    run: () => context.approveOther(payment),
  }
  const receipt: Action = {
    label: t('Receipt'),
    name: t('Receipt of {name} for {amount}', words),
    icon: <ReceiptText size={17} aria-hidden />,
    denied: denied(calls.wallet.receipt),
    link: { to: '/receipt', search: { id: payment._id } },
  }
  const paper: Action = {
    label: t('Paper for the bank'),
    name: t('Paper for the bank about {amount} from {name}', words),
    icon: <FileCheck size={17} aria-hidden />,
    denied: denied(calls.proofs.read),
    link: { to: '/admin/proof', search: { id: payment._id } },
  }
  const holding: Action = {
    label: payment.held ? t('Bank let it go…') : t('Held by the bank…'),
    name: payment.held
      ? t('Bank let it go… {amount} from {name}', words)
      : t('Held by the bank… {amount} from {name}', words),
    icon: <Snowflake size={17} aria-hidden />,
    denied: denied(calls.proofs.hold),
    run: () => context.hold(payment),
  }
  const actions = [
    ...(context.isOpen(payment) ? [crediting] : []),
    ...(isRequest(payment) && payment.status === 'approved' ? [receipt, holding, withdrawing] : []),
    ...(isRequest(payment) ? [paper] : []),
    deleting({
      name: t('Delete {amount} from {name}', words),
      denied: denied(calls.payments.remove),
      run: () => context.remove(payment),
    }),
  ]
  return <ActionMenu about={buyerOf(payment)} actions={actions} />
}
