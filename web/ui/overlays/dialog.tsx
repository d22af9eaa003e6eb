import { useId, type ReactNode } from 'react'
import { X } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { IconButton } from '../buttons/icon-button.tsx'
import { Modal } from './modal.tsx'
import { cx } from '../cx.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** md 448 px · wide 736 px. A bottom sheet on phones either way. */
  size?: 'md' | 'wide'
  /** A click outside does not close it, for forms with work in them. */
  sticky?: boolean
  /** Buttons at the bottom, right-aligned. They stay in view while the rest scrolls. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * `<Dialog open onClose title description size footer sticky>`: centred on wide screens, a bottom sheet on phones. The
 * element with `data-autofocus` gets the focus. If a form's submit button is in the footer, give the form an id and the
 * button `form={id}`.
 */
export function Dialog({ open, onClose, title, description, size = 'md', sticky, footer, children }: DialogProps) {
  const id = useId()
  return (
    <Modal
      open={open}
      onClose={onClose}
      labelledBy={`${id}-title`}
      {...(description ? { describedBy: `${id}-text` } : {})}
      {...(sticky ? { sticky } : {})}
      className="sheet"
      data={{ 'data-size': size }}
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-5 pb-3 sm:px-6 sm:pt-6">
        <div className="min-w-0">
          <h2 id={`${id}-title`} className="text-lg font-semibold wrap-anywhere">
            {title}
          </h2>
          {description && (
            <p id={`${id}-text`} className="mt-0.5 text-sm text-fg-2">
              {description}
            </p>
          )}
        </div>
        <IconButton label={t('Close')} icon={<X size={18} aria-hidden />} onClick={onClose} className="-mt-2 -mr-2.5" />
      </div>
      <div
        className={cx(
          'min-h-0 flex-auto scroll-y overscroll-contain px-5 pt-1 sm:px-6',
          footer ? 'pb-1' : 'pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:pb-6',
        )}
      >
        {children}
      </div>
      {footer && (
        <div
          className={
            'flex flex-wrap justify-end gap-2 px-5 pt-4 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:px-6 ' +
            'sm:pb-6'
          }
        >
          {footer}
        </div>
      )}
    </Modal>
  )
}
