import { createElement, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { Boundary, type InsteadProps } from '../../platform/navigation/boundary.tsx'
import { t } from '../../platform/i18n.ts'
import { isFetchFailure } from '../../platform/navigation/navigation.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { useHydrated } from '../../platform/use-hydrated.ts'
import { Button } from '../buttons/button.tsx'

interface LazyPartOptions {
  /** Shown while it loads. */
  waiting?: ReactNode
  /**
   * Says that it failed to load: a message, as for a dialog; a line in its place; nothing, if it is not missed; or your
   * own component. Yours should suggest more than `onRetry`, which keeps failing in many browsers.
   */
  missing?: 'message' | 'line' | 'nothing' | ComponentType<InsteadProps>
}

const sorry = (error: unknown) =>
  isFetchFailure(error)
    ? t('Part of this page didn’t load. Check your connection, then reload the page.')
    : t('Part of this page couldn’t be shown. Reload the page to try again.')

/**
 * Fetches part of a screen when it is first drawn. Without a network, or after an update of the store, it may be
 * missing. The screen and its typed text then stay, and the part can be requested again. Many browsers remember a
 * failed import, so after two failures only reloading the page helps.
 *
 *   const SalesChart = lazyPart(() => import('./sales-chart.tsx').then((file) => file.SalesChart), { missing: 'line' })
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting, missing = 'message' }: LazyPartOptions = {},
): ComponentType<Props> {
  // React remembers a lazy component's failure, so another try needs a new one.
  const make = () => lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>
  let Fetched = make()
  let failures = 0
  function Line({ error, onRetry }: InsteadProps) {
    // The count when this failure was drawn. It grows right after.
    const [{ label, run }] = useState(() => wayOut(failures > 0, onRetry))
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-sm text-fg-2">
        {sorry(error)}
        <Button variant="secondary" size="sm" onClick={run}>
          {label}
        </Button>
      </p>
    )
  }
  const Instead = missing === 'line' ? Line : typeof missing === 'string' ? undefined : missing
  return function LazyPart(props: Props) {
    // The server draws at once, so it cannot wait for a file
    const isAlive = useHydrated()
    return (
      <Boundary
        onError={(retry, error) => {
          Fetched = make()
          failures++
          if (missing === 'message') toast(sorry(error), { tone: 'bad', action: wayOut(failures > 1, retry) })
        }}
        {...(Instead && { Instead })}
      >
        {() => (isAlive ? <Suspense fallback={waiting}>{createElement(Fetched, props)}</Suspense> : waiting)}
      </Boundary>
    )
  }
}

function wayOut(hasFailedBefore: boolean, retry: () => void) {
  return hasFailedBefore
    ? { label: t('Reload page'), run: () => location.reload() }
    : { label: t('Try again'), run: retry }
}
