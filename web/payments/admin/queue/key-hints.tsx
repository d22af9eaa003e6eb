import { type ReactNode } from 'react'
import { t } from '../../../platform/i18n.ts'

/** The keys that decide without a pointer, once the focus is in the list. */
export function KeyHints() {
  return (
    // Drawn first though it comes later, so that the buttons after it stay where they are
    <p className="order-first flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-fg-3">
      <span>{t('Shortcuts:')}</span>
      <Hint keys={['j', 'k']}>{t('move')}</Hint>
      <Hint keys={['a']}>{t('approve')}</Hint>
      <Hint keys={['r']}>{t('reject')}</Hint>
      <Hint keys={['u']}>{t('undo')}</Hint>
    </p>
  )
}

function Hint({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className={
            'grid h-6 min-w-6 place-items-center rounded-chip border border-line-2 bg-sunken px-1.5 font-mono ' +
            'text-xs text-fg-2'
          }
        >
          {key}
        </kbd>
      ))}
      {children}
    </span>
  )
}
