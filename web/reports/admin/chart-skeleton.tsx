import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { CHART_HEIGHT } from './chart-scale.ts'

/** In the size of the chart, its legend and its summary line. */
export function ChartSkeleton() {
  return (
    <Loading>
      <Skeleton className={CHART_HEIGHT} />
      <Skeleton className="mt-3 h-5 w-56 max-w-full" />
      <div className="mt-1 -mb-2 h-11" />
    </Loading>
  )
}
