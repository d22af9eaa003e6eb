import { useMutation, useQuery } from '@tanstack/react-query'
import { kindOf, type Channel } from '../../contract/message-kinds.ts'
import type { MessageChoice } from '../../contract/messages.ts'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { makesStale, queryClient } from '../platform/calls/queries.ts'
import { toastError } from '../platform/navigation/toast.ts'
import { Checkbox } from '../ui/fields/checkbox.tsx'
import { Loaded } from '../ui/page/loaded.tsx'
import type { PushOwner } from './push-here.ts'

const channelName = (channel: Channel): string =>
  ({ push: t('Phone'), email: t('Email'), telegram: t('Telegram') })[channel]

/** Which messages a person gets, by which channel. */
export function ChoiceList({ as }: { as: PushOwner }) {
  const queryKey = ['messages', 'choices', as]
  const choices = useQuery({ queryKey, queryFn: ({ signal }) => client.messages.choices({ as }, { signal }) })
  const choose = useMutation({
    scope: { id: queryKey.join('/') },
    mutationFn: (choice: MessageChoice) => client.messages.choose({ choices: [choice], as }),
    onMutate(choice) {
      queryClient.setQueryData<{ choices: MessageChoice[] }>(queryKey, (known) => ({
        choices: (known?.choices ?? []).map((each) => (isSame(each, choice) ? choice : each)),
      }))
    },
    onError: toastError,
    onSettled: makesStale(queryKey),
  })
  return (
    <Loaded query={choices} skeleton="h-24">
      {({ choices: all }) =>
        all.length === 0 ? (
          <p className="text-sm text-fg-2">
            {as === 'admin' ? t('Turn on a channel above first.') : t('This store doesn’t send messages yet.')}
          </p>
        ) : (
          <ul className="divide-y divide-line">
            {[...new Set(all.map(({ kind }) => kind))].map((kind) => (
              <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 py-1 text-sm">
                <span>{t(kindOf(kind).label)}</span>
                <span role="group" aria-label={t(kindOf(kind).label)} className="flex flex-wrap gap-x-4">
                  {all
                    .filter((choice) => choice.kind === kind)
                    .map((choice) => (
                      <Checkbox
                        key={choice.channel}
                        label={channelName(choice.channel)}
                        checked={choice.on}
                        onChange={(event) => choose.mutate({ ...choice, on: event.target.checked })}
                      />
                    ))}
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

const isSame = (one: MessageChoice, other: MessageChoice): boolean =>
  one.kind === other.kind && one.channel === other.channel
