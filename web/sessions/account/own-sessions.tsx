import { Monitor, Smartphone } from 'lucide-react'
import { useMutation, useQuery, type QueryKey } from '@tanstack/react-query'
import type { OwnSession } from '../../../contract/sessions.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { agoText } from '../../platform/ago.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { Loaded } from '../../ui/page/loaded.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { deviceWords, isPhone } from '../../platform/device-words.ts'

interface OwnSessionsProps {
  queryKey: QueryKey
  load: (signal: AbortSignal) => Promise<{ sessions: OwnSession[] }>
  end: (id: string) => Promise<unknown>
}

/** Lists the person's devices and can log out the others. This device ends its session by logging out. */
export function OwnSessions({ queryKey, load, end }: OwnSessionsProps) {
  const list = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) })
  const ending = useMutation({
    mutationFn: ({ _id }: OwnSession) => end(_id),
    onSuccess: () => toast(t('Device logged out')),
    onError: toastError,
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const ask = async (session: OwnSession) => {
    const isSure = await confirm({
      title: t('Log out {device}?', { device: deviceWords(session.userAgent) }),
      body: t('This device will need to log in again. If you don’t recognise it, change your password too.'),
      confirmLabel: t('Logout'),
      danger: true,
    })
    if (!isSure) return
    ending.mutate(session)
  }
  return (
    <Loaded query={list} skeleton="h-14">
      {({ sessions }) => (
        <ul className="divide-y divide-line" aria-label={t('Devices')}>
          {sessions.map((session) => (
            <Row
              key={session._id}
              session={session}
              isEnding={ending.isPending && ending.variables._id === session._id}
              onEnd={() => void ask(session)}
            />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function Row({ session, isEnding, onEnd }: { session: OwnSession; isEnding: boolean; onEnd: () => void }) {
  const now = useNow(MINUTE_MS)
  const { userAgent, address, createdAt, lastActiveAt, current } = session
  const device = deviceWords(userAgent)
  const Icon = isPhone(userAgent) ? Smartphone : Monitor
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Icon size={20} className="shrink-0 text-fg-3" aria-hidden />
      <div className="min-w-0 flex-1 basis-48 text-sm">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {current && <Chip tone="ok">{t('This device')}</Chip>}
        </p>
        <p className="text-xs wrap-anywhere text-fg-3">
          {textWith('Logged in {date}', { date: <Time value={createdAt} /> })} ·{' '}
          {t('last active {ago}', { ago: agoText(lastActiveAt, now) })} · {address}
        </p>
      </div>
      {!current && (
        <Button
          variant="secondary"
          size="sm"
          pending={isEnding}
          onClick={onEnd}
          aria-label={t('Logout: {device}, last active {ago}', { device, ago: agoText(lastActiveAt, now) })}
        >
          {t('Logout')}
        </Button>
      )}
    </li>
  )
}
