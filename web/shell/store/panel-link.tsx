import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { useSession } from '../../platform/session/session.ts'

/** An admin's way back to the panel. */
export function PanelLink({ className }: { className: string }) {
  return (
    useSession().admin && (
      <Link to="/admin" className={className}>
        {t('Admin panel')}
      </Link>
    )
  )
}
