import { useState } from 'react'
import { t } from '../../../platform/i18n.ts'
import { formatCount } from '../../../platform/money.ts'
import { cx } from '../../../ui/cx.ts'
import type { CheckedText, LineGroup } from '../key-import.ts'

/** A longer list would slow a phone down, and be too long to read. */
const LINES_SHOWN_MAX = 200
const TEXT_CHARS_SHOWN = 80
const LIST = 'max-h-60 scroll-y rounded-control border border-line bg-sunken'
const GROUPS: readonly LineGroup[] = ['new', 'doubtful', 'duplicate-here', 'duplicate-elsewhere', 'malformed']
const TONES: Record<LineGroup, string> = {
  new: 'text-ok',
  doubtful: 'text-warn',
  'duplicate-here': 'text-warn',
  'duplicate-elsewhere': 'text-warn',
  malformed: 'text-bad',
}

function groupText(group: LineGroup): string {
  return {
    new: t('New'),
    doubtful: t('Doubtful'),
    'duplicate-here': t('Duplicates'),
    'duplicate-elsewhere': t('In other products'),
    malformed: t('Invalid'),
  }[group]
}

/** Shows the server's verdict on each line: a count for each kind, and the lines of the chosen kind. */
export function KeyImportReview({ lines }: { lines: readonly CheckedText[] }) {
  const counts = new Map(GROUPS.map((group) => [group, lines.filter((line) => line.group === group).length]))
  const countOf = (group: LineGroup) => counts.get(group) ?? 0
  // Starts with the faulty lines, if there are any.
  const [chosen, setChosen] = useState(() => GROUPS.find((group) => group !== 'new' && countOf(group) > 0) ?? 'new')
  const shown = lines.filter(({ group }) => group === chosen)
  return (
    <div className="grid grid-cols-1 gap-3">
      <fieldset aria-label={t('Filter lines')} className="grid grid-cols-2 gap-2">
        {GROUPS.filter((group) => group !== 'doubtful' || countOf(group) > 0).map((group) => (
          <button
            key={group}
            type="button"
            aria-pressed={group === chosen}
            onClick={() => setChosen(group)}
            className={cx(
              'grid min-h-14 content-center rounded-control border px-3 py-1.5 text-left transition-colors',
              group === chosen ? 'border-brand bg-brand-bg' : 'border-line-2 hover:bg-hover',
              // The last of five
              group === 'malformed' && countOf('doubtful') > 0 && 'col-span-2',
            )}
          >
            <span
              className={cx(
                'tabular text-lg leading-6 font-semibold',
                countOf(group) === 0 ? 'text-fg-3' : TONES[group],
              )}
            >
              {formatCount(countOf(group))}
            </span>
            <span className="text-xs text-fg-2">{groupText(group)}</span>
          </button>
        ))}
      </fieldset>
      {shown.length === 0 ? (
        <p className="text-sm text-fg-3">{t('No lines here.')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard too, so it takes focus
        <section aria-label={groupText(chosen)} tabIndex={0} className={LIST}>
          <ul className="divide-y divide-line text-sm">
            {shown.slice(0, LINES_SHOWN_MAX).map(({ number, text, reason }) => (
              <li key={number} className="flex gap-3 px-3 py-1.5">
                <span className="tabular min-w-8 shrink-0 text-right text-xs leading-5 text-fg-3">
                  <span className="sr-only">{t('Line')} </span>
                  {number}
                </span>
                <span className="min-w-0 flex-1">
                  <span translate="no" className="block font-mono wrap-anywhere">
                    {text.length > TEXT_CHARS_SHOWN ? `${text.slice(0, TEXT_CHARS_SHOWN)}…` : text}
                  </span>
                  {reason && <span className="block text-xs text-fg-2">{reason}</span>}
                </span>
              </li>
            ))}
          </ul>
          {shown.length > LINES_SHOWN_MAX && (
            <p className="border-t border-line px-3 py-2 text-xs text-fg-3">
              {t('and {count} more', { count: formatCount(shown.length - LINES_SHOWN_MAX) })}
            </p>
          )}
        </section>
      )}
    </div>
  )
}
