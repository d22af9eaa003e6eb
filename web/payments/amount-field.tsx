import { useState } from 'react'
import { TOPUP_MIN_PAISE } from '../../contract/limits.ts'
import { parseRupees, toRupees } from '../../contract/money.ts'
import { plainDigits } from '../../contract/utr.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'

const QUICK_RUPEES = [100, 200, 500, 1_000]

interface AmountFieldProps {
  maxRupees: number
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

export function AmountField({ value, maxRupees, onChange, error }: AmountFieldProps) {
  const [hasLeft, setHasLeft] = useState(false)
  const fault = amountFault(value, maxRupees)
  // More typing does not make a large number smaller, so this fault shows right away.
  const isTelling = hasLeft || Number(value.replaceAll(',', '')) > maxRupees
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field label={t('Amount')} error={error ?? (isTelling ? fault : undefined)}>
        <div className="relative">
          <span aria-hidden className="pointer-events-none absolute top-2.5 left-3.5 text-xl font-semibold text-fg-3">
            ₹
          </span>
          <Input
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="next"
            maxLength={12}
            required
            value={value}
            onChange={(event) => onChange(plainDigits(event.target.value).replaceAll(/[^\d.,]/g, ''))}
            onBlur={() => setHasLeft(true)}
            className="tabular h-12 pl-8! text-xl! font-semibold"
          />
        </div>
      </Field>
      <fieldset className="grid grid-cols-4 gap-2 large-text:grid-cols-2" aria-label={t('Quick amounts')}>
        {QUICK_RUPEES.map((rupees) => (
          <Button
            key={rupees}
            variant="secondary"
            size="sm"
            aria-pressed={value === String(rupees)}
            className={
              'tabular min-w-0 px-1! aria-pressed:border-brand-line aria-pressed:bg-brand-bg ' +
              'aria-pressed:text-brand'
            }
            onClick={() => onChange(String(rupees))}
          >
            {formatRupees(rupees)}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

export function amountFault(written: string, maxRupees: number): string | undefined {
  if (written.trim() === '') return t('Enter an amount')
  const amount = parseRupees(written)
  if (amount === undefined) return t('Enter an amount, like 500 or 499.50')
  if (amount < TOPUP_MIN_PAISE) return t('Minimum amount is ₹1')
  return toRupees(amount) > maxRupees ? t('Maximum amount is {amount}', { amount: formatRupees(maxRupees) }) : undefined
}
