import { ShieldAlert } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/router.tsx'
import type { Admin } from '../../platform/session.ts'

/** One quiet line over every screen, until the account is as safe as it can be. */
export function AdminUrge({ admin: { hasGivenPassword, hasSecondFactor } }: { admin: Admin }) {
  if (hasSecondFactor && !hasGivenPassword) return null
  return (
    <aside
      aria-label={t('Your account')}
      className={
        'mb-4 flex flex-wrap items-center gap-x-3 rounded-card border border-line bg-surface px-4 py-1 text-sm ' +
        'text-fg-2'
      }
    >
      <ShieldAlert size={17} className="shrink-0 text-warn" aria-hidden />
      <p className="min-w-0 flex-1 basis-52 py-1.5">
        {hasGivenPassword
          ? t('You’re using a temporary password. Set your own password.')
          : t('Anyone with your password can open this panel. Turn on two-step verification to protect it.')}
      </p>
      <Link
        to="/admin/security"
        className="inline-flex min-h-11 items-center rounded-control font-semibold text-brand hover:underline"
      >
        {hasGivenPassword ? t('Change password') : t('Set up now')}
      </Link>
    </aside>
  )
}
