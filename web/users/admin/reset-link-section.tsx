import { Link2, Share2 } from 'lucide-react'
import type { AdminUser } from '../../../contract/users.ts'
import { MINUTE_MS, SECOND_MS } from '../../../contract/time.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { useNow } from '../../platform/clock.ts'
import { copyToClipboard } from '../../platform/files/copy-to-clipboard.ts'
import { t } from '../../platform/i18n.ts'
import { hasShareSheet, share } from '../../platform/files/share-sheet.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { OnlyHereNote } from '../../ui/admin/only-here-note.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Copyable } from '../../ui/buttons/copyable.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'

/** Makes a reset link that an admin passes on to a buyer who has forgotten the password. */
export function ResetLinkSection({ user: { _id: id, username: name } }: { user: AdminUser }) {
  const issue = useCall('users.issueResetLink')
  return (
    <section aria-label={t('Forgot password')} className="grid justify-items-start gap-3">
      <div>
        <h3 className="font-medium">{t('Forgot password')}</h3>
        <p className="mt-0.5 text-sm text-fg-2">
          {t(
            'Create a link for {name} to set a new password. It works once, within 30 minutes, and logs out all ' +
              'their devices.',
            {
              name,
            },
          )}
        </p>
      </div>
      {issue.data && <IssuedLink {...issue.data} name={name} />}
      <FormError>{issue.error ? errorMessage(issue.error) : undefined}</FormError>
      <Button
        variant="secondary"
        icon={<Link2 size={17} aria-hidden />}
        pending={issue.isPending}
        denied={denied(calls.users.issueResetLink)}
        onClick={() => issue.mutate({ id })}
      >
        {issue.data ? t('Create new link') : t('Create link')}
      </Button>
    </section>
  )
}

/** The link, to be shared or copied, and how long it works. */
export function IssuedLink({ link, expiresAt, name }: { link: string; expiresAt: string; name: string }) {
  const now = useNow(SECOND_MS)
  const url = `${location.origin}${link}`
  const pass = async () => {
    if (await share({ text: t('Set a new password within 30 minutes'), url })) return
    if (await copyToClipboard(url)) toast(t('Link copied'))
  }
  const leftMs = Date.parse(expiresAt) - now
  const minutes = leftMs > 0 ? Math.max(1, Math.round(leftMs / MINUTE_MS)) : 0
  return (
    <div role="status" className="grid w-full gap-2 rounded-card border border-line bg-sunken p-3.5">
      <OnlyHereNote />
      <Copyable text={url} what={t('link')} />
      {hasShareSheet() && minutes > 0 && (
        <Button icon={<Share2 size={17} aria-hidden />} onClick={() => void pass()}>
          {t('Share link')}
        </Button>
      )}
      {minutes > 0 ? (
        <p className="text-sm text-fg-2">
          {t('Send this link only to {name}. Anyone who has it can take over the account.', { name })}{' '}
          {textWith('Valid for {count, plural, one {# more minute} other {# more minutes}}, till {time}.', {
            count: minutes,
            time: <Time value={expiresAt} />,
          })}{' '}
          {t('Older links no longer work.')}
        </p>
      ) : (
        <p className="text-sm text-warn">{t('This link has expired. Create a new one.')}</p>
      )}
    </div>
  )
}
