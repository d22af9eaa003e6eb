import type { Payment } from '../../../../contract/payments.ts'
import { client } from '../../../platform/calls/client.ts'
import { renew } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { DeleteDialog } from '../../../ui/admin/forms/delete-dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { buyerOf, canDecide, isRequest } from './words.ts'

interface DeletionProps extends DialogProps {
  payment: Payment
  onDeleted: (id: string) => void
}

export function Deletion({ payment, onDeleted, ...dialog }: DeletionProps) {
  const words = { amount: formatRupees(payment.amount), name: buyerOf(payment) }
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete the payment of {amount} by {name}?', words)}
      action={async () => {
        await client.payments.remove({ id: payment._id })
        onDeleted(payment._id)
        void renew('payments')
        toast(t('Payment of {amount} by {name} deleted', words))
      }}
    >
      <p>
        {canDecide(payment)
          ? t(
              'The request is removed without a decision, and nothing is credited. To give the buyer a reason, ' +
                'reject it instead.',
            )
          : t('This removes it from the list. Money already credited or spent doesn’t change.')}
      </p>
      {isRequest(payment) && <p>{t('UTR {utr} can’t be used again.', { utr: payment.utr })}</p>}
    </DeleteDialog>
  )
}
