import { useId, useState } from 'react'
import { AMOUNT_MAX } from '../../contract/amounts.ts'
import { AUTO_BUY_LASTS_MS } from '../../contract/limits.ts'
import { toRupees } from '../../contract/money.ts'
import { amountFault } from '../payments/add-money/amount-field.tsx'
import { ApiError, errorMessage } from '../platform/calls/api-error.ts'
import { durationText, t } from '../platform/i18n.ts'
import { formatRupees, timesRupees } from '../platform/money.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Field } from '../ui/fields/field.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { Input } from '../ui/fields/input.tsx'
import { useWait, type Wish } from './waiting.ts'

const DAYS = AUTO_BUY_LASTS_MS / 86_400_000

interface AutoBuyDialogProps {
  wish: Wish
  /** In rupees, of one key. */
  price: number
  onClose: () => void
}

/** Asks for the sum up to which the store may buy. */
export function AutoBuyDialog({ wish, price, onClose }: AutoBuyDialogProps) {
  const id = useId()
  const today = timesRupees(price, wish.quantity)
  const [autoMax, setAutoMax] = useState(String(today))
  const [isTelling, setTelling] = useState(false)
  const wait = useWait()
  const fault = amountFault(autoMax, toRupees(AMOUNT_MAX))
  const refused = wait.error instanceof ApiError ? wait.error.fields['autoMax'] : undefined
  const close = () => {
    if (!wait.isPending) onClose()
  }
  return (
    <Dialog
      open
      onClose={close}
      sticky
      title={t('Buy it for me')}
      description={t('{count, plural, one {# key} other {# keys}} for {duration}', {
        count: wish.quantity,
        duration: durationText(wish.duration),
      })}
      footer={
        <>
          <div className="w-full empty:hidden">
            <FormError>{wait.error && refused === undefined && errorMessage(wait.error)}</FormError>
          </div>
          <Button variant="ghost" disabled={wait.isPending} onClick={close}>
            {t('Cancel')}
          </Button>
          <Button type="submit" form={id} pending={wait.isPending}>
            {t('Buy it for me')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        aria-label={t('Buy it for me')}
        className="grid gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          setTelling(true)
          if (!wait.isPending && fault === undefined) wait.mutate({ ...wish, autoMax }, { onSuccess: onClose })
        }}
      >
        <p className="text-sm text-fg-2">
          {t(
            'When keys arrive, we buy them for people in line, in order. We pay from your wallet, up to ' +
              'the maximum below.',
          )}{' '}
          {t('This ends after {count} days. You can stop it at any time.', { count: DAYS })}
        </p>
        <Field
          label={t('Maximum you’ll pay (₹)')}
          hint={t('Today’s price is {amount}. Keep enough money in your wallet.', { amount: formatRupees(today) })}
          error={refused ?? (isTelling ? fault : undefined)}
        >
          <Input
            data-autofocus
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            className="tabular"
            value={autoMax}
            onChange={(event) => {
              setAutoMax(event.target.value)
              if (wait.isError) wait.reset()
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}
