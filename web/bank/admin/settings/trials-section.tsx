import type { BankForm, BankSender } from '../../../../contract/bank-alerts.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { saveFile } from '../../../platform/files/save-file.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toastError } from '../../../platform/navigation/toast.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyTextButton } from '../../../ui/buttons/copy-text-button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { confirm } from '../../../ui/overlays/confirm.ts'
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
      description={t(
        'When statements have confirmed one ten times, an owner can let it count. Copy one and report it to the ' +
          'project, so the next version reads it.',
      )}
      actions={
        <Button size="sm" variant="secondary" onClick={() => saveForms(data.forms)}>
          {t('Save all')}
        </Button>
      }
    >
      <ul className="divide-y divide-line">
        {data.forms.map((form) => (
          <FormRow key={form._id} form={form} />
        ))}
      </ul>
    </Panel>
  )
}

/** They name nobody: only the bank's words and slots, and how often each was right. */
const saveForms = (forms: readonly BankForm[]) => {
  const told = forms.map(({ bank, text: form, seen, proven, contradicted }) => ({
    bank,
    form,
    seen,
    proven,
    contradicted,
  }))
  saveFile('sms-wordings.json', 'application/json', `${JSON.stringify(told, null, 2)}\n`)
}

function FormRow({ form }: { form: BankForm }) {
  const { bank, text, seen, proven, contradicted, learnedAt, endedAt, examples } = form
  return (
    <li className="grid gap-2 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span>
          <span className="font-semibold">{bank}</span> ·{' '}
          {t('{seen} seen, {proven} confirmed, {contradicted} wrong', { seen, proven, contradicted })}
        </span>
        {learnedAt !== null && <Chip tone="ok">{t('Counts')}</Chip>}
        {endedAt !== null && <Chip tone="bad">{t('Ended: a statement says otherwise')}</Chip>}
      </p>
      <p className="wrap-anywhere text-fg-2">{text}</p>
      {examples.length > 0 && (
        <p className="text-xs text-fg-2">
          {t('Confirmed: {payments}', {
            payments: examples.map(({ amount, day, ref }) => `${formatRupees(amount)} ${day} …${ref}`).join(', '),
          })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <CopyTextButton text={`${bank}: ${text}`} what={t('wording')} />
        <Learn form={form} />
      </div>
    </li>
  )
}

function Learn({ form: { _id: id, text, mayLearn, learnedAt } }: { form: BankForm }) {
  const learn = useCall('bank.learnForm')
  const isLearned = learnedAt !== null
  if (!isLearned && !mayLearn) return null
  const change = async () => {
    const body = `${text}\n\n${t(
      'SMS in exactly this wording then count as alerts, under the limits of your rules. The first ' +
        'statement that says otherwise ends it.',
    )}`
    const isSure =
      isLearned || (await confirm({ title: t('Let this wording count?'), body, confirmLabel: t('Let it count') }))
    if (isSure) learn.mutate({ id, learned: !isLearned }, { onError: toastError })
  }
  return (
    <Button
      size="sm"
      variant="secondary"
      pending={learn.isPending}
      denied={denied(calls.bank.learnForm)}
      onClick={() => void change()}
    >
      {isLearned ? t('Only suggest') : t('Let it count…')}
    </Button>
  )
}
