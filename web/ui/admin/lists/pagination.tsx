import { ChevronLeft, ChevronRight } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import { formatCount } from '../../../platform/money.ts'
import { cx } from '../../cx.ts'
import { IconButton } from '../../buttons/icon-button.tsx'

interface PaginationProps {
  /** From 0. */
  page: number
  pageSize: number
  total: number
  /** The total is a guess. */
  isEstimate?: boolean | undefined
  onPage: (page: number) => void
  className?: string
}

/**
 * "1–10 of 86" and the way through, also back from a page that is beyond the last. Nothing when all fits on one page.
 * `<Pagination page pageSize total onPage />`
 */
export function Pagination({ page, pageSize, total, isEstimate, onPage, className }: PaginationProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  if (pages === 1 && page === 0) return null
  const from = page * pageSize + 1
  const to = Math.min(total, from + pageSize - 1)
  const isBeyond = from > total && !isEstimate
  const words = { from: formatCount(from), to: formatCount(to), total: formatCount(total) }
  return (
    <nav
      aria-label={t('Pages')}
      className={cx('flex items-center justify-between gap-x-4 text-sm text-fg-2 large-text:flex-wrap', className)}
    >
      <span className="tabular" aria-live="polite">
        {!isBeyond && (isEstimate ? t('{from}–{to} of about {total}', words) : t('{from}–{to} of {total}', words))}
      </span>
      <span className="flex items-center gap-1 large-text:flex-wrap">
        <IconButton
          label={t('Previous page')}
          icon={<ChevronLeft size={18} aria-hidden />}
          idle={page === 0}
          onClick={() => onPage((isBeyond ? pages : page) - 1)}
        />
        <span className="tabular px-1">
          {isEstimate || isBeyond
            ? t('Page {page}', { page: formatCount(page + 1) })
            : t('Page {page} of {pages}', { page: formatCount(page + 1), pages: formatCount(pages) })}
        </span>
        <IconButton
          label={t('Next page')}
          icon={<ChevronRight size={18} aria-hidden />}
          idle={page >= pages - 1}
          onClick={() => onPage(page + 1)}
        />
      </span>
    </nav>
  )
}
