import type { ComponentProps, ReactNode } from 'react'
import type { MonthLine } from '../../../contract/books.ts'
import type { bookAddress } from '../../../contract/panel-pages.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { navigate } from '../../platform/navigation/router.tsx'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import { Money } from '../../ui/money.tsx'

export interface ViewProps {
  asked: ReturnType<typeof bookAddress>
  /** The choice of the view, in the heading's place. */
  views: ReactNode
}

/** An amount that is red below zero. */
export function Profit({ rupees }: { rupees: number }) {
  return <Money rupees={rupees} className={rupees < 0 ? 'font-semibold text-bad' : 'font-semibold'} />
}

const PATH = '/admin/books'

type Places =
  | typeof PATH
  | '/admin/purchases'
  | '/admin/claims'
  | '/admin/referral-manager'
  | '/admin/payment-manager'
  | '/admin/user-manager'

/** Where the rows of a figure are. */
export type Place = Pick<ComponentProps<typeof AllowedLink<Places>>, 'call' | 'to' | 'search'>

type BookSearch = NonNullable<ComponentProps<typeof AllowedLink<typeof PATH>>['search']>

export const inBooks = (search: BookSearch): Place => ({ call: calls.books.rows, to: PATH, search })

interface FigureLinkProps {
  place: Place
  className?: string
  children: ReactNode
}

export function FigureLink({ place, className = '', children }: FigureLinkProps) {
  return (
    <AllowedLink<Places> {...place} className={className} linkClassName="rounded-chip hover:underline">
      {children}
    </AllowedLink>
  )
}

interface PeriodSelectProps<Period extends string | number> {
  label: string
  part: 'month' | 'year'
  asked: Period
  /** Newest first. What is asked for may be older. */
  recent: readonly Period[]
  nameOf: (period: Period) => string
}

/** The month or the year that a view shows. */
export function PeriodSelect<Period extends string | number>(props: PeriodSelectProps<Period>) {
  const { label, part, asked, recent, nameOf } = props
  return (
    <Select
      aria-label={label}
      value={String(asked)}
      onChange={({ target }) =>
        void navigate<typeof PATH>({ search: (present) => ({ ...present, [part]: target.value }) })
      }
      className="sm:max-w-56"
    >
      {[...(recent.includes(asked) ? [] : [asked]), ...recent].map((each) => (
        <option key={each} value={each}>
          {nameOf(each)}
        </option>
      ))}
    </Select>
  )
}

/** Says how many keys are in no profit, and leads to their batches. */
export function UnknownCost({ keys }: { keys: number }) {
  if (keys === 0) return null
  return (
    <FigureLink
      place={inBooks({ view: 'batches', status: 'unknown-cost' })}
      className="block text-xs whitespace-nowrap text-warn"
    >
      {t('{count} unknown', { count: formatCount(keys) })}
    </FigureLink>
  )
}

/** Says which sales are in no profit, because nobody knows what their keys cost. */
export const unknownSales = (rupees: number): string =>
  t('Cost unknown: {amount} of sales', { amount: formatRupees(rupees) })

export const UnknownSales = ({ rupees }: { rupees: number }) =>
  rupees !== 0 && <span className="block text-xs text-warn">{unknownSales(rupees)}</span>

interface FigureLinesProps {
  /** Label and figure; none without a figure. */
  lines: readonly (readonly [label: string, figure: ReactNode])[]
  children?: ReactNode
}

/** On a card: a figure a line, each with its label. */
export function FigureLines({ lines, children }: FigureLinesProps) {
  return (
    <div className="grid gap-0.5 text-sm">
      {lines.map(
        ([label, figure]) =>
          figure && (
            <div key={label} className="flex items-baseline justify-between gap-3">
              <span className="text-fg-3">{label}</span>
              <span className="tabular text-right">{figure}</span>
            </div>
          ),
      )}
      {children}
    </div>
  )
}

interface Line {
  name: string
  label: string
  amount: number
  /** Where in the books its rows are. */
  search: BookSearch
}

/** Amounts under each other, each with its share of the largest, and leading to its rows. */
export function Shares({ title, lines }: { title: string; lines: readonly Line[] }) {
  const largest = Math.max(1, ...lines.map(({ amount }) => amount))
  return (
    <section className="min-w-0">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="mt-2 grid gap-2.5">
        {lines.map(({ name, label, amount, search }) => (
          <li key={name} className="grid gap-1 text-sm">
            <FigureLink place={inBooks(search)} className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 wrap-anywhere">{label}</span>
              <Money rupees={amount} className="font-medium" />
            </FigureLink>
            <ShareBar share={amount / largest} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What each line of the month statement is called. */
export const LINES: Record<MonthLine, () => string> = {
  'top-ups': () => t('Top-ups paid'),
  bonus: () => t('Bonus on top-ups'),
  rewards: () => t('Referral rewards'),
  given: () => t('Given by admins'),
  taken: () => t('Taken by admins'),
  returned: () => t('Deductions that ended'),
  sales: () => t('Sales'),
  refunds: () => t('Refunds'),
  'taken-back': () => t('Top-ups taken back'),
  expired: () => t('Expired credit'),
}
