import { Loading, Skeleton } from '../ui/page/skeleton.tsx'

/** Fills in for a screen whose code is loading. */
export function LoadingPage() {
  return (
    <Loading className="grid gap-6">
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-64 w-full rounded-panel" />
    </Loading>
  )
}
