import type { BankHeard } from '../../../../contract/bank-alerts.ts'
import type { BankDevice } from '../../../../contract/bank-phones.ts'
import { askFor } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { toast, toastError } from '../../../platform/navigation/toast.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { BANK_POLL_MS } from '../bank-queries.ts'

type Addition = NonNullable<BankHeard['add']>

/** Says which senders a phone's messages were refused for today, each to add in one tap. */
export function RefusedSenders({ device: { _id: id, unknownSenders } }: { device: BankDevice }) {
  const isShown = unknownSenders.length > 0
  const mayRead = denied(calls.bank.heard) === undefined
  const { data } = usePanel(askFor('bank', 'heard', { id }), { enabled: isShown && mayRead, pollMs: BANK_POLL_MS })
  if (!isShown) return null
  const offered = new Map<string, Addition>(
    data?.heard.flatMap(({ add }) => (add ? [[`${add.accountId} ${add.header}`, add]] : [])),
  )
  return (
    <div className="grid gap-1 text-xs">
      <p className="wrap-anywhere text-warn">
        {t('Refused today, because we don’t know the sender: {senders}', { senders: unknownSenders.join(', ') })}
      </p>
      {[...offered].map(([key, add]) => (
        <AddSender key={key} add={add} />
      ))}
    </div>
  )
}

export function AddSender({ add: { accountId, header, looksLike } }: { add: Addition }) {
  const sender = useCall('bank.addSender')
  const add = () =>
    sender.mutate(
      { accountId, header },
      {
        onSuccess: () => toast(t('{header} is on trial.', { header })),
        onError: toastError,
      },
    )
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-1">
      <Button
        size="sm"
        variant="secondary"
        pending={sender.isPending}
        denied={denied(calls.bank.addSender)}
        onClick={add}
      >
        {t('Add sender {header}', { header })}
      </Button>
      <p className="text-xs text-fg-2">
        {looksLike !== null && `${t('It looks like {known}, but it’s another sender.', { known: looksLike })} `}
        {t('Only if you know that it is your bank’s. It starts on trial.')}
      </p>
    </div>
  )
}
