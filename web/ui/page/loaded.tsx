import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { Loading, Skeleton } from './skeleton.tsx'

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown; isFetching: boolean }
  /** Of the grey shape while it loads: "h-64". */
  skeleton: string
  children: (data: T) => ReactNode
}

/** What a query has loaded, its error with Retry, or a grey shape. `<Loaded query skeleton>{(data) => …}</Loaded>` */
export function Loaded<T>({ query: { data, error, refetch, isFetching }, skeleton, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} />
  return (
    <Loading>
      <Skeleton className={skeleton} />
    </Loading>
  )
}
