import { t } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session/session.ts'

/** An admin's way back to the panel. It loads the page, because the panel has a language of its own. */
export function PanelLink({ className }: { className: string }) {
  return (
    useSession().admin && (
      <a href="/admin" className={className}>
        {t('Admin panel')}
      </a>
    )
  )
}
