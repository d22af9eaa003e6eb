import { MailX, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Delivery } from '../../../contract/messages.ts'
import { kindOf } from '../../../contract/message-kinds.ts'
import { askFor } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { toastError } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Loaded } from '../../ui/page/loaded.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Time } from '../../ui/time.tsx'

const LOADED = 20
const SHOWN = 5

/** What was sent lately. Failed messages come first, each with one button to try again. */
export function DeliveryLog() {
  const [isWhole, setWhole] = useState(false)
  const log = usePanel(askFor('messages', 'log', { limit: LOADED }))
  const retry = useCall('messages.retry', { onError: toastError })
  const deliveries = log.data?.deliveries ?? []
  const hidden = isWhole ? 0 : Math.max(0, deliveries.length - SHOWN)
  return (
    <Panel title={t('Recently sent')}>
      <Loaded query={log} skeleton="h-24">
        {({ deliveries: { length } }) =>
          length === 0 && (
            <EmptyState
              icon={<MailX size={24} aria-hidden />}
              title={t('Nothing sent yet')}
              text={t('Turn on a channel above.')}
            />
          )
        }
      </Loaded>
      <ul className="divide-y divide-line empty:hidden">
        {deliveries.slice(0, deliveries.length - hidden).map((delivery) => (
          <li key={delivery._id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-sm">
            <span className="min-w-0 flex-1 basis-50">
              <span className="block">{t(kindOf(delivery.kind).label)}</span>
              <span className="block text-xs wrap-anywhere text-fg-3">
                {delivery.to && `${delivery.to} · `}
                <Time value={delivery.sentAt ?? delivery.createdAt} />
                {delivery.error && ` · ${t(delivery.error)}`}
              </span>
            </span>
            <StateChip state={delivery.state} />
            {delivery.state === 'dead' && (
              <Button
                variant="secondary"
                size="sm"
                icon={<RotateCcw size={15} aria-hidden />}
                pending={retry.isPending && retry.variables.id === delivery._id}
                denied={denied(calls.messages.retry)}
                onClick={() => retry.mutate({ id: delivery._id })}
              >
                {t('Try again')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="secondary" className="mt-2" onClick={() => setWhole(true)}>
          {t('Show {count} more', { count: hidden })}
        </Button>
      )}
    </Panel>
  )
}

function StateChip({ state }: Pick<Delivery, 'state'>) {
  const { tone, words } = (
    {
      sent: { tone: 'ok', words: t('Sent') },
      dead: { tone: 'bad', words: t('Failed') },
      dropped: { tone: 'outline', words: t('Not needed') },
      waiting: { tone: 'warn', words: t('Waiting') },
    } as const
  )[state]
  return <Chip tone={tone}>{words}</Chip>
}
