import { CircleCheck, Gift, Plus, Tag } from 'lucide-react'
import type { Plan } from '../../contract/topup-plans.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { useStore } from '../platform/store.ts'
import { useUpi } from '../settings/use-upi.ts'
import { Badge } from '../ui/badge.tsx'
import { HaveACode } from './codes/have-a-code.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { cx } from '../ui/cx.ts'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { Page } from '../ui/page/page.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { SupportLink } from '../ui/page/support-link.tsx'
import { bestPlan, extraOf } from './offers.ts'
import { addMoneyRequest, openAddMoney } from './open-add-money.ts'
import { OwnRequests } from './own-requests.tsx'
import { submittedMessage } from './submitted.ts'
import { useActivePlans } from './use-active-plans.ts'

const GRID = 'grid grid-cols-2 gap-3 large-text:grid-cols-1 sm:gap-4'
/** Three columns, or four if that leaves fewer gaps in the last row. */
const columnsFor = (count: number) =>
  emptyPlaces(count, 4) < emptyPlaces(count, 3) ? 'lg:grid-cols-4' : 'lg:grid-cols-3'
const emptyPlaces = (count: number, columns: number) => Math.ceil(count / columns) * columns - count
const PLAN_HEIGHT = 'min-h-[134px] sm:min-h-[154px]'

export function AddBalanceScreen() {
  const isOff = useUpi().data?.paymentEnabled === false
  return (
    <Page title={t('Offers')} description={t('Choose a plan to get bonus money with your top-up.')}>
      <SubmittedMessage />
      <output>{isOff && <Offline />}</output>
      <Plans isOff={isOff} />
      <section
        className={
          'mt-4 flex flex-wrap items-center justify-between gap-4 rounded-panel border border-line bg-surface p-4 ' +
          'sm:p-6'
        }
      >
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{t('Any amount')}</h2>
          <p className="mt-0.5 text-sm text-fg-2">{t('Any amount from ₹1. Only the amounts above earn a bonus.')}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            disabled={isOff}
            icon={<Plus size={18} aria-hidden />}
            onClick={() => openAddMoney()}
          >
            {t('Add Money')}
          </Button>
          <HaveACode />
        </div>
      </section>
      <OwnRequests recent className="mt-4" />
    </Page>
  )
}

/** Says that payments are off before anybody pays. */
function Offline() {
  return (
    <p className="mb-4 rounded-card border border-warn/30 bg-warn/8 px-4 py-3 text-sm text-warn">
      {t('The admin is offline. Money cannot be added right now, so please don’t pay yet.')}{' '}
      <SupportLink className="font-semibold underline">{t('Contact support')}</SupportLink>
    </p>
  )
}

/** Follows the dialog's own message, for the time that the specification gives. */
function SubmittedMessage() {
  const isShown = useStore(submittedMessage)
  const isDialogOpen = useStore(addMoneyRequest) !== null
  return (
    <output className="pointer-events-none fixed inset-x-4 top-20 z-40 grid justify-items-center">
      {isShown && !isDialogOpen && (
        <p
          className={
            'toast flex items-center gap-2 rounded-full border border-line-2 bg-raised px-4 py-2.5 text-sm ' +
            'font-semibold text-ok shadow-raised'
          }
        >
          <CircleCheck size={18} aria-hidden />
          {t('Request submitted')}
        </p>
      )}
    </output>
  )
}

function Plans({ isOff }: { isOff: boolean }) {
  const plans = useActivePlans()
  if (plans.error && !plans.data) {
    return (
      <ErrorState
        title={t('Failed to fetch plans')}
        error={plans.error}
        retrying={plans.isFetching}
        onRetry={() => plans.refetch()}
      />
    )
  }
  if (!plans.data) {
    return (
      <Loading className={cx(GRID, columnsFor(4))}>
        {[1, 2, 3, 4].map((card) => (
          <Skeleton key={card} className={cx('rounded-panel!', PLAN_HEIGHT)} />
        ))}
      </Loading>
    )
  }
  if (plans.data.length === 0) {
    return (
      <EmptyState
        icon={<Tag size={22} />}
        title={t('No offers right now')}
        text={t('You can still add any amount.')}
        className="rounded-panel border border-line py-10"
      />
    )
  }
  const best = bestPlan(plans.data)
  return (
    <ul className={cx(GRID, columnsFor(plans.data.length))}>
      {plans.data.map((plan) => (
        <PlanCard key={plan._id} plan={plan} isBest={plan === best} isOff={isOff} />
      ))}
    </ul>
  )
}

function PlanCard({ plan, isBest, isOff }: { plan: Plan; isBest: boolean; isOff: boolean }) {
  const extra = extraOf(plan)
  return (
    <li className="rise relative max-lg:odd:last:col-span-full">
      <button
        type="button"
        disabled={isOff}
        onClick={() => openAddMoney({ plan })}
        className={cx(
          'grid h-full w-full content-between gap-2 rounded-panel border bg-surface p-4 text-left ' +
            'transition-[translate,border-color] duration-200 hover:-translate-y-0.5 sm:p-6 ' +
            'disabled:pointer-events-none disabled:opacity-60',
          PLAN_HEIGHT,
          isBest ? 'glow border-brand-line' : 'border-line hover:border-line-2',
        )}
      >
        {/* Without a bonus it is an amount, and not an offer */}
        <span className="tabular text-sm text-fg-2">
          {plan.bonus === plan.amount ? t('Add Money') : t('Pay {amount}', { amount: formatRupees(plan.amount) })}
        </span>
        <span className="tabular text-2xl font-semibold tracking-[-0.035em] wrap-anywhere sm:text-4xl">
          {formatRupees(plan.bonus)}
        </span>
        {extra > 0 && (
          <span className="tabular flex items-center gap-1.5 text-sm font-medium text-brand">
            <Gift size={15} className="shrink-0" aria-hidden />
            {t('{amount} bonus', { amount: formatRupees(extra) })}
          </span>
        )}
      </button>
      {isBest && <Badge className="pointer-events-none absolute -top-3 right-3">{t('Best offer')}</Badge>}
    </li>
  )
}
