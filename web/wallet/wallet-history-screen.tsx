import { useState } from 'react'
import { ChevronDown, ChevronUp, Hourglass } from 'lucide-react'
import type { User } from '../../contract/users.ts'
import { openAddMoney } from '../payments/open-add-money.ts'
import { OwnRequests } from '../payments/own-requests.tsx'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { useLocation } from '../platform/navigation/router.tsx'
import { useSession } from '../platform/session/session.ts'
import { useHydrated } from '../platform/use-hydrated.ts'
import { useMedia } from '../platform/use-media.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Money } from '../ui/money.tsx'
import { Page } from '../ui/page/page.tsx'
import { Segmented } from '../ui/fields/segmented.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { useShowAll } from '../ui/use-show-all.ts'
import { expiringCredit } from './expiring-credit.ts'
import { Movements, type Filter } from './movements.tsx'
import { RefreshButton } from './refresh-button.tsx'
import { RequestLine } from './request-line.tsx'
import { useWalletHistory, useWalletTotals } from './use-wallet-history.ts'

const LOTS_SHOWN = 4

export function WalletHistoryScreen() {
  const { user } = useSession()
  return (
    <Page
      title={t('Wallet History')}
      actions={
        <Button variant="secondary" onClick={() => openAddMoney()}>
          {t('Add Money')}
        </Button>
      }
    >
      {user && <Content user={user} />}
    </Page>
  )
}

function Content({ user }: { user: User }) {
  const [filter, setFilter] = useState<Filter>('all')
  const history = useWalletHistory()
  const totals = useWalletTotals()
  const failed = totals.error && !totals.data
  const value = (rupees: number | undefined) =>
    rupees === undefined ? (failed ? '–' : undefined) : formatRupees(rupees)
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 large-text:*:col-span-2">
        <StatCard
          label={t('Net Balance')}
          value={formatRupees(user.balance)}
          glow
          className="col-span-2 sm:order-last sm:col-span-1"
        />
        <StatCard label={t('Money Added')} value={value(totals.data?.added)} tone="ok" toned />
        <StatCard label={t('Money Used')} value={value(totals.data?.used)} />
      </div>
      <ExpiringCredit lots={user.wallet} />
      <div className="mt-4 grid min-w-0 items-start gap-4 sm:mt-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Requests />
        <div className="min-w-0">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <Segmented
              label={t('Show')}
              value={filter}
              onChange={setFilter}
              options={[
                { value: 'all', label: t('All') },
                { value: 'credited', label: t('Credited') },
                { value: 'debited', label: t('Debited') },
              ]}
            />
            <RefreshButton reload={() => [history.refetch(), totals.refetch()]} />
          </div>
          <Movements history={history} filter={filter} onShowAll={() => setFilter('all')} />
        </div>
      </div>
    </>
  )
}

/** Shows top-up requests next to the transactions, or above them in a line that opens. */
function Requests() {
  const isBeside = useMedia('(min-width: 64rem)')
  const { hash } = useLocation()
  // The server never receives the part after #, so it draws the line closed.
  const isAlive = useHydrated()
  const [isWanted, setWanted] = useState<boolean>()
  const isOpen = isWanted ?? (isAlive && hash === '#requests')
  const Arrow = isOpen ? ChevronUp : ChevronDown
  const beside = <OwnRequests className="order-last max-lg:hidden" />
  if (isBeside) return beside
  const above = (
    <div className="grid min-w-0 gap-3 lg:hidden">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setWanted(!isOpen)}
        className={
          'flex min-h-12 min-w-0 items-center gap-2 rounded-card border border-line bg-surface px-4 text-sm ' +
          'text-fg-2 transition-colors hover:border-line-2 hover:text-fg'
        }
      >
        <RequestLine otherwise={t('Top-up requests')} />
        <Arrow size={16} aria-hidden className="shrink-0 text-fg-3" />
      </button>
      {isOpen && <OwnRequests />}
    </div>
  )
  return isBeside === false ? (
    above
  ) : (
    <>
      {beside}
      {above}
    </>
  )
}

/** Shows "₹40 expires on 3 Feb" for each day with expiring money. */
function ExpiringCredit({ lots }: { lots: User['wallet'] }) {
  const { isWhole, showAll, propsOf } = useShowAll()
  const expiring = expiringCredit(lots)
  if (expiring.length === 0) return null
  const shown = isWhole ? expiring : expiring.slice(0, LOTS_SHOWN)
  return (
    <section
      aria-label={t('Expiring balance')}
      className="mt-3 flex gap-2.5 rounded-card border border-line bg-surface px-4 py-3 text-sm text-fg-2 sm:mt-4"
    >
      <Hourglass size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <ul className="flex min-w-0 flex-wrap gap-x-6 gap-y-1">
        {shown.map(({ amount, expiresAt }, at) => (
          <li key={`${expiresAt} ${amount}`} {...propsOf(at, LOTS_SHOWN)}>
            {textWith(amount > 0 ? '{amount} expires on {date}' : '{amount} returns on {date}', {
              amount: <Money rupees={Math.abs(amount)} className="font-semibold text-fg" />,
              date: <Time value={expiresAt} format="date" />,
            })}
          </li>
        ))}
        {shown.length < expiring.length && (
          <li>
            <button
              type="button"
              onClick={showAll}
              className={
                'relative font-semibold text-brand after:absolute after:inset-x-0 after:-inset-y-3 hover:underline'
              }
            >
              {t('{count} more', { count: expiring.length - shown.length })}
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}
