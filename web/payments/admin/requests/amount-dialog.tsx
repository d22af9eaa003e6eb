import { useMutation } from '@tanstack/react-query'
import { REASON_LENGTH_MAX } from '../../../../contract/limits.ts'
import { OtherAmount as Input, type Payment } from '../../../../contract/payments.ts'
import { useLargeWarning } from '../../../bank/admin/queue/large.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { TextField, useForm } from '../../../ui/admin/forms/use-form.tsx'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { offerAt } from '../../offers.ts'
import { useAllPlans } from '../plans/queries.ts'
import { toAmount } from '../plans/terms.ts'
import { buyerOf } from './words.ts'

export interface OtherAmount {
  /** In rupees. */
  amount: number
  reason: string
}

interface AmountDialogProps extends DialogProps {
  payment: Payment
  /** @returns why it could not be done, where another try may help; else the dialog is no longer needed */
  onApprove: (payment: Payment, other: OtherAmount) => Promise<string | undefined>
}

/** Approves a request with the amount that was really paid. */
export function AmountDialog({ payment, onApprove, ...dialog }: AmountDialogProps) {
  const plans = useAllPlans().data?.filter(({ isActive }) => isActive) ?? []
  const name = buyerOf(payment)
  const asked = formatRupees(payment.amount)
  const approve = async (other: OtherAmount) => {
    const failure = await onApprove(payment, other)
    if (failure !== undefined) throw new Error(failure)
    return other
  }
  const form = useForm({
    dialog,
    start: { amount: '', reason: '' },
    input: Input,
    save: useMutation({ mutationFn: approve }),
    send: ({ amount, reason }) => ({ amount: toAmount(amount), reason: reason.trim() }),
    faults: ({ amount }) =>
      toAmount(amount) === payment.amount ? { amount: t('Use Approve for {amount}', { amount: asked }) } : {},
  })
  const amount = toAmount(form.draft.amount)
  const isRead = form.wrong.amount === undefined
  const offer = offerAt(plans, amount)
  const credited = formatRupees(offer?.bonus ?? amount)
  const warning = useLargeWarning()(amount, payment.bank?.proof)
  return (
    <EditDialog
      {...form.dialog}
      title={t('Credit a different amount than {amount}?', { amount: asked })}
      description={t('Use this when {name} paid more or less than they entered.', { name })}
      submitLabel={isRead ? t('Credit {amount}', { amount: credited }) : t('Credit')}
    >
      <TextField {...form.of('amount')} label={t('Amount that was paid (₹)')} data-autofocus inputMode="decimal" />
      <p aria-live="polite" className="text-sm text-fg-2 empty:hidden">
        {isRead &&
          (offer
            ? t('{name} gets {credited} instead, as your plan for {amount} says.', {
                name,
                credited,
                amount: formatRupees(amount),
              })
            : t('{name} gets {credited} instead of {amount}.', { name, credited, amount: asked }))}
      </p>
      {isRead && warning && <p className="text-sm text-warn">{warning}</p>}
      <TextField
        {...form.of('reason')}
        label={t('Reason')}
        hint={t('{name} will see this.', { name })}
        maxLength={REASON_LENGTH_MAX}
      />
    </EditDialog>
  )
}
