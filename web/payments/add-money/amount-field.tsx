import { useState } from 'react'
import { TOPUP_MIN_PAISE } from '../../../contract/limits.ts'
import { parseRupees, toRupees } from '../../../contract/money.ts'
import { bareAmount } from '../../../contract/pasted.ts'
import type { Plan } from '../../../contract/topup-plans.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { quickAmounts } from '../offers.ts'

interface AmountFieldProps {
  maxRupees: number
  value: string
  /** The plan that gives more for this amount. */
  plan: Pick<Plan, 'bonus'> | undefined
  /** Undefined until known. */
  plans: readonly Plan[] | undefined
  onChange: (text: string) => void
  error: string | undefined
}

export function AmountField({ value, maxRupees, plan, plans, onChange, error }: AmountFieldProps) {
  const [hasLeft, setHasLeft] = useState(false)
  const fault = plan ? undefined : amountFault(value, maxRupees)
  // More typing does not make a large number smaller, so this fault shows right away.
  const isTelling = hasLeft || Number(value.replaceAll(',', '')) > maxRupees
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field
        label={t('Amount')}
        error={error ?? (isTelling ? fault : undefined)}
        success={plan && t('You’ll get {amount} in your wallet', { amount: formatRupees(plan.bonus) })}
      >
        <div className="relative">
          <span aria-hidden className="pointer-events-none absolute top-2.5 left-3.5 text-xl font-semibold text-fg-3">
            ₹
          </span>
          <Input
            name="amount"
            inputMode="decimal"
            enterKeyHint="next"
            maxLength={12}
            required
            value={value}
            onChange={(event) => onChange(typedAmount(event.target.value))}
            // The field would cut "Rs. 1,500.00/-" before it is cleaned
            onPaste={(event) => {
              const amount = typedAmount(event.clipboardData.getData('text'))
              if (parseRupees(amount) === undefined) return
              event.preventDefault()
              onChange(amount)
            }}
            onBlur={() => setHasLeft(true)}
            className="h-12 pl-8! text-xl! font-semibold"
          />
        </div>
      </Field>
      <QuickAmounts value={value} plans={plans} onChange={onChange} />
    </div>
  )
}

function QuickAmounts({ value, plans, onChange }: Pick<AmountFieldProps, 'value' | 'plans' | 'onChange'>) {
  return (
    <fieldset className="grid grid-cols-4 gap-2 large-text:grid-cols-2" aria-label={t('Quick amounts')}>
      {plans
        ? quickAmounts(plans).map(({ rupees, credit }) => (
            <Button
              key={rupees}
              variant="secondary"
              size="sm"
              aria-pressed={value === String(rupees)}
              className={
                'tabular min-h-12 min-w-0 px-1! aria-pressed:border-brand-line aria-pressed:bg-brand-bg ' +
                'aria-pressed:text-brand'
              }
              onClick={() => onChange(String(rupees))}
            >
              <span>
                {formatRupees(rupees)}
                {credit > rupees && (
                  <span className="block text-xs whitespace-nowrap text-brand"> → {formatRupees(credit)}</span>
                )}
              </span>
            </Button>
          ))
        : [1, 2, 3, 4].map((place) => <Skeleton key={place} className="h-12" />)}
    </fieldset>
  )
}

const typedAmount = (text: string): string =>
  bareAmount(text)
    .replaceAll(/[^\d.,]/g, '')
    .replace(/^\.+/, '')

export function amountFault(written: string, maxRupees: number): string | undefined {
  if (written.trim() === '') return t('Enter an amount')
  const amount = parseRupees(written)
  if (amount === undefined) return t('Enter an amount, like 500 or 499.50')
  if (amount < TOPUP_MIN_PAISE) return t('Minimum amount is ₹1')
  return toRupees(amount) > maxRupees ? t('Maximum amount is {amount}', { amount: formatRupees(maxRupees) }) : undefined
}
