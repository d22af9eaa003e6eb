import { Loading, Skeleton } from '../ui/skeleton.tsx'

/** Stands in for a screen whose code is still on its way. */
export function LoadingPage() {
  return (
    <Loading className="grid gap-6">
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-64 w-full rounded-panel" />
    </Loading>
  )
}
