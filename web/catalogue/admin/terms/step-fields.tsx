import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Plus, X } from 'lucide-react'
import { STEPS_MAX } from '../../../../contract/limits.ts'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { IconButton } from '../../../ui/buttons/icon-button.tsx'
import { Input } from '../../../ui/fields/input.tsx'

/** From how many keys on each costs how much, as typed. */
export interface StepDraft {
  from: string
  price: string
}

interface StepFieldsProps {
  steps: readonly StepDraft[]
  /** Of the row, from 1. */
  number: number
  onChange: (steps: StepDraft[]) => void
}

/** From how many keys in one order on each costs less. */
export function StepFields({ steps, number, onChange }: StepFieldsProps) {
  const adder = useRef<HTMLButtonElement>(null)
  const [isAdded, setAdded] = useState(false)
  const edit = (at: number, part: Partial<StepDraft>) =>
    onChange(steps.map((step, n) => (n === at ? { ...step, ...part } : step)))
  const remove = (at: number) => {
    // The button goes with its line
    flushSync(() => onChange(steps.filter((_, n) => n !== at)))
    adder.current?.focus()
  }
  return (
    <div className="mb-1 grid gap-1.5">
      {steps.map(({ from, price }, at) => (
        <div key={at} className="flex items-center gap-2 text-sm whitespace-nowrap text-fg-2 large-text:flex-wrap">
          <span aria-hidden>{t('From', { context: 'quantity' })}</span>
          <Input
            aria-label={t('Cheaper from, row {number}, step {step}', { number, step: at + 1 })}
            inputMode="numeric"
            value={from}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- its button was pressed
            autoFocus={isAdded && at === steps.length - 1}
            onChange={({ target }) => edit(at, { from: target.value })}
            className="w-14 shrink-0"
          />
          <span aria-hidden>{t('₹ each')}</span>
          <Input
            aria-label={t('Price of each, row {number}, step {step}', { number, step: at + 1 })}
            inputMode="decimal"
            value={price}
            onChange={({ target }) => edit(at, { price: target.value })}
            className="w-24 min-w-0"
          />
          <IconButton
            label={t('Remove step {step} of row {number}', { number, step: at + 1 })}
            icon={<X size={16} aria-hidden />}
            onClick={() => remove(at)}
            className="-my-1 -mr-2 ml-auto"
          />
        </div>
      ))}
      {steps.length < STEPS_MAX && (
        <Button
          ref={adder}
          size="sm"
          variant="ghost"
          icon={<Plus size={15} aria-hidden />}
          aria-label={t('Add a step to row {number}', { number })}
          onClick={() => {
            setAdded(true)
            onChange([...steps, { from: '', price: '' }])
          }}
          className="-ml-3 justify-self-start"
        >
          {t('Cheaper from a quantity')}
        </Button>
      )}
    </div>
  )
}
