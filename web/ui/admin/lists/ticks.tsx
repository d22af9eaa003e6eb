import { useState } from 'react'
import { t } from '../../../platform/i18n.ts'
import { formatRupees, sumRupees } from '../../../platform/money.ts'

interface Money {
  amount: number
}

export const sumOf = (rows: readonly Money[]) => formatRupees(sumRupees(rows.map(({ amount }) => amount)))

/** Which of the rows that can be chosen are. */
export function useTicks<Row extends { _id: string }>(open: readonly Row[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  return {
    ticked,
    chosen: open.filter(({ _id }) => ticked.has(_id)),
    tick: (id: string, on: boolean) =>
      setTicked(new Set(on ? [...ticked, id] : [...ticked].filter((each) => each !== id))),
    tickAll: (on: boolean, these = open) => setTicked(new Set(on ? these.map(({ _id }) => _id) : [])),
  }
}

interface TickOneProps extends Money {
  name: string
  checked: boolean
  onTick: (on: boolean) => void
}

/** Chooses one row of money. */
export function TickOne({ amount, name, checked, onTick }: TickOneProps) {
  return (
    <label className="-my-2 -ml-3 grid size-11 shrink-0 place-items-center">
      <input
        type="checkbox"
        className="checkbox"
        aria-label={t('Select {amount} from {name}', { amount: formatRupees(amount), name })}
        checked={checked}
        onChange={({ target }) => onTick(target.checked)}
      />
    </label>
  )
}

interface TickAllProps {
  rows: readonly Money[]
  chosen: readonly Money[]
  onAll: (on: boolean) => void
  /** Said where no row may be chosen together with others. */
  none?: string
}

/** Chooses all rows, and says how many are chosen. */
export function TickAll({ rows, chosen, onAll, none }: TickAllProps) {
  return (
    <label className="flex min-h-11 min-w-0 items-center gap-2.5 text-sm select-none">
      <input
        type="checkbox"
        className="checkbox"
        checked={chosen.length > 0 && chosen.length >= rows.length}
        disabled={rows.length === 0}
        onChange={({ target }) => onAll(target.checked)}
      />
      {chosen.length > 0
        ? t('{count} selected · {amount}', { count: chosen.length, amount: sumOf(chosen) })
        : rows.length === 0 && none !== undefined
          ? none
          : t('Select all {count}', { count: rows.length })}
    </label>
  )
}
