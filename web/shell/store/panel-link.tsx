import { inLanguage, t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { useSession } from '../../platform/session/session.ts'

/** An admin's way back to the panel. */
export function PanelLink({ className }: { className: string }) {
  const { admin } = useSession()
  return (
    admin && (
      <Link to="/admin" {...inLanguage(admin.language)} className={className}>
        {t('Admin panel')}
      </Link>
    )
  )
}
