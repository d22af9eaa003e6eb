interface SparklineProps {
  /** In the order of time. Undefined while loading. */
  values: readonly number[] | undefined
  /** In the colour of the chart's line, not of its bars. */
  isLine?: boolean
}

const WIDTH = 100
const HEIGHT = 24

/** The last days of a figure as a small line. Decorative, because the chart has the numbers. */
export function Sparkline({ values = [], isLine }: SparklineProps) {
  const max = Math.max(...values, 1)
  const x = (at: number) => (at / Math.max(values.length - 1, 1)) * WIDTH
  const y = (value: number) => HEIGHT - 2 - (Math.max(0, value) / max) * (HEIGHT - 4)
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-2 block h-6 w-full overflow-visible"
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        strokeWidth="1.75"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
        className={isLine ? 'stroke-chart-2' : 'stroke-chart-1'}
      />
    </svg>
  )
}
