import { useState } from 'react'
import type { Payment } from '../../../../contract/payments.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { ReasonDialog } from '../../../ui/admin/forms/reason-dialog.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { AT_ONCE } from '../bank-queries.ts'

/** An approved top-up whose money was another user's, or that the bank took back. */
interface PaidTopUp {
  id: string
  username: string
  /** What was paid, in rupees. */
  amount: number
}

interface TakeBackDialogProps extends DialogProps {
  topUp: PaidTopUp
  onTaken?: (payment: Payment) => void
}

const LOSS_MS = 15_000

/** Takes back what is left of a top-up, and says what was spent already. */
export function TakeBackDialog({ topUp, onTaken, ...dialog }: TakeBackDialogProps) {
  const { id, username: name, amount: paid } = topUp
  const [utr, setUtr] = useState<'free' | 'never-came'>('free')
  const change = useCall('bank.takeBack', AT_ONCE)
  const amount = formatRupees(paid)
  return (
    <ReasonDialog
      {...dialog}
      title={t('Take {amount} back from {name}?', { amount, name })}
      description={t('We take back what {name} hasn’t spent. The rest is your loss.', { name })}
      submitLabel={t('Take back')}
      danger
      hint={t('{name} will see this.', { name })}
      isChanged={utr !== 'free'}
      change={change}
      send={(reason) => ({ id, reason, utr })}
      onDone={({ payment, taken, loss }) => {
        onTaken?.(payment)
        const words = { taken: formatRupees(taken), loss: formatRupees(loss), name }
        if (loss === 0) toast(t('{taken} taken back from {name}', words))
        else
          toast(t('{taken} taken back from {name}. {loss} was already spent and can’t be taken back.', words), {
            tone: 'bad',
            durationMs: LOSS_MS,
          })
      }}
    >
      <div className="grid gap-1.5">
        <Segmented
          label={t('The payment')}
          value={utr}
          onChange={setUtr}
          options={[
            { value: 'free', label: t('Another buyer’s payment') },
            { value: 'never-came', label: t('The money never came') },
          ]}
        />
        <p aria-live="polite" className="text-sm text-fg-2">
          {utr === 'free'
            ? t('The right buyer can use this UTR.')
            : t('If this UTR is sent again, the request gets a warning.')}
        </p>
      </div>
    </ReasonDialog>
  )
}
