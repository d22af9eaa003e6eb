import { useMutation } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import * as z from 'zod/mini'
import { REASON_LENGTH_MAX } from '../../../../contract/limits.ts'
import { REJECT_REASONS } from '../../../../contract/review-requests.ts'
import type { Payment } from '../../../../contract/payments.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { WeightyButton } from '../../../ui/buttons/weighty-button.tsx'
import { useForm } from '../../../ui/admin/forms/use-form.tsx'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Textarea } from '../../../ui/fields/textarea.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { buyerOf } from './words.ts'

interface RejectDialogProps extends DialogProps {
  payment: Payment
  /** @returns why it could not be done, where another try may help; else the dialog is no longer needed */
  onReject: (payment: Payment, reason: string) => Promise<string | undefined>
  onRejected?: () => void
}

/** The field breaks its lines, and the store takes one. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Asks why. A common reason rejects at once. What was written stays until the request is rejected. */
export function RejectDialog({ payment, onReject, onRejected, ...dialog }: RejectDialogProps) {
  const name = buyerOf(payment)
  const save = useMutation({
    mutationFn: async (why: string) => {
      const failure = await onReject(payment, oneLine(why))
      if (failure !== undefined) throw new Error(failure)
    },
    onSuccess: () => {
      // The dialog gives the focus back to the button that opened it, and then it goes on.
      flushSync(dialog.onClose)
      onRejected?.()
    },
  })
  const form = useForm({
    dialog,
    start: { reason: '' },
    input: z.object({}),
    save,
    send: ({ reason }) => reason,
    sendsUnchanged: true,
  })
  /** The reason that is being sent. */
  const doing = save.isPending ? save.variables : undefined
  const { reason } = form.draft
  return (
    <EditDialog
      {...form.dialog}
      title={t('Reject {amount} from {name}?', { amount: formatRupees(payment.amount), name })}
      description={t('No money is credited. {name} will see the reason and can submit again.', { name })}
      submitLabel={t('Reject')}
      danger
      isElsewhere={doing !== reason}
    >
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium text-fg-2">{t('Reject with a common reason')}</legend>
        {REJECT_REASONS.map((text, at) => (
          <WeightyButton
            key={text}
            variant="secondary"
            wide
            pending={doing === text}
            disabled={doing !== undefined && doing !== text}
            onClick={() => save.mutate(text)}
            className="justify-start! py-2 text-left text-sm! font-medium! whitespace-normal!"
            data-autofocus={at === 0 || undefined}
          >
            {t(text)}
          </WeightyButton>
        ))}
      </fieldset>
      <Field label={t('Other reason')} optional hint={t('The buyer will see this.')}>
        <Textarea
          value={reason}
          onChange={(event) => form.change({ reason: event.target.value })}
          maxLength={REASON_LENGTH_MAX}
          rows={2}
        />
      </Field>
    </EditDialog>
  )
}
