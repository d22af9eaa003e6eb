import { useRef } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import { formatCount } from '../../../platform/money.ts'
import { navigate } from '../../../platform/navigation/router.tsx'
import { IconButton } from '../../../ui/buttons/icon-button.tsx'
import { KEYS_PAGE_SIZE } from '../key-manager-queries.ts'

interface CursorPagesProps {
  /** From 0. */
  page: number
  /** Where this page begins; undefined on the first. */
  after: string | undefined
  /** How many this page has. */
  count: number | undefined
  /** Where the next page begins, once this one is there and if another follows. */
  last: string | undefined
}

/** Pages of a list without a total. Each page begins after the last key of the previous page. */
export function CursorPages({ page, after, count = 0, last }: CursorPagesProps) {
  const before = useRef(new Map<string, string | undefined>())
  const go = (next: { page: number | undefined; after: string | undefined }) => {
    void navigate<'/admin/key-manager'>({ search: (present) => ({ ...present, ...next }) })
    scrollTo(0, 0)
  }
  const forward = () => {
    if (last === undefined) return
    before.current.set(last, after)
    go({ page: page + 1, after: last })
  }
  const back = () => {
    // A link led to this page, so the page before is not known. The first one is.
    const isKnown = after !== undefined && before.current.has(after)
    go({ page: isKnown && page > 1 ? page - 1 : undefined, after: isKnown ? before.current.get(after) : undefined })
  }
  const from = page * KEYS_PAGE_SIZE + 1
  return (
    <nav
      aria-label={t('Pages')}
      className="flex items-center justify-between gap-x-4 text-sm text-fg-2 large-text:flex-wrap"
    >
      <span aria-live="polite" className="tabular">
        {t('{from}–{to}', { from: formatCount(from), to: formatCount(from + Math.max(0, count - 1)) })}
      </span>
      <span className="flex items-center gap-1">
        <IconButton
          label={t('Previous page')}
          icon={<ChevronLeft size={18} aria-hidden />}
          idle={after === undefined}
          onClick={back}
        />
        <span className="tabular px-1">{t('Page {page}', { page: page + 1 })}</span>
        <IconButton
          label={t('Next page')}
          icon={<ChevronRight size={18} aria-hidden />}
          idle={last === undefined}
          onClick={forward}
        />
      </span>
    </nav>
  )
}
