import type { Plan } from '../../../../contract/topup-plans.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../../ui/admin/lists/record-card.tsx'
import { deleting, editing } from '../../../ui/admin/lists/usual-actions.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Money } from '../../../ui/money.tsx'
import { difference, percentOf } from './terms.ts'

export interface PlanRows {
  best: Plan | undefined
  toggle: (plan: Plan, change: Pick<Plan, 'isActive'>) => void
  edit: (plan: Plan) => void
  remove: (plan: Plan) => void
}

export function columnsOf({ best, toggle }: PlanRows): Column<Plan>[] {
  return [
    {
      title: t('Amount'),
      className: 'w-32',
      cell: ({ amount }) => <Money rupees={amount} className="font-semibold" />,
    },
    {
      title: t('Wallet credit'),
      className: 'w-32',
      cell: ({ bonus }) => <Money rupees={bonus} className="font-semibold" />,
    },
    {
      title: t('Extra'),
      card: 'state',
      cell: (plan, onCard) => <Difference plan={plan} isBest={plan === best && !onCard} />,
    },
    {
      title: t('Active'),
      className: 'w-32',
      card: 'aside',
      cell: (plan, short) => (
        <Switch
          bare={!short}
          short={short}
          label={t('{amount} plan is active', { amount: formatRupees(plan.amount) })}
          checked={plan.isActive}
          denied={denied(calls.payments.updatePlan)}
          onChange={(isActive) => toggle(plan, { isActive })}
        />
      ),
    },
  ]
}

export const faceOf = (plan: Plan, { best }: PlanRows): RecordFace => ({
  name: t('Pay {amount}, get {bonus}', { amount: formatRupees(plan.amount), bonus: formatRupees(plan.bonus) }),
  caption: plan === best && <span className="text-brand">{t('Best offer')}</span>,
})

export function actionsOf(plan: Plan, { edit, remove }: PlanRows): Action[] {
  const amount = formatRupees(plan.amount)
  return [
    editing({
      name: t('Edit {amount} plan', { amount }),
      denied: denied(calls.payments.updatePlan),
      run: () => edit(plan),
    }),
    deleting({
      name: t('Delete {amount} plan', { amount }),
      denied: denied(calls.payments.removePlan),
      run: () => remove(plan),
    }),
  ]
}

function Difference({ plan, isBest }: { plan: Plan; isBest: boolean }) {
  const extra = difference(plan)
  if (extra === 0) return <Chip tone="outline">{t('No extra')}</Chip>
  const amount = formatRupees(Math.abs(extra))
  if (extra < 0) return <Chip tone="warn">{t('{amount} less than paid', { amount })}</Chip>
  return (
    <span className="flex flex-wrap gap-1.5">
      <Chip tone="ok">{t('+{amount} · {percent}', { amount, percent: percentOf(plan) })}</Chip>
      {isBest && <Chip tone="brand">{t('Best offer')}</Chip>}
    </span>
  )
}
