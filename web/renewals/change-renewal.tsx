import { useState } from 'react'
import { AMOUNT_MAX } from '../../contract/amounts.ts'
import { toRupees } from '../../contract/money.ts'
import type { Renewal } from '../../contract/renewals.ts'
import { amountFault } from '../payments/add-money/amount-field.tsx'
import { ApiError, errorMessage } from '../platform/calls/api-error.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Link } from '../platform/navigation/router.tsx'
import { useSession } from '../platform/session/session.ts'
import { Checkbox } from '../ui/fields/checkbox.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Input } from '../ui/fields/input.tsx'
import { EditDialog, leave } from '../ui/overlays/edit-dialog.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { useMake, usePrice, useShortfall } from './renewals.ts'

interface ChangeRenewalProps {
  renewal: Renewal
  keyId: string
  /** The keys last long enough to keep renewing. */
  isLong: boolean
  onClose: () => void
}

/** How much it may cost, and if it goes on after that. */
export function ChangeRenewal({ renewal, keyId, isLong, onClose }: ChangeRenewalProps) {
  const { duration, quantity } = renewal
  const [max, setMax] = useState(String(renewal.max))
  const [repeat, setRepeat] = useState(renewal.repeat)
  const [isTelling, setTelling] = useState(false)
  const make = useMake()
  const price = usePrice(renewal)
  const fault = amountFault(max, toRupees(AMOUNT_MAX))
  const refused = make.error instanceof ApiError ? make.error.fields['max'] : undefined
  const isDirty = max !== String(renewal.max) || repeat !== renewal.repeat
  // One that is due can't begin to repeat, because repeating needs a message a day before
  const mayRepeat = isLong && (renewal.state === 'waiting' || renewal.repeat)
  return (
    <EditDialog
      open
      onClose={onClose}
      title={t('Renewal')}
      description={`${quantity > 1 ? `${quantity} × ` : ''}${own(renewal, 'productName')} (${durationText(duration)})`}
      submitLabel={t('Save')}
      dirty={isDirty}
      error={make.error && refused === undefined && errorMessage(make.error)}
      pending={make.isPending}
      onSubmit={() => {
        setTelling(true)
        if (fault === undefined) make.mutate({ keyId, max, repeat }, { onSuccess: onClose })
      }}
    >
      <Field
        label={t('Pay at most for each key (₹)')}
        hint={price !== undefined && t('Today’s price is {amount}.', { amount: formatRupees(price) })}
        error={refused ?? (isTelling ? fault : undefined)}
      >
        <Input
          data-autofocus
          inputMode="decimal"
          maxLength={12}
          value={max}
          onChange={(event) => {
            setMax(event.target.value)
            if (make.isError) make.reset()
          }}
        />
      </Field>
      {mayRepeat && (
        <Checkbox
          label={t('Keep renewing')}
          hint={t('We tell you a day before, each time. You can stop until the last minute.')}
          checked={repeat}
          onChange={(event) => setRepeat(event.target.checked)}
        />
      )}
      <Balance renewal={renewal} isDirty={isDirty} />
      {renewal.state === 'waiting' && (
        <p className="text-sm text-fg-2">
          {textWith('Need it sooner? {link} Its time starts now.', {
            link: (
              <Link
                to="/buy"
                search={{ product: renewal.productName, duration }}
                onClick={leave(isDirty)}
                className="text-brand underline"
              >
                {t('Buy one now.')}
              </Link>
            ),
          })}
        </p>
      )}
    </EditDialog>
  )
}

function Balance({ renewal, isDirty }: { renewal: Renewal; isDirty: boolean }) {
  const short = useShortfall(renewal)
  const { user } = useSession()
  const until = renewal.triesUntil ?? renewal.at
  return (
    <p className="text-sm text-fg-2">
      {t('Balance {amount}.', { amount: formatRupees(user?.balance ?? 0) })}{' '}
      {short > 0 && (
        <>
          {textWith('Add {amount} by {date}.', { amount: formatRupees(short), date: <Time value={until} /> })}{' '}
          <Link to="/add-balance" onClick={leave(isDirty)} className="text-brand underline">
            {t('Add money')}
          </Link>
        </>
      )}
    </p>
  )
}
