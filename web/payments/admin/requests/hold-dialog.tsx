import { useState } from 'react'
import type { Payment } from '../../../../contract/payments.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { DeleteDialog } from '../../../ui/admin/forms/delete-dialog.tsx'
import { ReasonDialog } from '../../../ui/admin/forms/reason-dialog.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { buyerOf } from './words.ts'

interface HoldDialogProps extends DialogProps {
  payment: Payment
  onDone: (payment: Payment) => void
}

const wordsOf = (payment: Payment) => ({ amount: formatRupees(payment.amount), name: buyerOf(payment) })

/** Marks a payment, or ends its mark. */
export const HeldDialog = (props: HoldDialogProps) =>
  props.payment.held ? <ReleaseDialog {...props} /> : <HoldDialog {...props} />

/** Marks a payment whose money the bank holds back. */
function HoldDialog({ payment, onDone, ...dialog }: HoldDialogProps) {
  const [letBuy, setLetBuy] = useState(false)
  const words = wordsOf(payment)
  return (
    <ReasonDialog
      {...dialog}
      title={t('Does the bank hold {amount} of {name}?', words)}
      description={t('No money moves. {name} is logged out and can’t log in until the bank lets it go.', words)}
      submitLabel={t('Mark as held')}
      danger
      field="note"
      label={t('What the bank wrote')}
      lacks={t('Note is required')}
      hint={t('Such as the number of its letter. Only admins see this.')}
      isChanged={letBuy}
      change={useCall('proofs.hold')}
      send={(note) => ({ id: payment._id, note, ...(letBuy && { letBuy }) })}
      onDone={(held) => {
        onDone(held)
        toast(t('{amount} of {name} is marked as held', words))
      }}
      foot={
        <Checkbox
          label={t('Let them buy while it is held')}
          checked={letBuy}
          onChange={({ target }) => setLetBuy(target.checked)}
        />
      }
    />
  )
}

/** Ends the mark. */
function ReleaseDialog({ payment, onDone, ...dialog }: HoldDialogProps) {
  const { mutateAsync: release } = useCall('proofs.release')
  const words = wordsOf(payment)
  return (
    <DeleteDialog
      {...dialog}
      title={t('Has the bank let {amount} of {name} go?', words)}
      confirmLabel={t('End the mark')}
      action={async () => onDone(await release({ id: payment._id }))}
    >
      {t('{name} can log in again, unless you blocked them yourself or another payment is held.', words)}
    </DeleteDialog>
  )
}
