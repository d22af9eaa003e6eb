import { useMutation, useQuery } from '@tanstack/react-query'
import { errorMessage } from '../platform/calls/api-error.ts'
import { t } from '../platform/i18n.ts'
import { queryClient } from '../platform/calls/queries.ts'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { phonesKey, pushState, turnPushOff, turnPushOn, type PushOwner, type PushState } from './push-here.ts'

/** Says whether this phone gets messages, with the button that changes it. */
export function PushSwitch({ as }: { as: PushOwner }) {
  const queryKey = ['messages', 'here', as]
  const { data: state, error } = useQuery({ queryKey, queryFn: () => pushState(as), staleTime: 0 })
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? turnPushOn(as) : turnPushOff(as)),
    onSuccess: (next) => {
      queryClient.setQueryData(queryKey, next)
      void queryClient.invalidateQueries({ queryKey: phonesKey(as) })
    },
  })
  const isOn = state === 'on'
  return (
    <div>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
        <div className="min-w-0 flex-1 basis-50">
          <p className="font-medium">{t('This device')}</p>
          <p className="text-xs text-fg-3">{hintOf(as, state)}</p>
        </div>
        {(isOn || state === 'off') && (
          <Button
            variant={isOn ? 'ghost' : 'secondary'}
            size="sm"
            pending={change.isPending}
            onClick={() => change.mutate(!isOn)}
          >
            {isOn ? t('Turn off') : t('Turn on')}
          </Button>
        )}
      </div>
      {(change.error ?? error) && <FormError>{errorMessage(change.error ?? error)}</FormError>}
    </div>
  )
}

function hintOf(as: PushOwner, state: PushState = 'off'): string {
  return {
    insecure:
      as === 'admin'
        ? t('Notifications need HTTPS. Set it up for your store, and open this page at its https address.')
        : t('This store can’t send notifications to your device yet.'),
    on: t('You’ll get notifications on this device until you log out.'),
    off: t('Notifications are off on this device.'),
    blocked: t('Notifications are blocked. Allow notifications for this site in your browser settings.'),
    unsupported: t('This browser can’t receive notifications. On an iPhone, first add the store to the Home Screen.'),
  }[state]
}
