import { useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { CircleCheck, CircleX, Clock3, Plus, ReceiptIndianRupee } from 'lucide-react'
import type { OwnTopUp } from '../../contract/payments.ts'
import { sayReason } from '../../contract/reason-words.ts'
import { useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { useHydrated } from '../platform/use-hydrated.ts'
import { formatRupees } from '../platform/money.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Panel } from '../ui/page/panel.tsx'
import { Chip } from '../ui/chip.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { SupportLink } from '../ui/page/support-link.tsx'
import { Time } from '../ui/time.tsx'
import { openAddMoney } from './open-add-money.ts'
import { ReceiptLink } from './receipt-link.tsx'
import { RECENT_MS, recentRequests } from './recent-requests.ts'
import { useOwnRequests } from './use-own-requests.ts'
import { UsualWait } from './usual-wait.tsx'

const TellMe = lazyPart(() => import('../messages/tell-me.tsx').then((file) => file.TellMe), { missing: 'nothing' })

const WishLine = lazyPart(() => import('./wishes/wish-line.tsx').then((file) => file.WishLine), { missing: 'nothing' })

interface OwnRequestsProps {
  /** For the dashboard: shows only pending requests and those reviewed within a day, or nothing. */
  recent?: boolean
  className?: string
}

/** Requests shown at first. Each "Show more" adds twice as many. */
const STEP = 5

/** Lists the buyer's top-up requests and their state. `<OwnRequests recent />`, `<OwnRequests />` */
export function OwnRequests({ recent = false, className }: OwnRequestsProps) {
  const requests = useOwnRequests()
  const [shownCount, setShownCount] = useState(STEP)
  const isHydrated = useHydrated()
  // A day is coarse, so one look at the clock per hour is enough.
  const now = useNow(RECENT_MS / 24)
  const all = requests.data && recent ? recentRequests(requests.data, now) : requests.data

  const list = useRef<HTMLUListElement>(null)

  if (recent && !all?.length) return null
  const showMore = () => {
    const next = shownCount + STEP * 2
    flushSync(() => setShownCount(next))
    // Moves the focus, because its button disappears with the last request.
    if (all && all.length <= next) (list.current?.children[shownCount] as HTMLElement | undefined)?.focus()
  }
  return (
    <Panel title={t('Top-up requests')} {...(className && { className })}>
      <Content
        requests={all}
        error={requests.error}
        retrying={requests.isFetching}
        onRetry={() => requests.refetch()}
        shownCount={shownCount}
        list={list}
      />
      {isHydrated && all?.some(({ status }) => status === 'pending') && (
        <div className="mt-4 empty:hidden">
          <TellMe />
        </div>
      )}
      {all && all.length > shownCount && (
        <Button variant="secondary" size="sm" className="mt-4" onClick={showMore}>
          {t('Show older requests')}
        </Button>
      )}
    </Panel>
  )
}

interface ContentProps {
  requests: readonly OwnTopUp[] | undefined
  error: unknown
  retrying: boolean
  onRetry: () => unknown
  shownCount: number
  list: RefObject<HTMLUListElement | null>
}

function Content({ requests, error, retrying, onRetry, shownCount, list }: ContentProps) {
  if (error && !requests) return <ErrorState error={error} onRetry={onRetry} retrying={retrying} className="py-6" />
  if (!requests) {
    return (
      <Loading className="grid gap-4">
        {[1, 2].map((row) => (
          <div key={row} className="flex gap-3">
            <Skeleton className="size-10 shrink-0 rounded-full" />
            <div className="grid flex-1 gap-2">
              <Skeleton className="h-5 w-32" />
              <Skeleton className="h-4 w-48 max-w-full" />
            </div>
          </div>
        ))}
      </Loading>
    )
  }
  if (requests.length === 0) {
    return (
      <EmptyState
        icon={<ReceiptIndianRupee size={22} />}
        title={t('No top-up requests yet')}
        text={t('When you add money, you can track your request here.')}
        action={
          <Button icon={<Plus size={18} aria-hidden />} onClick={() => openAddMoney()}>
            {t('Add Money')}
          </Button>
        }
        className="py-6"
      />
    )
  }
  return (
    <ul ref={list} className="-my-3 divide-y divide-line">
      {requests.slice(0, shownCount).map((request) => (
        <Row key={request._id} request={request} />
      ))}
    </ul>
  )
}

const STATES = {
  pending: { tone: 'warn', Icon: Clock3, label: () => t('Pending') },
  approved: { tone: 'ok', Icon: CircleCheck, label: () => t('Approved') },
  rejected: { tone: 'bad', Icon: CircleX, label: () => t('Rejected') },
} as const
const DISCS = { pending: 'bg-warn/14 text-warn', approved: 'bg-ok/14 text-ok', rejected: 'bg-bad/14 text-bad' }

function Row({ request }: { request: OwnTopUp }) {
  const { _id, status, amount, credited, utr, createdAt, reason, checked, then, asked, takenBack } = request
  const { tone, Icon, label } = STATES[status]
  return (
    <li tabIndex={-1} className="flex gap-3 py-3">
      <span className={`grid size-10 shrink-0 place-items-center rounded-full ${DISCS[status]}`} aria-hidden>
        <Icon size={19} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="tabular font-semibold">{formatRupees(amount)}</span>
          <Chip tone={tone}>{label()}</Chip>
        </p>
        <p className="text-sm text-fg-2">
          {takenBack ? t('The store took this credit back.') : WHAT_BECAME[status](formatRupees(credited))}
        </p>
        {asked !== undefined && (
          <p className="text-sm wrap-anywhere text-fg-2">
            {t('You entered {amount}. Reason: {reason}', { amount: formatRupees(asked), reason: sayReason(t, reason) })}
          </p>
        )}
        {then && <WishLine wish={then} />}
        {status === 'pending' && <UsualWait checked={checked} />}
        {status === 'rejected' && <Rejected amount={amount} reason={reason} />}
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-fg-3">
          <Time value={createdAt} />
          <span className="font-mono wrap-anywhere">
            {t('UTR')} <span translate="no">{utr}</span>
          </span>
          {status === 'approved' && <ReceiptLink id={_id} />}
        </p>
      </div>
    </li>
  )
}

/** A buyer who has paid needs a way on, and somebody to ask. */
function Rejected({ amount, reason }: Pick<OwnTopUp, 'amount' | 'reason'>) {
  return (
    <>
      {reason && (
        <p className="text-sm wrap-anywhere text-bad">{t('Reason: {reason}', { reason: sayReason(t, reason) })}</p>
      )}
      <div className="my-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="secondary" size="sm" onClick={() => openAddMoney({ amountRupees: amount })}>
          {t('Send a new request')}
        </Button>
        <SupportLink className="inline-flex min-h-11 items-center text-sm font-semibold text-brand hover:underline">
          {t('Ask support')}
        </SupportLink>
      </div>
    </>
  )
}

const WHAT_BECAME = {
  pending: (amount: string) => t('{amount} will be added to your wallet after we verify the payment.', { amount }),
  approved: (amount: string) => t('{amount} added to your wallet.', { amount }),
  rejected: () => t('No money was added.'),
}
