import { useCall } from '../platform/calls/use-call.ts'
import { useState } from 'react'
import { AMOUNT_MAX } from '../../contract/amounts.ts'
import { toRupees } from '../../contract/money.ts'
import { amountFault } from '../payments/add-money/amount-field.tsx'
import { ApiError, errorMessage } from '../platform/calls/api-error.ts'
import { durationText, t } from '../platform/i18n.ts'
import { formatRupees, timesRupees } from '../platform/money.ts'
import { EditDialog } from '../ui/overlays/edit-dialog.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Input } from '../ui/fields/input.tsx'
import { AUTO_BUY_DAYS, type Wish } from './waiting.ts'

interface AutoBuyDialogProps {
  wish: Wish
  /** In rupees, of one key. */
  price: number
  onClose: () => void
}

/** Asks for the sum up to which the store may buy. */
export function AutoBuyDialog({ wish, price, onClose }: AutoBuyDialogProps) {
  const today = timesRupees(price, wish.quantity)
  const [autoMax, setAutoMax] = useState(String(today))
  const [isTelling, setTelling] = useState(false)
  const wait = useCall('waiting.wait')
  const fault = amountFault(autoMax, toRupees(AMOUNT_MAX))
  const refused = wait.error instanceof ApiError ? wait.error.fields['autoMax'] : undefined
  return (
    <EditDialog
      open
      onClose={onClose}
      title={t('Buy it for me')}
      description={t('{count, plural, one {# key} other {# keys}} for {duration}', {
        count: wish.quantity,
        duration: durationText(wish.duration),
      })}
      submitLabel={t('Buy it for me')}
      dirty={autoMax !== String(today)}
      error={wait.error && refused === undefined && errorMessage(wait.error)}
      pending={wait.isPending}
      onSubmit={() => {
        setTelling(true)
        if (fault === undefined) wait.mutate({ ...wish, autoMax }, { onSuccess: onClose })
      }}
    >
      <p className="text-sm text-fg-2">
        {t(
          'When keys arrive, we buy them for people in line, in order. We pay from your wallet, up to ' +
            'the maximum below.',
        )}{' '}
        {t('This ends after {count} days. You can stop it at any time.', { count: AUTO_BUY_DAYS })}
      </p>
      <Field
        label={t('Maximum you’ll pay (₹)')}
        hint={t('Today’s price is {amount}. Keep enough money in your wallet.', { amount: formatRupees(today) })}
        error={refused ?? (isTelling ? fault : undefined)}
      >
        <Input
          data-autofocus
          inputMode="decimal"
          maxLength={12}
          value={autoMax}
          onChange={(event) => {
            setAutoMax(event.target.value)
            if (wait.isError) wait.reset()
          }}
        />
      </Field>
    </EditDialog>
  )
}
