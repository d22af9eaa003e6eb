import { useState } from 'react'
import { MINUTE_MS } from '../../../../contract/time.ts'
import { useNow } from '../../../platform/clock.ts'
import { t } from '../../../platform/i18n.ts'
import { nameOf, periodOf, type Period, type PeriodName } from '../../../platform/admin/periods.ts'
import { Input } from '../../fields/input.tsx'
import { Select } from '../forms/select.tsx'

interface PeriodFilterProps extends Period {
  /** Both days are always set, so that “Any time” is not offered. */
  isBounded?: boolean
  /** `isTyped` while a day is being typed. Such a change adds no entry to the history. */
  onChange: (period: Period, isTyped: boolean) => void
}

const NAMES: Record<PeriodName, () => string> = {
  any: () => t('Any time'),
  today: () => t('Today'),
  yesterday: () => t('Yesterday'),
  week: () => t('Last 7 days'),
  month: () => t('Last 30 days'),
}

/** Days to look at: the usual periods, or from one day to another. `<PeriodFilter from to onChange />` */
export function PeriodFilter({ from, to, isBounded, onChange }: PeriodFilterProps) {
  const now = useNow(MINUTE_MS)
  const [isCustom, setCustom] = useState(false)
  const name = isCustom ? undefined : nameOf({ from, to }, now)
  const choose = (chosen: string) => {
    setCustom(chosen === 'custom')
    if (chosen !== 'custom') onChange({ from: undefined, to: undefined, ...periodOf(chosen as PeriodName, now) }, false)
    else if (!from && !to) onChange(periodOf('month', now), false)
  }
  return (
    <>
      <Select
        aria-label={t('Date range')}
        value={name ?? 'custom'}
        onChange={(event) => choose(event.target.value)}
        className="min-w-0 flex-1 basis-36 sm:max-w-44"
      >
        {Object.entries(NAMES).map(([value, label]) =>
          isBounded && value === 'any' ? null : (
            <option key={value} value={value}>
              {label()}
            </option>
          ),
        )}
        <option value="custom">{t('Custom range')}</option>
      </Select>
      {name === undefined && (
        <div className="flex w-full flex-wrap items-center gap-2 sm:w-auto">
          <DayInput
            label={t('From', { context: 'date' })}
            day={from}
            max={to}
            onChange={(day) => onChange({ from: day, to }, true)}
          />
          <span className="text-fg-3 max-sm:hidden" aria-hidden>
            –
          </span>
          <DayInput label={t('To')} day={to} min={from} onChange={(day) => onChange({ from, to: day }, true)} />
        </div>
      )}
    </>
  )
}

/** While a year is typed it is 0002, 0020 and 0202 first. */
const FIRST_LIKELY_DAY = '2000'

interface DayInputProps {
  label: string
  day: string | undefined
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string | undefined) => void
}

function isWhole({ value, validity }: HTMLInputElement): boolean {
  return value === '' ? !validity.badInput : value >= FIRST_LIKELY_DAY
}

/** A half-typed or unlikely day counts only after the field is left. */
function DayInput({ label, day, onChange, ...bounds }: DayInputProps) {
  const [typed, setTyped] = useState<string>()
  const tell = (next: string) => {
    if (next !== (day ?? '')) onChange(next || undefined)
  }
  return (
    <Input
      type="date"
      aria-label={label}
      value={typed ?? day ?? ''}
      {...bounds}
      onChange={({ target }) => {
        setTyped(target.value)
        if (isWhole(target)) tell(target.value)
      }}
      onBlur={({ target }) => {
        setTyped(undefined)
        // A whole date has been reported, and may have been taken back since.
        if (typed !== undefined && !isWhole(target)) tell(typed)
      }}
      className="min-w-0 flex-1 basis-36"
    />
  )
}
