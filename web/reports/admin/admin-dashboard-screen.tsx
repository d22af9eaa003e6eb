import { OVERVIEW_DAYS } from '../../../contract/limits.ts'
import type { Overview } from '../../../contract/reports.ts'
import { AdminUrge } from '../../admins/admin/admin-urge.tsx'
import { ClaimsWaiting } from '../../claims/admin/claims-waiting.tsx'
import { RunsOut } from '../../forecast/admin/runs-out.tsx'
import { t } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session/session.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { useHydrated } from '../../platform/use-hydrated.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { ChartSkeleton } from './chart-skeleton.tsx'
import { FirstSteps, StepsLeft } from './guide/first-steps.tsx'
import { HeldByBanks } from './held-by-banks.tsx'
import { useOverview } from './report-queries.ts'
import { SettingsRows } from './settings/settings-rows.tsx'
import { StoreWarnings } from './store-health.tsx'
import { TurnoverWarning } from './turnover-warning.tsx'
import { Today, Totals } from './overview-tiles.tsx'
import { BestSellers, Stock } from './overview-lists.tsx'

const SalesChart = lazyPart(() => import('./sales-chart.tsx').then((file) => file.SalesChart), {
  waiting: <ChartSkeleton />,
  missing: 'line',
})

/** What asks for the owner, a row each. */
const NEEDS = 'divide-y divide-line overflow-hidden rounded-card border border-line bg-surface empty:hidden'

type Range = '7' | '30' | '90'
/** Kept for the way back from a figure's rows. */
const range = createStore<Range>(`${OVERVIEW_DAYS}`)

/** The admin dashboard: today's figures, the chart, the lists and the settings of the store. */
export function AdminDashboardScreen() {
  const days = useStore(range)
  const overview = useOverview(Number(days))
  const { data } = overview
  const { admin } = useSession()
  const firstSteps = data?.firstSteps && <FirstSteps key="first" steps={data.firstSteps} />
  // Money that waits comes before the guide
  const hasWaiting = (data?.pending.count ?? 0) > 0
  return (
    <Page title={t('Dashboard')} hideTitle>
      <div className="grid grid-cols-1 gap-3 sm:gap-6">
        {overview.error && !data ? (
          <ErrorState error={overview.error} onRetry={overview.refetch} retrying={overview.isFetching} />
        ) : (
          <>
            {!hasWaiting && firstSteps}
            <Today overview={data} />
            {hasWaiting && firstSteps}
            <div className={NEEDS}>
              <ClaimsWaiting />
              <StoreWarnings />
              <HeldByBanks held={data?.held} />
              <TurnoverWarning />
              {admin && <AdminUrge admin={admin} />}
            </div>
            <Panel
              title={t('Sales and top-ups')}
              actions={
                <Segmented
                  label={t('Days')}
                  value={days}
                  onChange={range.set}
                  className="max-sm:[&>button]:px-2"
                  options={[
                    { value: '7', label: t('7 days') },
                    { value: '30', label: t('30 days') },
                    { value: '90', label: t('90 days') },
                  ]}
                />
              }
            >
              <div className={cx('transition-opacity', overview.isPlaceholderData && 'opacity-60')}>
                <Chart days={data?.days} />
              </div>
            </Panel>
            <div className="grid gap-3 sm:gap-6 wide:grid-cols-2">
              <BestSellers overview={data} />
              {data && !data.firstSteps && <RunsOut low={data.runningOut} />}
              <Stock overview={data} />
            </div>
            {data && !data.firstSteps && <StepsLeft />}
          </>
        )}
        <Totals overview={data} />
        <SettingsRows />
      </div>
    </Page>
  )
}

function Chart({ days }: { days: Overview['days'] | undefined }) {
  const isAlive = useHydrated()
  return days && isAlive ? <SalesChart days={days} /> : <ChartSkeleton />
}
