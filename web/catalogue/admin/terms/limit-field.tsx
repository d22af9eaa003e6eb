import { t } from '../../../platform/i18n.ts'
import { Select } from '../../../ui/admin/forms/select.tsx'

const USUAL_LIMITS = ['1', '2', '3', '4', '5', '10', '20', '50', '100']

interface LimitFieldProps {
  /** How many, `trial` for one a person, or empty. */
  limit: string
  /** From 1. */
  number: number
  onChange: (limit: string) => void
}

/** How many of a duration one buyer may have. */
export function LimitField({ limit, number, onChange }: LimitFieldProps) {
  const counts = new Set([...USUAL_LIMITS, ...(/^\d/.test(limit) ? [limit] : [])])
  return (
    <Select
      aria-label={t('Limit per buyer, row {number}', { number })}
      value={limit}
      onChange={(event) => onChange(event.target.value)}
      className="mr-8 mb-1"
    >
      <option value="">{t('No limit per buyer')}</option>
      {[...counts]
        .toSorted((a, b) => Number(a) - Number(b))
        .map((count) => (
          <option key={count} value={count}>
            {t('{count} per buyer', { count })}
          </option>
        ))}
      <option value="trial">{t('Trial: one per person')}</option>
    </Select>
  )
}
