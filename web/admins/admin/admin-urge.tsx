import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { putOffCookie } from '../../../contract/cookies.ts'
import { getBoot } from '../../platform/calls/boot.ts'
import { t } from '../../platform/i18n.ts'
import { keepCookie, readCookies } from '../../platform/tab-storage.ts'
import { Link } from '../../platform/navigation/router.tsx'
import type { Admin } from '../../platform/session/session.ts'
import { useHydrated } from '../../platform/use-hydrated.ts'
import { NEED, NEED_WORDS } from '../../ui/admin/need.ts'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'

const WEEK_S = 7 * 24 * 3_600

/** A cookie, so that the server knows it when it draws the page. */
function putOff({ id }: Admin): void {
  keepCookie(putOffCookie(id), '1', WEEK_S, '/admin')
}

/** Asks for what would make the account safer. Two-step verification can be put off for a week on this device. */
export function AdminUrge({ admin }: { admin: Admin }) {
  const { hasGivenPassword, hasSecondFactor } = admin
  const isAlive = useHydrated()
  const [isDismissed, setDismissed] = useState(false)
  if (hasSecondFactor && !hasGivenPassword) return null
  const isPutOff = isAlive ? readCookies().includes(`${putOffCookie(admin.id)}=`) : getBoot().isPutOff
  if (!hasGivenPassword && (isDismissed || isPutOff)) return null
  return (
    <aside aria-label={t('Your account')} className={NEED}>
      <ShieldAlert size={18} className="shrink-0 text-warn" aria-hidden />
      <p className={NEED_WORDS}>
        {hasGivenPassword
          ? t('You’re using a temporary password. Set your own password.')
          : t('Anyone with your password can open this panel. Turn on two-step verification.')}
      </p>
      <div className="-mr-3.5 ml-auto flex flex-wrap">
        <Link to="/admin/security" className={buttonClass({ variant: 'ghost', size: 'sm' }, 'min-h-11 text-brand!')}>
          {hasGivenPassword ? t('Change password') : t('Set up now')}
        </Link>
        {!hasGivenPassword && (
          <Button
            variant="ghost"
            size="sm"
            className="min-h-11"
            onClick={() => {
              putOff(admin)
              setDismissed(true)
            }}
          >
            {t('Remind me in a week')}
          </Button>
        )}
      </div>
    </aside>
  )
}
