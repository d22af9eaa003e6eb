import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { ErrorState } from './error-state.tsx'
import { Loading, Skeleton } from './skeleton.tsx'

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown; isFetching: boolean }
  /** The room of the grey lines while it loads: "h-64". */
  skeleton: string
  children: (data: T) => ReactNode
}

/** What a query has loaded, its error with Retry, or grey lines. `<Loaded query skeleton>{(data) => …}</Loaded>` */
export function Loaded<T>({ query: { data, error, refetch, isFetching }, skeleton, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} />
  return (
    <Loading>
      <Lines className={skeleton} />
    </Loading>
  )
}

const WIDTHS = ['w-2/5', 'w-full', 'w-3/4']
/** Fill the highest room. What is too much is cut off. */
const LINES = 24

/** Grey lines in the room of what will be there: `<Lines className="h-96" />` */
export function Lines({ className }: { className: string }) {
  return (
    <div aria-hidden className={cx('grid content-start gap-4 overflow-hidden', className)}>
      {Array.from({ length: LINES }, (_, at) => (
        <Skeleton key={at} className={cx('h-5', WIDTHS[at % WIDTHS.length])} />
      ))}
    </div>
  )
}
