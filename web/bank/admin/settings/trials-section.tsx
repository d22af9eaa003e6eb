import type { BankSender } from '../../../../contract/bank-alerts.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { toastError } from '../../../platform/navigation/toast.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyTextButton } from '../../../ui/buttons/copy-text-button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { Time } from '../../../ui/time.tsx'
import { ask } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { useCall } from '../../../platform/calls/use-call.ts'

/** What the store does not know for sure yet: senders on trial, and wordings that are only proposed. */
export function TrialsSection() {
  return (
    <>
      <Senders />
      <Forms />
    </>
  )
}

function Senders() {
  const senders = usePanel(ask('bank', 'senders', {})).data?.senders ?? []
  if (senders.length === 0) return null
  return (
    <Panel
      title={t('Added senders')}
      description={t(
        'They are on trial until a statement confirms one of their messages. After that we suggest matches. We ' +
          'never approve because of them.',
      )}
    >
      <ul className="divide-y divide-line">
        {senders.map((sender) => (
          <SenderRow key={sender._id} sender={sender} />
        ))}
      </ul>
    </Panel>
  )
}

function SenderRow({
  sender: { _id: id, header, account, addedAt, provenAt, endedAt, endedWhy },
}: {
  sender: BankSender
}) {
  const end = useCall('bank.endSender')
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {header}
          {endedAt ? (
            <Chip tone={endedWhy === 'contradicted' ? 'bad' : 'outline'}>
              {endedWhy === 'contradicted' ? t('Ended: a statement says otherwise') : t('Ended')}
            </Chip>
          ) : (
            <Chip tone={provenAt ? 'ok' : 'warn'}>{provenAt ? t('Proven') : t('On trial')}</Chip>
          )}
        </p>
        <p className="text-xs wrap-anywhere text-fg-3">
          {account.label} · <Time value={addedAt} />
        </p>
      </div>
      {!endedAt && (
        <Button
          size="sm"
          variant="ghost"
          pending={end.isPending}
          denied={denied(calls.bank.endSender)}
          aria-label={t('End {header}', { header })}
          onClick={() => end.mutate({ id, ended: true }, { onError: toastError })}
        >
          {t('End')}
        </Button>
      )}
    </li>
  )
}

function Forms() {
  const { data } = usePanel(ask('bank', 'forms', {}), { enabled: denied(calls.bank.forms) === undefined })
  if (!data || data.forms.length === 0) return null
  return (
    <Panel
      title={t('SMS wordings that we only suggest')}
      description={t('Copy one that statements agree with and report it to the project, so the next version reads it.')}
    >
      <ul className="divide-y divide-line">
        {data.forms.map(({ _id: id, bank, text, seen, proven, contradicted }) => (
          <li key={id} className="grid gap-2 py-3 text-sm">
            <p>
              <span className="font-semibold">{bank}</span> ·{' '}
              {t('{seen} seen, {proven} confirmed, {contradicted} wrong', { seen, proven, contradicted })}
            </p>
            <p className="wrap-anywhere text-fg-2">{text}</p>
            <div>
              <CopyTextButton text={`${bank}: ${text}`} what={t('wording')} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
