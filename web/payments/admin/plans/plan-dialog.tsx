import { useState, type ComponentProps } from 'react'
import type { Plan } from '../../../../contract/topup-plans.ts'
import { fieldErrorsOf, formErrorOf } from '../../../platform/admin/form-errors.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import { useSavePlan } from './queries.ts'
import { amountFault, difference, percentOf, toAmount } from './terms.ts'

/** Edits a plan, or makes one: the amount to pay and the wallet credit. */
export function PlanDialog({ plan, ...dialog }: DialogProps & { plan?: Plan }) {
  const [amount, setAmount] = useState(plan ? String(plan.amount) : '')
  const [bonus, setBonus] = useState(plan ? String(plan.bonus) : '')
  const [isActive, setActive] = useState(plan?.isActive ?? true)
  const [isChecked, setChecked] = useState(false)
  const save = useSavePlan()
  const refused = fieldErrorsOf(save.error)
  const faults = { amount: amountFault(amount, false), bonus: amountFault(bonus, true) }
  const errorOf = (field: keyof typeof faults) => refused[field] ?? (isChecked ? faults[field] : undefined)
  const isValid = !faults.amount && !faults.bonus
  const dirty = plan
    ? amount !== String(plan.amount) || bonus !== String(plan.bonus) || isActive !== plan.isActive
    : amount !== '' || bonus !== ''

  const submit = () => {
    setChecked(true)
    if (!isValid) return
    save.mutate(
      { plan, terms: { amount: toAmount(amount), bonus: toAmount(bonus), isActive } },
      {
        onSuccess: () => {
          toast(plan ? t('Plan saved') : t('Plan added'))
          dialog.onClose()
        },
      },
    )
  }
  const change = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    if (save.isError) save.reset()
  }
  return (
    <EditDialog
      {...dialog}
      title={plan ? t('Edit {amount} plan', { amount: formatRupees(plan.amount) }) : t('New top-up plan')}
      submitLabel={plan ? t('Save changes') : t('Add plan')}
      dirty={dirty}
      pending={save.isPending}
      error={formErrorOf(save.error, Object.keys(faults))}
      onSubmit={submit}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <AmountField
          name="amount"
          label={t('Amount (₹)')}
          hint={t('Amount the buyer pays')}
          error={errorOf('amount')}
          value={amount}
          onChange={change(setAmount)}
          {...(!plan && { 'data-autofocus': true })}
        />
        <AmountField
          name="bonus"
          label={t('Wallet credit (₹)')}
          hint={t('Total the buyer gets in the wallet')}
          error={errorOf('bonus')}
          value={bonus}
          onChange={change(setBonus)}
        />
      </div>
      <p aria-live="polite" className="min-h-11 rounded-control bg-sunken px-3 py-3 text-sm text-fg-2">
        {isValid ? (
          <Preview amount={toAmount(amount)} bonus={toAmount(bonus)} />
        ) : (
          t('Enter both amounts to see the offer.')
        )}
      </p>
      <Switch label={t('Active')} hint={t('Buyers see this in Offers')} checked={isActive} onChange={setActive} />
    </EditDialog>
  )
}

interface AmountFieldProps extends ComponentProps<typeof Input> {
  label: string
  hint: string
  error: string | undefined
}

function AmountField({ label, hint, error, ...rest }: AmountFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Input inputMode="decimal" required {...rest} />
    </Field>
  )
}

function Preview(terms: { amount: number; bonus: number }) {
  const extra = difference(terms)
  const values = {
    amount: formatRupees(terms.amount),
    bonus: formatRupees(terms.bonus),
    extra: formatRupees(Math.abs(extra)),
    percent: percentOf(terms),
  }
  if (extra > 0) return t('Pay {amount}, get {bonus} ({extra} extra, {percent}).', values)
  if (extra === 0) return t('Pay {amount}, get {bonus}. No extra, so no offer badge is shown.', values)
  return (
    <span className="text-warn">{t('Buyers would pay {amount} and get only {bonus} ({extra} less).', values)}</span>
  )
}
