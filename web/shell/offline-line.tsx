import { useReconnecting } from '../platform/calls/connection.ts'
import { t } from '../platform/i18n.ts'

/** Shows a quiet line while the store can't be reached. The screen keeps its content. */
export function OfflineLine() {
  const reconnecting = useReconnecting()
  return (
    <output className="pointer-events-none fixed inset-x-0 top-10.5 z-50 pt-[env(safe-area-inset-top)]">
      {reconnecting && (
        <p
          className={
            'toast flex items-center gap-2 rounded-full border border-line-2 bg-raised px-3.5 py-1.5 text-xs ' +
            'mx-auto w-fit font-medium text-fg-2 shadow-raised'
          }
        >
          <span className="spinner" aria-hidden />
          {t('Reconnecting…')}
        </p>
      )}
    </output>
  )
}
