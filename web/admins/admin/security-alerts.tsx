import { useMutation } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import type { SecurityAlert } from '../../../contract/admins.ts'
import { securityAlerts } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied, roleName } from '../../platform/admin/roles.ts'
import { client } from '../../platform/calls/client.ts'
import { makesStale } from '../../platform/calls/queries.ts'
import { t } from '../../platform/i18n.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { confirm } from '../../ui/overlays/confirm.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'

const POLL_INTERVAL_MS = 60_000

/** Says in red, on every screen of the panel, that payments or the store may go to somebody else. */
export function SecurityAlerts() {
  const alerts = usePanel(securityAlerts, POLL_INTERVAL_MS).data?.alerts ?? []
  if (alerts.length === 0) return null
  return (
    <section
      role="alert"
      aria-label={t('Security')}
      className="mb-4 grid gap-3 rounded-panel border border-bad/50 bg-bad/10 p-4 text-sm"
    >
      {alerts.map((alert) => (
        <Alert key={alert._id} alert={alert} />
      ))}
    </section>
  )
}

function Alert({ alert }: { alert: SecurityAlert }) {
  const { _id: id, kind, by, at, after } = alert
  const title = titleOf(alert)
  const onSettled = makesStale(['admins'], ['settings'], ['reports'])
  const confirming = useMutation({
    mutationFn: () => client.admins.confirmAlert({ id }),
    onSuccess: () => toast(t('Confirmed. All owners get a message.')),
    onError: toastError,
    onSettled,
  })
  const undoing = useMutation({
    mutationFn: () => client.admins.undoAlert({ id }),
    onSuccess: () => toast(t('Undone. Change your password, too.')),
    onError: toastError,
    onSettled,
  })
  const isBusy = confirming.isPending || undoing.isPending
  /** The line may come under a finger that meant something else. */
  const ask = async (answer: typeof confirming, words: { title: string; body: string; confirmLabel: string }) => {
    if (await confirm({ ...words, danger: answer === undoing })) answer.mutate()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
        <ShieldAlert size={20} aria-hidden className="mt-0.5 shrink-0 text-bad" />
        <div className="grid min-w-0 gap-0.5">
          <p className="font-semibold wrap-anywhere text-bad">{title}</p>
          <p className="wrap-anywhere text-fg-2">
            {textWith(kind === 'upi' ? 'Changed by {admin}, {date}.' : 'Added by {admin}, {date}.', {
              admin: by,
              date: <Time value={at} />,
            })}{' '}
            {beforeOf(alert)} {t('Was it you?')}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">
        <Button
          size="sm"
          variant="secondary"
          denied={denied(calls.admins.confirmAlert)}
          pending={confirming.isPending}
          disabled={isBusy}
          onClick={() =>
            void ask(confirming, {
              title: t('Was it you?'),
              body: t('{title}. The red line goes for all admins, and all owners get a message.', { title }),
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
              body:
                kind === 'upi'
                  ? t('Payments go to the old UPI ID again.')
                  : t('{admin} loses the owner’s rights.', { admin: after }),
              confirmLabel: t('Undo'),
            })
          }
        >
          {t('Undo')}
        </Button>
      </div>
    </div>
  )
}

function titleOf({ kind, after }: SecurityAlert): string {
  if (kind === 'owner') return t('{admin} is a new owner', { admin: after })
  return after ? t('Payments now go to {upiId}', { upiId: after }) : t('The UPI ID was removed')
}

function beforeOf({ kind, before }: SecurityAlert): string {
  if (kind === 'upi') return before ? t('Before: {upiId}.', { upiId: before }) : ''
  return before ? t('Before: {role}.', { role: roleName(before as Parameters<typeof roleName>[0]) }) : ''
}
