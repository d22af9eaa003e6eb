import { Ban } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'

/** Shown instead of a screen that the admin's role does not include. */
export function ForbiddenPage({ reason }: { reason: string }) {
  return (
    <Page title={t('You don’t have access')} hideTitle>
      <EmptyState
        icon={<Ban size={22} />}
        title={t('You don’t have access')}
        text={reason}
        action={
          <Link to="/admin/dashboard" className={buttonClass({ variant: 'secondary' })}>
            {t('Go to the dashboard')}
          </Link>
        }
        className="py-24"
      />
    </Page>
  )
}
