import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { Boundary, type InsteadProps } from '../platform/boundary.tsx'
import { t } from '../platform/i18n.ts'
import { toast } from '../platform/toast.ts'
import { Button } from './button.tsx'

interface LazyPartOptions {
  /** In its place while it comes. */
  waiting?: ReactNode
  /** What says that it can't be had: a message, as for a dialog; a line in its place; nothing, for what nobody would miss. */
  missing?: 'message' | 'line' | 'nothing'
}

const sorry = () => t('A part of this page could not be loaded. Check your connection, or load the page again.')

/**
 * A part of a screen whose code is fetched when it is first drawn. Without a network, or after an update of the store, it
 * may not be there: the screen then stays as it is, with all that is typed in it, and the part can be asked for again.
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
  return function LazyPart(props: Props) {
    return (
      <Boundary
        onError={(retry) => {
          Fetched = make()
          if (missing === 'message') toast(sorry(), { tone: 'bad', action: { label: t('Try again'), run: retry } })
        }}
        {...(missing === 'line' && { Instead: MissingLine })}
      >
        {() => <Suspense fallback={waiting}>{createElement(Fetched, props)}</Suspense>}
      </Boundary>
    )
  }
}

function MissingLine({ onRetry }: InsteadProps) {
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 text-sm text-fg-2">
      {sorry()}
      <Button variant="secondary" size="sm" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </p>
  )
}
