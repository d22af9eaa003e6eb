import type { ReactNode } from 'react'
import { ChevronRight } from 'lucide-react'
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
    <section aria-label={t('Expiring next')} className="flex flex-col rounded-panel border border-line bg-surface">
      <div className="flex flex-1 flex-col justify-between gap-1 px-4 py-2 sm:gap-4 sm:p-7">
        <NewestKey />
        <Content />
      </div>
      <Link
        to="/my-key"
        className={
          'hidden min-h-11 items-center justify-between gap-2 rounded-b-panel border-t border-line px-7 text-sm ' +
          'text-fg-2 transition-colors hover:bg-hover/50 hover:text-fg sm:flex'
        }
      >
        {t('All keys')}
        <ChevronRight size={16} aria-hidden className="shrink-0 text-fg-3" />
      </Link>
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
      <p className="truncate text-xs text-fg-3">
        {`${t('Expiring next')} · ${own(owned.productId, 'name')} · ${durationText(owned.duration)}`}
      </p>
      <Countdown until={owned.expiresAt} className="text-sm" />
      <DrainBar from={owned.assignedAt} until={owned.expiresAt} className="mt-1" />
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
