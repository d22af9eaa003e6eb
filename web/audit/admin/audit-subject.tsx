import type { ReactNode } from 'react'
import type { AuditName } from '../../../contract/reports.ts'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { calls, denied } from '../../platform/admin/roles.ts'
import { CopyButton } from '../../ui/buttons/copyable.tsx'
import { placeText, shortId, subjectOf, type Names } from './audit-words.ts'

/** Names the subject of an entry as it was called then, with a link and its present name. */
export function AuditSubject({ subject, names }: { subject: string; names: Names }) {
  const { text, id } = subjectOf(subject)
  // A name is said as it was written. What has no id is a text of the store
  const written = id === undefined ? t(placeText(text)) : <span translate="no">{text}</span>
  const known = id === undefined ? undefined : names[id]
  const isRenamed = known !== undefined && !text.includes(known.name)
  return (
    <div className="mt-1 text-sm wrap-anywhere">
      {known ? <Named known={known}>{written}</Named> : written}
      {isRenamed && <span className="block text-xs text-fg-3">{t('now {name}', { name: known.name })}</span>}
      {known?.detail && <span className="block text-xs text-fg-3">{detailOf(known)}</span>}
      {id !== undefined && !known && (
        <span className="-my-2 flex items-center text-xs text-fg-3">
          <code translate="no" className="font-mono">
            {shortId(id)}
          </code>
          <CopyButton text={id} what={t('ID')} />
        </span>
      )}
    </div>
  )
}

function detailOf({ kind, detail }: AuditName): string {
  return kind === 'request' ? t('UTR {utr}', { utr: detail }) : detail
}

/** Links the name to its screen if the admin's role allows that screen. */
function Named({ known: { kind, name, detail }, children }: { known: AuditName; children: ReactNode }) {
  const className = 'hover:underline'
  if (kind === 'product')
    return (
      <Link to="/admin/product-manager" search={{ search: name }} className={className}>
        {children}
      </Link>
    )
  if (kind === 'user' && !denied(calls.users.list))
    return (
      <Link to="/admin/user-manager" search={{ search: name }} className={className}>
        {children}
      </Link>
    )
  if (kind === 'referral' && !denied(calls.referrals.list))
    return (
      <Link to="/admin/referral-manager" search={{ search: name }} className={className}>
        {children}
      </Link>
    )
  if (kind === 'request' && !denied(calls.payments.list))
    return (
      <Link to="/admin/payment-manager" search={{ search: detail, status: 'all' }} className={className}>
        {children}
      </Link>
    )
  return children
}
