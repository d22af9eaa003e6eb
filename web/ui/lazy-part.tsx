import { createElement, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { Boundary, type InsteadProps } from '../platform/boundary.tsx'
import { t } from '../platform/i18n.ts'
import { toast } from '../platform/toast.ts'
import { Button } from './button.tsx'

interface LazyPartOptions {
  /** In its place while it comes. */
  waiting?: ReactNode
  /**
   * What says that it can't be had: a message, as for a dialog; a line in its place; nothing, for what nobody would miss;
   * or a component of your own. It tells another way than `onRetry`, which in many browsers fails for good.
   */
  missing?: 'message' | 'line' | 'nothing' | ComponentType<InsteadProps>
}

const sorry = () => t('Part of this page didn’t load. Check your connection, then reload the page.')

/**
 * A part of a screen whose code is fetched when it is first drawn. Without a network, or after an update of the store, it
 * may not be there: the screen then stays as it is, with all that is typed in it, and the part can be asked for again.
 * Many browsers keep the failure of an import for good, though: when it has failed twice, only loading the page again helps.
 *
 *   const SalesChart = lazyPart(() => import('./sales-chart.tsx').then((file) => file.SalesChart), { missing: 'line' })
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting, missing = 'message' }: LazyPartOptions = {},
): ComponentType<Props> {
  // React keeps the failure of a lazy component for good, so that another try needs a new one.
  const make = () => lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>
  let Fetched = make()
  let failures = 0
  function Line({ onRetry }: InsteadProps) {
    // As it was when this failure was drawn, which is counted right after.
    const [{ label, run }] = useState(() => wayOut(failures > 0, onRetry))
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-sm text-fg-2">
        {sorry()}
        <Button variant="secondary" size="sm" onClick={run}>
          {label}
        </Button>
      </p>
    )
  }
  const Instead = missing === 'line' ? Line : typeof missing === 'string' ? undefined : missing
  return function LazyPart(props: Props) {
    return (
      <Boundary
        onError={(retry) => {
          Fetched = make()
          failures++
          if (missing === 'message') toast(sorry(), { tone: 'bad', action: wayOut(failures > 1, retry) })
        }}
        {...(Instead && { Instead })}
      >
        {() => <Suspense fallback={waiting}>{createElement(Fetched, props)}</Suspense>}
      </Boundary>
    )
  }
}

function wayOut(hasFailedBefore: boolean, retry: () => void) {
  return hasFailedBefore
    ? { label: t('Reload page'), run: () => location.reload() }
    : { label: t('Try again'), run: retry }
}
