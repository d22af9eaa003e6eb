import { startTransition, useEffect, useRef, useState, type PointerEvent } from 'react'
import type { Overview } from '../../../contract/reports.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees, sumRupees } from '../../platform/money.ts'
import { perLocale } from '../../platform/per-locale.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { navigate } from '../../platform/navigation/router.tsx'
import { CHART_HEIGHT, labelEvery, nameOf, scaleFor } from './chart-scale.ts'
import { salesWords, type ChartWords } from './chart-words.ts'
import { DayTable } from './day-table.tsx'
import { ghostDays } from './ghost-days.ts'

type Day = Overview['days'][number]

const LEFT = 56
const TOP = 12
const BOTTOM = 28
/** Of a day's name, a letter, with room before the next name. */
const LETTER_WIDTH = 7
const BAR_MAX = 20
const TIP = { width: 150, height: 68 }

const compact = perLocale(
  (each) =>
    new Intl.NumberFormat(each, {
      style: 'currency',
      currency: 'INR',
      notation: 'compact',
      minimumFractionDigits: 0,
      maximumFractionDigits: 1,
    }),
)

/** Sales as bars and top-ups as a line, day by day, with the same numbers as a table under it. */
export function SalesChart({ days, words = salesWords() }: { days: readonly Day[]; words?: ChartWords }) {
  const sales = formatRupees(sumRupees(days.map((day) => day.sales)))
  const topUps = formatRupees(sumRupees(days.map((day) => day.topUps)))
  if (days.every((day) => day.sales === 0 && day.topUps === 0)) return <Ghost days={days} />
  return (
    <figure>
      <Drawing days={days} words={words} label={words.said({ count: days.length, sales, topUps })} />
      <figcaption className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-sm text-fg-2">
        <span className="inline-flex items-center gap-2">
          <span aria-hidden className="size-2.5 rounded-[3px] bg-chart-1" />
          {words.bars} <span className="tabular font-medium text-fg">{sales}</span>
        </span>
        <span className="inline-flex items-center gap-2">
          <span aria-hidden className="h-0.5 w-3.5 bg-chart-2" />
          {words.line} <span className="tabular font-medium text-fg">{topUps}</span>
        </span>
      </figcaption>
      <DayTable days={days} words={words} />
    </figure>
  )
}

/** An example chart, while there are no sales to draw. */
function Ghost({ days }: { days: readonly Day[] }) {
  const [frame, { width, height }] = useSize()
  const plot = plotOf(ghostDays(days), width, height)
  return (
    <figure>
      <div ref={frame} className={`relative overflow-hidden ${CHART_HEIGHT}`}>
        {width > 0 && (
          <svg
            aria-hidden
            width={width}
            height={height}
            className="tabular absolute inset-0 text-xs opacity-40 grayscale"
          >
            <Amounts plot={plot} />
            <Figures plot={plot} active={undefined} />
            <DayNames plot={plot} />
          </svg>
        )}
      </div>
      <figcaption className="mt-3 text-sm font-medium text-fg-2">
        {t('No sales in this period. Your chart will look like this.')}
      </figcaption>
    </figure>
  )
}

/** The scales of the drawing: the position of a day and of an amount, in px. */
interface Plot {
  days: readonly Day[]
  width: number
  height: number
  bottom: number
  slot: number
  bar: number
  ticks: readonly number[]
  x: (index: number) => number
  y: (amount: number) => number
}

function plotOf(days: readonly Day[], width: number, height: number): Plot {
  const { ticks, max } = scaleFor(Math.max(...days.flatMap((day) => [day.sales, day.topUps])))
  const bottom = height - BOTTOM
  const slot = Math.max(0, width - LEFT) / Math.max(days.length, 1)
  return {
    days,
    width,
    height,
    bottom,
    slot,
    bar: Math.max(1, Math.min(BAR_MAX, slot * 0.62)),
    ticks,
    x: (index) => LEFT + slot * (index + 0.5),
    y: (amount) => bottom - (Math.max(0, amount) / max) * (bottom - TOP),
  }
}

function useSize() {
  const frame = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      startTransition(() => {
        const { width = 0, height = 0 } = entry?.contentRect ?? {}
        setSize({ width: Math.floor(width), height: Math.floor(height) })
      }),
    )
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  return [frame, size] as const
}

function Drawing({ days, words, label }: { days: readonly Day[]; words: ChartWords; label: string }) {
  const [frame, { width, height }] = useSize()
  const [active, setActive] = useState<number>()
  const plot = plotOf(days, width, height)
  const { slot, bottom, x, y } = plot
  const at = (event: PointerEvent | React.MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    const index = Math.floor((event.clientX - box.left - LEFT) / slot)
    return index >= 0 && index < days.length ? index : undefined
  }
  const shown = active === undefined ? undefined : days[active]
  return (
    <div ref={frame} className={`relative overflow-hidden ${CHART_HEIGHT}`}>
      {width > 0 && (
        // The pointer's short cut to what the links of the table do.
        /* oxlint-disable-next-line jsx-a11y/click-events-have-key-events,
           jsx-a11y/no-noninteractive-element-interactions */
        <svg
          role="img"
          aria-label={label}
          width={width}
          height={height}
          className="tabular absolute inset-0 touch-pan-y text-xs *:transition-none"
          onPointerMove={(event) => setActive(at(event))}
          onPointerDown={(event) => setActive(at(event))}
          onPointerLeave={(event) => event.pointerType === 'mouse' && setActive(undefined)}
          onClick={(event) => {
            const day = days[at(event) ?? -1]?.day
            // A finger reads the numbers first; the table has the links.
            if (day && matchMedia('(hover: hover)').matches && !denied(calls.orders.purchases)) {
              void navigate({ to: '/admin/purchases', search: { from: day, to: day } })
            }
          }}
        >
          <Amounts plot={plot} />
          {active !== undefined && (
            <rect x={x(active) - slot / 2} y={TOP} width={slot} height={bottom - TOP} rx="6" className="fill-hover" />
          )}
          <Figures plot={plot} active={active} />
          <DayNames plot={plot} />
          {shown && active !== undefined && (
            <>
              <circle cx={x(active)} cy={y(shown.topUps)} r="4.5" strokeWidth="2" className="fill-chart-2 stroke-bg" />
              <Tip day={shown} words={words} left={tipLeft(x(active), slot, width)} />
            </>
          )}
        </svg>
      )}
    </div>
  )
}

function Amounts({ plot: { ticks, width, y } }: { plot: Plot }) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} className="stroke-line" />
      <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end" className="fill-fg-3">
        {compact().format(tick)}
      </text>
    </g>
  ))
}

/** Sales as bars, top-ups as a line. */
function Figures({ plot: { days, bar, bottom, x, y }, active }: { plot: Plot; active: number | undefined }) {
  return (
    <>
      {days.map((day, index) => (
        <rect
          key={day.day}
          x={x(index) - bar / 2}
          y={y(day.sales)}
          width={bar}
          height={bottom - y(day.sales)}
          rx={Math.min(3, bar / 3)}
          className={active === undefined || active === index ? 'fill-chart-1' : 'fill-chart-1/45'}
        />
      ))}
      <polyline
        points={days.map((day, index) => `${x(index)},${y(day.topUps)}`).join(' ')}
        fill="none"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-chart-2"
      />
    </>
  )
}

function DayNames({ plot: { days, width, height, x } }: { plot: Plot }) {
  const labelWidth = 16 + LETTER_WIDTH * Math.max(...days.map(({ day }) => nameOf(day).length))
  const every = labelEvery(days.length, width - LEFT, labelWidth)
  return days.map(
    (day, index) =>
      (days.length - 1 - index) % every === 0 && (
        <text
          key={day.day}
          x={Math.min(x(index), width - labelWidth / 2 + 8)}
          y={height - 6}
          textAnchor="middle"
          className="fill-fg-3"
        >
          {nameOf(day.day)}
        </text>
      ),
  )
}

/** Beside the day, on the side with room. */
function tipLeft(middle: number, slot: number, width: number): number {
  const right = middle + slot / 2 + 8
  return right + TIP.width <= width ? right : Math.max(0, middle - slot / 2 - 8 - TIP.width)
}

function Tip({ day, words, left }: { day: Day; words: ChartWords; left: number }) {
  const right = TIP.width - 12
  return (
    <g transform={`translate(${left} ${TOP})`} className="pointer-events-none">
      <rect width={TIP.width} height={TIP.height} rx="10" className="fill-raised stroke-line-2" />
      <text x="12" y="20" className="fill-fg-2">
        {nameOf(day.day)} · {words.counted(day.orders)}
      </text>
      <rect x="12" y="31" width="8" height="8" rx="2" className="fill-chart-1" />
      <text x="26" y="39" className="fill-fg">
        {words.bars}
      </text>
      <text x={right} y="39" textAnchor="end" className="fill-fg font-semibold">
        {formatRupees(day.sales)}
      </text>
      <rect x="12" y="52" width="8" height="2" className="fill-chart-2" />
      <text x="26" y="57" className="fill-fg">
        {words.line}
      </text>
      <text x={right} y="57" textAnchor="end" className="fill-fg font-semibold">
        {formatRupees(day.topUps)}
      </text>
    </g>
  )
}
