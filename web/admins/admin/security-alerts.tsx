import type { SecurityAlert } from '../../../contract/admins.ts'
import { securityAlerts } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied, roleName } from '../../platform/admin/roles.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { formatDateTime } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { confirm } from '../../ui/overlays/confirm.ts'
import { RedLines } from '../../ui/admin/red-lines.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'

const POLL_INTERVAL_MS = 60_000

/** Says in red, on every screen of the panel, that payments or the store may go to somebody else. */
export function SecurityAlerts() {
  const alerts = usePanel(securityAlerts, { pollMs: POLL_INTERVAL_MS }).data?.alerts ?? []
  if (alerts.length === 0) return null
  return (
    <RedLines
      label={t('Security')}
      sum={t('{count, plural, one {# change to confirm} other {# changes to confirm}}: was it you?', {
        count: alerts.length,
      })}
    >
      {alerts.map((alert) => (
        <Alert key={alert._id} alert={alert} />
      ))}
    </RedLines>
  )
}

function Alert({ alert }: { alert: SecurityAlert }) {
  const { _id: id, kind, after } = alert
  const title = titleOf(alert)
  const confirming = useCall('admins.confirmAlert', {
    onSuccess: () => toast(t('Confirmed. All owners get a notification.')),
    onError: toastError,
  })
  const undoing = useCall('admins.undoAlert', {
    onSuccess: () => toast(t('Undone. Change your password, too.')),
    onError: toastError,
  })
  const isBusy = confirming.isPending || undoing.isPending
  /** The line may come under a finger that meant something else. */
  const ask = async (answer: typeof confirming, words: { title: string; body: string; confirmLabel: string }) => {
    if (await confirm({ ...words, danger: answer === undoing })) answer.mutate({ id })
  }
  // A phone's line has no room for them
  const facts = factsOf(alert)
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <div className={cx('min-w-0 flex-1 wrap-anywhere', kind === 'upi' ? 'basis-60' : 'basis-30')}>
        <p className="font-semibold text-bad">{title}</p>
        <p className="text-xs text-fg-2 max-sm:sr-only" suppressHydrationWarning>
          {facts} {t('Was it you?')}
        </p>
      </div>
      <div className="flex shrink-0 gap-2 max-sm:*:px-2.5">
        <Button
          size="sm"
          variant="secondary"
          denied={denied(calls.admins.confirmAlert)}
          pending={confirming.isPending}
          disabled={isBusy}
          onClick={() =>
            void ask(confirming, {
              title: t('Was it you?'),
              body: `${facts}\n${t('{title}. The red line goes for all admins, and all owners get a notification.', {
                title,
              })}`,
              confirmLabel: t('This was me'),
            })
          }
        >
          {t('This was me')}
        </Button>
        <Button
          size="sm"
          variant="danger"
          denied={denied(calls.admins.undoAlert)}
          pending={undoing.isPending}
          disabled={isBusy}
          onClick={() =>
            void ask(undoing, {
              title: t('Undo this change?'),
              body: `${title}. ${facts}\n${
                kind === 'upi'
                  ? t('Payments go to the old UPI ID again.')
                  : t('{admin} loses the owner’s rights.', { admin: after })
              }`,
              confirmLabel: t('Undo'),
            })
          }
        >
          {t('Undo')}
        </Button>
      </div>
    </li>
  )
}

function titleOf({ kind, after }: SecurityAlert): string {
  if (kind === 'owner') return t('{admin} is a new owner', { admin: after })
  return after ? t('Payments now go to {upiId}', { upiId: after }) : t('The UPI ID was removed')
}

function factsOf(alert: SecurityAlert): string {
  const values = { admin: alert.by, date: formatDateTime(alert.at) }
  const said = alert.kind === 'upi' ? t('Changed by {admin}, {date}.', values) : t('Added by {admin}, {date}.', values)
  return `${said} ${beforeOf(alert)}`
}

function beforeOf({ kind, before }: SecurityAlert): string {
  if (kind === 'upi') return before ? t('Before: {upiId}.', { upiId: before }) : ''
  return before ? t('Before: {role}.', { role: roleName(before as Parameters<typeof roleName>[0]) }) : ''
}
