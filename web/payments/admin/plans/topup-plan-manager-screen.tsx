import type { ReactNode } from 'react'
import { Gift, Plus } from 'lucide-react'
import type { Plan } from '../../../../contract/payments.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { formatRupees } from '../../../platform/money.ts'
import { useListSearch } from '../../../platform/admin/list-search.ts'
import { toastUndo } from '../../../platform/admin/toast-undo.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { DataTable, type Column } from '../../../ui/admin/lists/data-table.tsx'
import { DeleteDialog } from '../../../ui/admin/forms/delete-dialog.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { ListPage } from '../../../ui/admin/lists/list-page.tsx'
import { Money } from '../../../ui/money.tsx'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { bestPlan } from '../../offers.ts'
import { useAllPlans, useRemovePlan, useSavePlan, useTogglePlan } from './queries.ts'
import { difference, percentOf } from './terms.ts'
import { deleting, editing } from '../../../ui/admin/lists/usual-actions.tsx'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import type { RecordFace } from '../../../ui/admin/lists/record-card.tsx'
import { StatusFilter } from '../../../ui/admin/lists/status-filter.tsx'
import { NoMatches } from '../../../ui/admin/lists/no-matches.tsx'

const PlanDialog = lazyPart(() => import('./plan-dialog.tsx').then((file) => file.PlanDialog))

type Filter = 'all' | 'active' | 'inactive'

/** The offers that buyers find under Offers: create, edit, switch on and off, delete. */
export function TopupPlanManagerScreen() {
  const plans = useAllPlans()
  const toggle = useTogglePlan()
  const list = useListSearch('/admin/topup-plan-manager')

  const filter: Filter = list.status === 'active' || list.status === 'inactive' ? list.status : 'all'
  const shown = plans.data?.filter((plan) => filter === 'all' || plan.isActive === (filter === 'active'))
  const rows: PlanRows = {
    best: bestPlan(plans.data?.filter((plan) => plan.isActive) ?? []),
    toggle,
    edit: (plan) => openDialog(PlanDialog, { plan }),
    remove: (plan) => openDialog(PlanDeletion, { plan }),
  }
  const create = (
    <Button
      icon={<Plus size={17} aria-hidden />}
      denied={denied(calls.payments.createPlan)}
      onClick={() => openDialog(PlanDialog, {})}
    >
      {t('New plan')}
    </Button>
  )
  return (
    <ListPage
      title={t('Top-up plans')}
      heading={t('Top-up plans')}
      count={plans.data?.length}
      actions={create}
      isEmpty={plans.data?.length === 0}
      activeFilters={filter === 'all' ? 0 : 1}
      filters={
        <StatusFilter
          list={list}
          label={t('Show plans')}
          value={filter}
          options={[
            { value: 'all', label: t('All') },
            { value: 'active', label: t('Active') },
            { value: 'inactive', label: t('Inactive') },
          ]}
        />
      }
    >
      <DataTable
        label={t('Top-up plans')}
        columns={columnsOf(rows)}
        face={(plan) => faceOf(plan, rows)}
        actions={(plan) => actionsOf(plan, rows)}
        rows={shown}
        rowKey={(plan) => plan._id}
        error={plans.error}
        onRetry={plans.refetch}
        skeletonRows={4}
        empty={<Nothing create={plans.data?.length === 0 && create} filter={filter} onShowAll={() => list.clear()} />}
      />
    </ListPage>
  )
}

interface NothingProps {
  create: ReactNode
  filter: Filter
  onShowAll: () => void
}

function Nothing({ create, filter, onShowAll }: NothingProps) {
  const icon = <Gift size={22} />
  if (create) {
    return (
      <EmptyState
        icon={icon}
        title={t('No top-up plans yet')}
        text={t('A plan gives buyers extra money, like ₹550 for ₹500. Buyers see plans in Offers.')}
        action={create}
      />
    )
  }
  return (
    <NoMatches
      icon={icon}
      title={filter === 'active' ? t('No active plans') : t('No inactive plans')}
      showAll={t('Show all plans')}
      onShowAll={() => {
        // The button goes with the empty list, and a focus on it would go too.
        document.getElementById('main')?.focus({ preventScroll: true })
        onShowAll()
      }}
    />
  )
}

interface PlanRows {
  best: Plan | undefined
  toggle: (plan: Plan, change: Pick<Plan, 'isActive'>) => void
  edit: (plan: Plan) => void
  remove: (plan: Plan) => void
}

function columnsOf({ best, toggle }: PlanRows): Column<Plan>[] {
  return [
    {
      key: 'amount',
      title: t('Amount'),
      className: 'w-32',
      cell: ({ amount }) => (
        <span className="font-semibold">
          <Money rupees={amount} />
        </span>
      ),
    },
    {
      key: 'bonus',
      title: t('Wallet credit'),
      className: 'w-32',
      cell: ({ bonus }) => (
        <span className="font-semibold">
          <Money rupees={bonus} />
        </span>
      ),
    },
    {
      key: 'difference',
      title: t('Extra'),
      cell: (plan) => <Difference plan={plan} isBest={plan === best} />,
    },
    {
      key: 'active',
      title: t('Active'),
      className: 'w-32',
      cell: (plan) => <ActiveSwitch plan={plan} toggle={toggle} bare />,
    },
  ]
}

function ActiveSwitch({
  plan,
  toggle,
  ...look
}: Pick<PlanRows, 'toggle'> & { plan: Plan; bare?: true; short?: string }) {
  return (
    <Switch
      {...look}
      label={t('{amount} plan is active', { amount: formatRupees(plan.amount) })}
      checked={plan.isActive}
      denied={denied(calls.payments.updatePlan)}
      onChange={(isActive) => toggle(plan, { isActive })}
    />
  )
}

function faceOf(plan: Plan, { best, toggle }: PlanRows): RecordFace {
  const terms = { amount: formatRupees(plan.amount), bonus: formatRupees(plan.bonus) }
  return {
    name: t('Pay {amount}, get {bonus}', terms),
    state: <Difference plan={plan} isBest={plan === best} />,
    aside: <ActiveSwitch plan={plan} toggle={toggle} short={t('Active')} />,
  }
}

function actionsOf(plan: Plan, { edit, remove }: PlanRows): Action[] {
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

function PlanDeletion({ plan, ...dialog }: { plan: Plan; open: boolean; onClose: () => void }) {
  const remove = useRemovePlan()
  const save = useSavePlan()
  const amount = formatRupees(plan.amount)
  const { _id: _, ...terms } = plan
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete the {amount} plan?', { amount })}
      action={async () => {
        await remove.mutateAsync(plan._id)
        toastUndo(
          t('{amount} plan deleted', { amount }),
          () => save.mutateAsync({ id: undefined, terms }),
          () => t('{amount} plan restored', { amount }),
        )
      }}
    >
      <p>
        {t('Buyers will no longer see “pay {amount}, get {bonus}”. Requests already submitted are not affected.', {
          amount,
          bonus: formatRupees(plan.bonus),
        })}
      </p>
    </DeleteDialog>
  )
}
