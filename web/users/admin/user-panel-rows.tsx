import type { ReactNode } from 'react'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'

interface RowsProps<Row> {
  query: { data: readonly Row[] | undefined; error: unknown; refetch: () => unknown; isFetching: boolean }
  empty: ReactNode
  children: (row: Row) => ReactNode
}

export function Rows<Row>({ query: { data, error, refetch, isFetching }, empty, children }: RowsProps<Row>) {
  if (error && !data) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} />
  if (!data) {
    return (
      <Loading className="grid gap-4 pt-3">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-10" />
        ))}
      </Loading>
    )
  }
  return data.length === 0 ? empty : <ul className="divide-y divide-line">{data.map(children)}</ul>
}
