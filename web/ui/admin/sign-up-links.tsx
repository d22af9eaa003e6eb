import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { buttonClass } from '../buttons/button.tsx'

/** Points to the sign-up links. Draws nothing for roles that may not see them. */
export function SignUpLinks() {
  if (denied(calls.referrals.list)) return null
  return (
    <Link to="/admin/referral-manager" className={buttonClass({ variant: 'secondary' })}>
      {t('Sign-up links')}
    </Link>
  )
}
