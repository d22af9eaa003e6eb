import { useMutation, useQuery } from '@tanstack/react-query'
import { kindOf, type Channel } from '../../contract/message-kinds.ts'
import type { MessageChoice } from '../../contract/messages.ts'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { queryClient } from '../platform/calls/queries.ts'
import { toastError } from '../platform/navigation/toast.ts'
import { Loaded } from '../ui/page/loaded.tsx'
import { usePhones, type PushOwner } from './push-here.ts'

/** From left to right. A buyer has one device at a time. */
const channelNames = (as: PushOwner): Record<Channel, string> => ({
  push: as === 'user' ? t('On this device') : t('Phone'),
  email: t('Email'),
  telegram: t('Telegram'),
})

/** Which messages a person gets, by which channel. A buyer ticks for the phone once it gets messages. */
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
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  return (
    <Loaded query={choices} skeleton="h-24">
      {({ choices: all }) =>
        all.length === 0 ? (
          <p className="text-sm text-fg-2">
            {as === 'admin' ? t('Turn on a channel above first.') : t('This store doesn’t send notifications yet.')}
          </p>
        ) : (
          <Table as={as} all={all} onChoose={choose.mutate} />
        )
      }
    </Loaded>
  )
}

interface TableProps {
  as: PushOwner
  all: readonly MessageChoice[]
  onChoose: (choice: MessageChoice) => void
}

function Table({ as, all, onChoose }: TableProps) {
  const phones = usePhones(as)
  const names = Object.entries(channelNames(as)) as [Channel, string][]
  const columns = names.filter(([channel]) => all.some((choice) => choice.channel === channel))
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="border-b border-line text-xs text-fg-3">
          <th scope="col" className="text-left font-medium">
            {t('Tell me about')}
          </th>
          {columns.map(([channel, name]) => (
            <th key={channel} scope="col" className="w-20 px-1 py-2 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {[...new Set(all.map(({ kind }) => kind))].map((kind) => (
          <tr key={kind}>
            <th scope="row" className="text-left font-normal">
              {t(kindOf(kind).label)}
            </th>
            {columns.map(([channel, name]) => {
              const choice = all.find((each) => each.kind === kind && each.channel === channel)
              return (
                <td key={channel} className="text-center">
                  {choice && (
                    <label className="inline-grid size-11 place-items-center">
                      <input
                        type="checkbox"
                        className="checkbox"
                        aria-label={`${t(kindOf(kind).label)}, ${name}`}
                        checked={choice.on}
                        disabled={as === 'user' && channel === 'push' && phones.data?.phones.length === 0}
                        onChange={(event) => onChoose({ ...choice, on: event.target.checked })}
                      />
                    </label>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const isSame = (one: MessageChoice, other: MessageChoice): boolean =>
  one.kind === other.kind && one.channel === other.channel
