import { calls } from '../../platform/admin/roles.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { t } from '../../platform/i18n.ts'

/** A buyer's name, which leads to the account, unless it was closed. */
export function BuyerLink({ username, className = '' }: { username: string; className?: string }) {
  if (/^deleted-[\da-f]{12}$/.test(username))
    return (
      <span translate="no" className={`wrap-anywhere ${className}`}>
        {username}
      </span>
    )
  return (
    <AllowedLink
      call={calls.users.list}
      to="/admin/user-manager"
      search={{ search: username }}
      aria-label={t('User {username}', { username })}
      className={`font-medium wrap-anywhere ${className}`}
      linkClassName="hover:underline"
    >
      <span translate="no">{username}</span>
    </AllowedLink>
  )
}
