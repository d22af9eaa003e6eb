import { useState } from 'react'
import { useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { nameOf, periodOf, type Period, type PeriodName } from '../platform/periods.ts'
import { Input } from './input.tsx'
import { Select } from './select.tsx'

const MINUTE_MS = 60_000

interface PeriodFilterProps extends Period {
  onChange: (period: Period) => void
}

const NAMES: Record<PeriodName, () => string> = {
  any: () => t('Any time'),
  today: () => t('Today'),
  yesterday: () => t('Yesterday'),
  week: () => t('Last 7 days'),
  month: () => t('Last 30 days'),
}

/** Days to look at: the usual periods, or from one day to another. `<PeriodFilter from to onChange />` */
export function PeriodFilter({ from, to, onChange }: PeriodFilterProps) {
  const now = useNow(MINUTE_MS)
  const [isCustom, setCustom] = useState(false)
  const name = isCustom ? undefined : nameOf({ from, to }, now)
  const choose = (chosen: string) => {
    setCustom(chosen === 'custom')
    if (chosen !== 'custom') onChange({ from: undefined, to: undefined, ...periodOf(chosen as PeriodName, now) })
    else if (!from && !to) onChange(periodOf('month', now))
  }
  return (
    <>
      <Select
        aria-label={t('Period')}
        value={name ?? 'custom'}
        onChange={(event) => choose(event.target.value)}
        className="min-w-0 flex-1 basis-36 sm:max-w-44"
      >
        {Object.entries(NAMES).map(([value, label]) => (
          <option key={value} value={value}>
            {label()}
          </option>
        ))}
        <option value="custom">{t('From … to …')}</option>
      </Select>
      {name === undefined && (
        <div className="flex w-full flex-wrap items-center gap-2 sm:w-auto">
          <Input
            type="date"
            aria-label={t('From')}
            value={from ?? ''}
            max={to}
            onChange={(event) => onChange({ from: event.target.value || undefined, to })}
            className="min-w-0 flex-1 basis-36"
          />
          <span className="text-fg-3 max-sm:hidden" aria-hidden>
            –
          </span>
          <Input
            type="date"
            aria-label={t('To')}
            value={to ?? ''}
            min={from}
            onChange={(event) => onChange({ from, to: event.target.value || undefined })}
            className="min-w-0 flex-1 basis-36"
          />
        </div>
      )}
    </>
  )
}
