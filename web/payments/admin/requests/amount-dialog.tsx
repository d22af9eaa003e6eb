import { useState } from 'react'
import type { Payment } from '../../../../contract/payments.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import { ReasonField } from '../../../ui/admin/forms/reason-field.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { offerAt } from '../../offers.ts'
import { useAllPlans } from '../plans/queries.ts'
import { amountFault, toAmount } from '../plans/terms.ts'
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
  const [written, setWritten] = useState('')
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  const plans = useAllPlans().data ?? []
  const name = buyerOf(payment)
  const asked = formatRupees(payment.amount)
  const amount = toAmount(written)
  const isSame = amount === payment.amount
  const fault = amountFault(written, false) ?? (isSame ? t('Use Approve for {amount}', { amount: asked }) : undefined)
  const lacksReason = reason.trim() === ''
  const offer = offerAt(
    plans.filter(({ isActive }) => isActive),
    amount,
  )
  const credited = formatRupees(offer?.bonus ?? amount)

  const submit = async () => {
    setChecked(true)
    if (fault !== undefined || lacksReason || pending) return
    setPending(true)
    setError(undefined)
    const failure = await onApprove(payment, { amount, reason: reason.trim() })
    setPending(false)
    setError(failure)
    if (failure === undefined) dialog.onClose()
  }
  return (
    <EditDialog
      {...dialog}
      title={t('Credit a different amount than {amount}?', { amount: asked })}
      description={t('Use this when {name} paid more or less than they entered.', { name })}
      submitLabel={fault === undefined ? t('Credit {amount}', { amount: credited }) : t('Credit')}
      dirty={written !== '' || reason !== ''}
      pending={pending}
      error={error}
      onSubmit={() => void submit()}
    >
      <Field label={t('Amount that was paid (₹)')} error={isChecked ? fault : undefined}>
        <Input
          data-autofocus
          inputMode="decimal"
          required
          value={written}
          onChange={(event) => setWritten(event.target.value)}
        />
      </Field>
      <p aria-live="polite" className="text-sm text-fg-2 empty:hidden">
        {fault === undefined &&
          (offer
            ? t('{name} gets {credited} instead, as your plan for {amount} says.', {
                name,
                credited,
                amount: formatRupees(amount),
              })
            : t('{name} gets {credited} instead of {amount}.', { name, credited, amount: asked }))}
      </p>
      <ReasonField
        hint={t('{name} will see this.', { name })}
        value={reason}
        onChange={setReason}
        error={isChecked && lacksReason ? t('Reason is required') : undefined}
      />
    </EditDialog>
  )
}
