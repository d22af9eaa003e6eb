import { useId, useState } from 'react'
import { REASON_LENGTH_MAX } from '../../../contract/limits.ts'
import type { Payment } from '../../../contract/payments.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { EditDialog } from '../../ui/admin/edit-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/admin/textarea.tsx'
import { buyerOf } from './payment-manager-words.ts'

interface RejectDialogProps {
  open: boolean
  payment: Payment
  onClose: () => void
  /** @returns why it could not be done, where another try may help; else the dialog is no longer needed */
  onReject: (payment: Payment, reason: string) => Promise<string | undefined>
}

/** The field breaks its lines, and the store takes one. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Asks why, with the usual reasons one tap away. What was written stays until the request is rejected. */
export function RejectDialog({ open, payment, onClose, onReject }: RejectDialogProps) {
  const id = useId()
  const reasons = [
    t('We could not find this UTR in our account.'),
    t('The amount does not match the payment.'),
    t('This UTR was used for another request.'),
    t('The payment failed or was returned.'),
    t('The payment was made to a different UPI ID.'),
  ]
  const [reason, setReason] = useState(reasons[0] ?? '')
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  const name = buyerOf(payment)
  const submit = async () => {
    setPending(true)
    setError(undefined)
    setError(await onReject(payment, oneLine(reason)))
    setPending(false)
  }
  return (
    <EditDialog
      open={open}
      onClose={onClose}
      title={t('Reject {amount} from {name}?', { amount: formatRupees(payment.amount), name })}
      description={t('No money is credited. {name} will see the reason and can submit again.', { name })}
      submitLabel={t('Reject')}
      danger
      dirty={reason.trim() !== '' && !reasons.includes(reason)}
      pending={pending}
      error={error}
      onSubmit={() => void submit()}
    >
      <fieldset className="grid gap-0.5">
        <legend className="mb-1 text-sm font-medium text-fg-2">{t('Common reasons')}</legend>
        {reasons.map((text) => (
          <label
            key={text}
            className="-mx-2 flex min-h-11 items-center gap-3 rounded-control px-2 text-sm hover:bg-hover"
          >
            <input
              type="radio"
              name={`${id}-reason`}
              checked={reason === text}
              onChange={() => setReason(text)}
              className="size-4.5 shrink-0 accent-brand"
              data-autofocus={reason === text || undefined}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <Field label={t('Reason')} optional hint={t('The buyer will see this.')}>
        <Textarea
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          maxLength={REASON_LENGTH_MAX}
          rows={2}
        />
      </Field>
    </EditDialog>
  )
}
