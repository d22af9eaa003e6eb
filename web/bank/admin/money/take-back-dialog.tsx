import { useState } from 'react'
import { REASON_LENGTH_MAX } from '../../../../contract/limits.ts'
import { fieldErrorsOf, formErrorOf } from '../../../platform/admin/form-errors.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { EditDialog } from '../../../ui/admin/forms/edit-dialog.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import { useBankChange } from '../bank-queries.ts'

/** An approved top-up whose money was another user's, or that the bank took back. */
export interface PaidTopUp {
  id: string
  username: string
  /** What was paid, in rupees. */
  amount: number
}

interface TakeBackDialogProps {
  open: boolean
  onClose: () => void
  topUp: PaidTopUp
}

const LOSS_MS = 15_000

/** Takes back what is left of a top-up, and says what was spent already. */
export function TakeBackDialog({ open, onClose, topUp: { id, username: name, amount: paid } }: TakeBackDialogProps) {
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const change = useBankChange(() => client.bank.takeBack({ id, reason }))
  const amount = formatRupees(paid)
  const submit = () => {
    setChecked(true)
    if (reason.trim() === '') return
    change.mutate(undefined, {
      onSuccess: ({ taken, loss }) => {
        const words = { taken: formatRupees(taken), loss: formatRupees(loss), name }
        if (loss === 0) toast(t('{taken} taken back from {name}', words))
        else
          toast(t('{taken} taken back from {name}. {loss} was already spent and can’t be taken back.', words), {
            tone: 'bad',
            durationMs: LOSS_MS,
          })
        onClose()
      },
    })
  }
  return (
    <EditDialog
      open={open}
      title={t('Take {amount} back from {name}?', { amount, name })}
      description={t(
        'We take back what {name} hasn’t spent. The rest is your loss. The request is rejected, and its UTR can be ' +
          'used again.',
        { name },
      )}
      submitLabel={t('Take back')}
      danger
      dirty={reason !== ''}
      pending={change.isPending}
      error={formErrorOf(change.error, ['reason'])}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={t('Reason')}
        hint={t('{name} will see this', { name })}
        error={
          fieldErrorsOf(change.error)['reason'] ??
          (isChecked && reason.trim() === '' ? t('Reason is required') : undefined)
        }
      >
        <Input
          data-autofocus
          value={reason}
          maxLength={REASON_LENGTH_MAX}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </EditDialog>
  )
}
