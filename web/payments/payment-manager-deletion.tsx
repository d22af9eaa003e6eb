import type { Payment } from '../../contract/payments.ts'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { toast } from '../platform/toast.ts'
import { DeleteDialog } from '../ui/delete-dialog.tsx'
import { buyerOf, canDecide, isRequest } from './payment-manager-words.ts'

interface DeletionProps {
  open: boolean
  payment: Payment
  onClose: () => void
  onDeleted: (id: string) => void
}

export function Deletion({ payment, onDeleted, ...dialog }: DeletionProps) {
  const queries = useQueryClient()
  const words = { amount: formatRupees(payment.amount), name: buyerOf(payment) }
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete the payment of {amount} by {name}?', words)}
      action={async () => {
        await client.payments.remove({ id: payment._id })
        onDeleted(payment._id)
        for (const feature of ['payments', 'reports']) void queries.invalidateQueries({ queryKey: [feature] })
        toast(t('Payment of {amount} by {name} deleted', words))
      }}
    >
      <p>
        {canDecide(payment)
          ? t('It leaves the lists undecided, and nothing is credited. To tell the buyer why, reject it instead.')
          : t('It leaves the lists. Money that was credited or spent stays as it is.')}
      </p>
      {isRequest(payment) && (
        <p>{t('Its UTR {utr} stays remembered and cannot be used again.', { utr: payment.utr })}</p>
      )}
    </DeleteDialog>
  )
}
