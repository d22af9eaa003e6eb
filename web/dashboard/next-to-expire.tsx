import type { ReactNode } from 'react'
import type { OwnedKey } from '../../contract/keys.ts'
import { COUNTDOWN_INTERVAL_MS } from '../../contract/limits.ts'
import { nextToExpire } from '../keys/key-time.ts'
import { useMyKeys } from '../keys/use-my-keys.ts'
import { errorMessage } from '../platform/calls/api-error.ts'
import { useNow } from '../platform/clock.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { Link } from '../platform/navigation/router.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { Countdown } from '../ui/countdown.tsx'
import { DrainBar } from '../ui/drain-bar.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { NewestKey } from './newest-key.tsx'

/** Shows the newest key and the one that expires first. */
export function NextToExpire() {
  return (
    <section
      aria-labelledby="next-to-expire"
      className="flex flex-col gap-2 rounded-panel border border-line bg-surface px-3 py-2 sm:gap-4 sm:p-6"
    >
      <NewestKey />
      <div className="-my-3 hidden items-center justify-between gap-3 sm:flex">
        <h2 id="next-to-expire" className="text-sm font-medium text-fg-2">
          {t('Expiring next')}
        </h2>
        <Link
          to="/my-key"
          className="inline-flex min-h-11 items-center rounded-control text-sm font-semibold text-brand hover:underline"
        >
          {t('All keys')}
        </Link>
      </div>
      <div className="flex flex-1 flex-col justify-end wide:min-h-21">
        <Content />
      </div>
    </section>
  )
}

function Content() {
  const keys = useMyKeys()
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  if (keys.data) {
    const next = nextToExpire(keys.data, now)
    return next ? <Next owned={next} /> : <NothingActive hasKeys={keys.data.length > 0} />
  }
  if (keys.error) {
    return (
      <Line>
        <p role="alert" className="min-w-0 text-sm text-fg-2">
          {errorMessage(keys.error)}
        </p>
        <Button variant="secondary" size="sm" pending={keys.isFetching} onClick={() => void keys.refetch()}>
          {t('Retry')}
        </Button>
      </Line>
    )
  }
  return (
    <Loading>
      <Skeleton className="h-5.5 w-48 max-w-full" />
      <Skeleton className="mt-3 h-1.5 w-full" />
    </Loading>
  )
}

function Next({ owned }: { owned: OwnedKey }) {
  return (
    <Link to="/my-key" search={{ show: 'active' }} className="min-h-11 rounded-control">
      <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3 large-text:flex-col wide:flex-col">
        <p className="line-clamp-2 max-w-full min-w-0 wrap-anywhere">
          <span className="font-semibold">{own(owned.productId, 'name')}</span>
          <span className="text-fg-3"> · {durationText(owned.duration)}</span>
        </p>
        <Countdown until={owned.expiresAt} className="shrink-0 text-sm text-fg-2 wide:text-base" />
      </div>
      <DrainBar from={owned.assignedAt} until={owned.expiresAt} className="mt-1.5" />
    </Link>
  )
}

function NothingActive({ hasKeys }: { hasKeys: boolean }) {
  return (
    <Line>
      <p className="min-w-0 text-sm text-fg-2">
        {hasKeys ? t('You have no active keys.') : t('Your keys and the time left on them appear here.')}
      </p>
      <Link
        to="/buy"
        className="inline-flex min-h-11 items-center rounded-control text-sm font-semibold text-brand hover:underline"
      >
        {hasKeys ? t('Buy a key') : t('Buy your first key')}
      </Link>
    </Line>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <div className="flex items-center justify-between gap-3">{children}</div>
}
