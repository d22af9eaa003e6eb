import { toRupees, type Paise } from '../../../../contract/money.ts'
import { topUpPlans, type Plan } from '../../../../contract/topup-plans.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import { TextField, useForm } from '../../../ui/admin/forms/use-form.tsx'
import { useSavePlan } from './queries.ts'
import { difference, percentOf } from './terms.ts'

/** Edits a plan, or makes one: the amount to pay and the wallet credit. */
export function PlanDialog({ plan, ...dialog }: DialogProps & { plan?: Plan }) {
  const { amount = '', bonus = '', isActive = true } = plan ?? {}
  const form = useForm({
    dialog,
    start: { amount: String(amount), bonus: String(bonus), isActive },
    input: topUpPlans.createPlan.input,
    save: useSavePlan(),
    send: (typed, changed) => ({ plan, typed, changed }),
    onSaved: () => toast(plan ? t('Plan saved') : t('Plan added')),
  })
  return (
    <EditDialog
      {...form.dialog}
      title={plan ? t('Edit {amount} plan', { amount: formatRupees(plan.amount) }) : t('New top-up plan')}
      submitLabel={plan ? t('Save changes') : t('Add plan')}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.of('amount')}
          label={t('Amount (₹)')}
          hint={t('The buyer pays this amount.')}
          inputMode="decimal"
          {...(!plan && { 'data-autofocus': true })}
        />
        <TextField
          {...form.of('bonus')}
          label={t('Wallet credit (₹)')}
          hint={t('The buyer gets this much in the wallet.')}
          inputMode="decimal"
        />
      </div>
      <p aria-live="polite" className="min-h-11 rounded-control bg-sunken px-3 py-3 text-sm text-fg-2">
        {form.read ? <Preview {...form.read} /> : t('Enter both amounts to see the offer.')}
      </p>
      <Switch
        label={t('Active')}
        hint={t('Buyers see this in Offers.')}
        checked={form.draft.isActive}
        onChange={(isActive) => form.change({ isActive })}
      />
    </EditDialog>
  )
}

function Preview(read: { amount: Paise; bonus: Paise }) {
  const terms = { amount: toRupees(read.amount), bonus: toRupees(read.bonus) }
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
