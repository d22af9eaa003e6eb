import { ShieldAlert } from 'lucide-react'
import { t } from '../platform/i18n.ts'
import { Link } from '../platform/router.tsx'
import type { Admin } from '../platform/session.ts'

/** One quiet line over every screen, until the account is as safe as it can be. */
export function AdminUrge({ admin: { hasGivenPassword, hasSecondFactor } }: { admin: Admin }) {
  if (hasSecondFactor && !hasGivenPassword) return null
  return (
    <aside
      aria-label={t('Your account')}
      className="mb-4 flex flex-wrap items-center gap-x-3 rounded-card border border-line bg-surface px-4 py-1 text-sm text-fg-2"
    >
      <ShieldAlert size={17} className="shrink-0 text-warn" aria-hidden />
      <p className="min-w-0 flex-1 basis-52 py-1.5">
        {hasGivenPassword
          ? t('Your password was made for you. Choose one of your own.')
          : t('Your password alone opens this panel. An authenticator app makes it two locks.')}
      </p>
      <Link
        to="/admin/security"
        className="inline-flex min-h-11 items-center rounded-control font-semibold text-brand hover:underline"
      >
        {hasGivenPassword ? t('Change the password') : t('Set it up')}
      </Link>
    </aside>
  )
}
