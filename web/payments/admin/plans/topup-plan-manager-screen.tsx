import { Gift, Plus } from 'lucide-react'
import type { Plan } from '../../../../contract/topup-plans.ts'
import { allPlans } from '../../../../contract/panel-pages.ts'
import { useRowChange } from '../../../platform/admin/use-change.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { formatRupees } from '../../../platform/money.ts'
import { useListSearch } from '../../../platform/admin/list-search.ts'
import { toastUndo } from '../../../platform/admin/toast-undo.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { DeleteDialog } from '../../../ui/admin/forms/delete-dialog.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { RecordList } from '../../../ui/admin/lists/record-list.tsx'
import { openDialog, type DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { bestPlan } from '../../offers.ts'
import { useAllPlans } from './queries.ts'
import { Nothing } from '../../../ui/admin/lists/nothing.tsx'
import { actionsOf, columnsOf, faceOf, type PlanRows } from './plan-columns.tsx'

const PlanDialog = lazyPart(() => import('./plan-dialog.tsx').then((file) => file.PlanDialog))

type Filter = 'all' | 'active' | 'inactive'

/** The offers that buyers find under Offers: create, edit, switch on and off, delete. */
export function TopupPlanManagerScreen() {
  const plans = useAllPlans()
  const toggle = useRowChange(allPlans, 'payments.updatePlan')
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
    <RecordList
      title={t('Top-up plans')}
      count={plans.data?.length}
      actions={create}
      isEmpty={plans.data?.length === 0}
      list={list}
      query={plans}
      rows={shown}
      filter={{
        label: t('Show plans'),
        value: filter,
        options: [
          { value: 'all', label: t('All') },
          { value: 'active', label: t('Active') },
          { value: 'inactive', label: t('Inactive') },
        ],
      }}
      columns={columnsOf(rows)}
      face={(plan) => faceOf(plan, rows)}
      actionsOf={(plan) => actionsOf(plan, rows)}
      skeletonRows={4}
      empty={
        <Nothing
          icon={<Gift size={22} />}
          first={
            plans.data?.length === 0 && {
              title: t('No top-up plans yet'),
              text: t('A plan gives buyers extra money, like ₹550 for ₹500. Buyers see plans in Offers.'),
              action: create,
            }
          }
          none={{
            title: filter === 'active' ? t('No active plans') : t('No inactive plans'),
            showAll: t('Show all plans'),
            onShowAll: list.clear,
          }}
        />
      }
    />
  )
}

function PlanDeletion({ plan, ...dialog }: DialogProps & { plan: Plan }) {
  const remove = useCall('payments.removePlan')
  const restore = useCall('payments.createPlan')
  const { _id: id, ...terms } = plan
  const amount = formatRupees(plan.amount)
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete the {amount} plan?', { amount })}
      action={async () => {
        await remove.mutateAsync({ id })
        toastUndo(
          t('{amount} plan deleted', { amount }),
          () => restore.mutateAsync(terms),
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
