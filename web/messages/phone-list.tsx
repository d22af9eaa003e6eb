import { Monitor, Smartphone } from 'lucide-react'
import { useCall } from '../platform/calls/use-call.ts'
import { deviceWords, isPhone } from '../platform/device-words.ts'
import { t } from '../platform/i18n.ts'
import { toast, toastError } from '../platform/navigation/toast.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { usePhones, type PushOwner } from './push-here.ts'

/** The phones that get messages, so that one that is not the person's own is seen and ended. */
export function PhoneList({ as }: { as: PushOwner }) {
  const { data } = usePhones(as)
  const ending = useCall('messages.endPhone', {
    onSuccess: () => toast(t('This phone gets no more notifications.')),
    onError: toastError,
  })
  const phones = data?.phones ?? []
  if (phones.length === 0) return null
  return (
    <div className="grid gap-1 border-t border-line pt-3 text-sm">
      <p className="font-medium">{t('Phones that get notifications')}</p>
      <ul className="divide-y divide-line" aria-label={t('Phones that get notifications')}>
        {phones.map(({ _id, userAgent, createdAt, current }) => {
          const device = deviceWords(userAgent)
          const Icon = isPhone(userAgent) ? Smartphone : Monitor
          return (
            <li key={_id} className="flex items-center gap-x-4 py-2">
              <Icon size={20} className="shrink-0 text-fg-3" aria-hidden />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {device}
                  {current && <Chip tone="ok">{t('This device')}</Chip>}
                </p>
                <p className="text-xs text-fg-3">{textWith('Since {date}', { date: <Time value={createdAt} /> })}</p>
              </div>
              {!current && (
                <Button
                  variant="secondary"
                  size="sm"
                  pending={ending.isPending && ending.variables.id === _id}
                  onClick={() => ending.mutate({ id: _id, as })}
                  aria-label={t('Turn off notifications to {device}', { device })}
                >
                  {t('Turn off')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
