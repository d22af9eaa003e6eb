import { ChevronDown, ChevronUp } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'

interface ArrivalsProps {
  count: number
  onShow: () => void
}

/** New requests wait behind this button, so that rows do not move under a finger. */
export function Arrivals({ count, onShow }: ArrivalsProps) {
  return (
    <div aria-live="polite">
      {count > 0 && (
        <Button size="sm" variant="offer" onClick={onShow}>
          {t('{count, plural, one {Show # new request} other {Show # new requests}}', { count })}
        </Button>
      )}
    </div>
  )
}

interface FoldedProps {
  count: number
  isOpen: boolean
  toggle: () => void
}

/** What is reviewed, in one line under those that wait. */
export function Folded({ count, isOpen, toggle }: FoldedProps) {
  return (
    <Button
      size="sm"
      variant="ghost"
      wide
      icon={isOpen ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
      aria-expanded={isOpen}
      onClick={toggle}
    >
      {t('{count} reviewed', { count })}
    </Button>
  )
}

interface FinishedProps {
  /** Everything on this page has been decided. */
  isDone: boolean
  /** The number of pending requests on other pages. */
  left: number
  onShow: () => void
}

export function Finished({ isDone, left, onShow }: FinishedProps) {
  return (
    <div
      aria-live="polite"
      className={
        isDone
          ? 'flex min-h-13 flex-wrap items-center justify-between gap-3 rounded-control border border-brand-line ' +
            'bg-brand-bg py-1 pr-2 pl-3.5 text-sm font-medium text-brand'
          : 'sr-only'
      }
    >
      {isDone && (
        <span>
          {left > 0
            ? t('All of these are reviewed. {count, plural, one {# more is pending} other {# more are pending}}.', {
                count: left,
              })
            : t('All done. No pending requests.')}
        </span>
      )}
      {isDone && left > 0 && (
        <Button size="sm" onClick={onShow}>
          {t('Show')}
        </Button>
      )}
    </div>
  )
}
