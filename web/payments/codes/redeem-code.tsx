import { useRef, useState } from 'react'
import { CircleCheck } from 'lucide-react'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { formatDate } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { refreshSession } from '../../platform/session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'

const FORM = 'XXXX-XXXX-XXXX-XXXX'

interface RedeemCodeProps {
  open: boolean
  /** From a link. */
  code: string
  onClose: () => void
}

/** One field. The answer stands in its place, because it says until when the credit lasts. */
export function RedeemCode({ open, code: given, onClose }: RedeemCodeProps) {
  const [code, setCode] = useState(given)
  const [isEmpty, setEmpty] = useState(false)
  const redeem = useCall('wallet.redeem', { onSuccess: () => void refreshSession() })
  const field = useRef<HTMLInputElement>(null)
  if (redeem.data) return <Added {...redeem.data} open={open} onClose={onClose} />
  return (
    <EditDialog
      open={open}
      onClose={onClose}
      title={t('Redeem a code')}
      submitLabel={t('Add to wallet')}
      pending={redeem.isPending}
      onSubmit={() => {
        setEmpty(code.trim() === '')
        if (code.trim() !== '') redeem.mutate({ code }, { onError: () => field.current?.select() })
      }}
    >
      <Field
        label={t('Code')}
        error={isEmpty ? t('Enter the code') : redeem.error ? errorMessage(redeem.error) : undefined}
      >
        <Input
          ref={field}
          data-autofocus
          mono
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={FORM}
          value={code}
          onChange={(event) => {
            setCode(event.target.value)
            setEmpty(false)
            if (redeem.isError) redeem.reset()
          }}
        />
      </Field>
    </EditDialog>
  )
}

interface AddedProps extends Omit<RedeemCodeProps, 'code'> {
  amount: number
  expiresAt: string
}

function Added({ amount, expiresAt, open, onClose }: AddedProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('Redeem a code')}
      footer={
        <Button data-autofocus onClick={onClose}>
          {t('Close')}
        </Button>
      }
    >
      <p role="status" className="flex items-start gap-2 pb-1 text-base font-medium text-ok">
        <CircleCheck size={20} aria-hidden className="mt-0.5 shrink-0" />
        {t('{amount} added. Use it till {date}.', { amount: formatRupees(amount), date: formatDate(expiresAt) })}
      </p>
    </Dialog>
  )
}
