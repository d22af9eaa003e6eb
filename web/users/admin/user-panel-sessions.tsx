import { MonitorSmartphone } from 'lucide-react'
import { askFor } from '../../../contract/panel-pages.ts'
import type { AdminUser, UserSession } from '../../../contract/users.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { agoText } from '../../platform/ago.ts'
import { deviceWords } from '../../platform/device-words.ts'
import { useNow } from '../../platform/clock.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { useUnderWay } from '../../platform/admin/use-change.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { Rows } from './user-panel-rows.tsx'

interface SessionsProps {
  user: AdminUser
  onUnlock: (user: AdminUser) => void
}

export function Sessions({ user, onUnlock }: SessionsProps) {
  const { _id: id, username: name, deviceLockedAt } = user
  const sessions = usePanel(askFor('users', 'sessions', { id }), { select: (answer) => answer.sessions })
  const { mutateAsync: end } = useCall('users.endSession')
  const ending = useUnderWay('users.endSession')
  const askToEnd = async ({ _id: sessionId, userAgent }: UserSession) => {
    const browser = deviceWords(userAgent)
    const isSure = await confirm({
      title: t('Log {name} out of {browser}?', { name, browser }),
      body: t('They’re logged out right away. The device lock stays, so they can log in again only on that device.'),
      confirmLabel: t('Logout'),
      danger: true,
    })
    if (!isSure) return
    // Avoids `mutate`, whose result is lost with the next call or when the panel closes.
    void end({ id, sessionId }).then(() => toast(t('{name} logged out', { name })), toastError)
  }
  return (
    <>
      <Rows
        query={sessions}
        empty={
          <EmptyState
            icon={<MonitorSmartphone size={22} />}
            title={t('Not logged in anywhere')}
            text={t('Devices where {name} is logged in will show here.', { name })}
          />
        }
      >
        {(session) => (
          <SessionRow
            key={session._id}
            session={session}
            pending={ending.some(({ sessionId }) => sessionId === session._id)}
            onEnd={() => void askToEnd(session)}
          />
        )}
      </Rows>
      <div
        className={
          'mt-2 mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control border border-line ' +
          'bg-sunken p-3.5 text-sm'
        }
      >
        <p className="min-w-0">
          <span className="font-medium">{t('Device lock')}</span>
          <span className="block text-xs text-fg-2">
            {deviceLockedAt
              ? textWith('Locked to one device since {date}', { date: <Time value={deviceLockedAt} /> })
              : t('Not locked. The next device to log in will be locked in.')}
          </span>
        </p>
        {deviceLockedAt && (
          <Button
            variant="secondary"
            size="sm"
            denied={denied(calls.users.unlockDevice)}
            onClick={() => onUnlock(user)}
          >
            {t('Reset device lock')}
          </Button>
        )}
      </div>
    </>
  )
}

interface SessionRowProps {
  session: UserSession
  pending: boolean
  onEnd: () => void
}

function SessionRow({ session: { userAgent, address, createdAt, lastActiveAt }, pending, onEnd }: SessionRowProps) {
  const now = useNow(MINUTE_MS)
  const browser = deviceWords(userAgent)
  return (
    <li className="flex items-center justify-between gap-4 py-3 text-sm">
      <div className="min-w-0">
        <p className="font-medium" title={userAgent}>
          {browser}, {agoText(lastActiveAt, now)}
        </p>
        <p className="text-xs wrap-anywhere text-fg-3">
          {textWith('Logged in {date}', { date: <Time value={createdAt} /> })} · {address}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        pending={pending}
        denied={denied(calls.users.endSession)}
        aria-label={t('Logout: {browser}', { browser })}
        onClick={onEnd}
      >
        {t('Logout')}
      </Button>
    </li>
  )
}
