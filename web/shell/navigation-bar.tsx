import { t } from '../platform/i18n.ts'
import { useNavigationPending } from '../platform/navigation/router.tsx'

/** Shows a thin moving line at the top while the next screen loads. */
export function NavigationBar() {
  const pending = useNavigationPending()
  return (
    <output className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
      {pending && (
        <>
          <span className="sr-only">{t('Loading…')}</span>
          <span className="progress-line block h-full w-1/3 bg-brand" />
        </>
      )}
    </output>
  )
}
