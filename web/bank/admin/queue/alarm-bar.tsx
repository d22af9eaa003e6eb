import type { AlarmKind, BankAlarm } from '../../../../contract/bank-shapes.ts'
import { bankRules } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { useCall, type CallInput } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { Button, buttonClass } from '../../../ui/buttons/button.tsx'
import { RedLines } from '../../../ui/admin/red-lines.tsx'
import { textWith } from '../../../ui/text-with.tsx'
import { Time } from '../../../ui/time.tsx'
import { openDialog, type DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { AT_ONCE, useOpenAlarms } from '../bank-queries.ts'

const ReasonDialog = lazyPart(() =>
  import('../../../ui/admin/forms/reason-dialog.tsx').then(
    (file) => file.ReasonDialog<CallInput<'bank.closeAlarm'>, BankAlarm>,
  ),
)

const words = (): Record<AlarmKind, string> => ({
  'alert-not-in-statement': t('An SMS alert reported money that is not in the statement. The alert may be fake.'),
  'approved-without-money': t('A top-up was approved, but the bank has no such money.'),
  'amount-after-approval': t('A top-up was approved, but the bank shows another amount.'),
  'rival-after-automatic': t('A second user asks for money that was approved automatically.'),
  'taken-back-by-bank': t('The bank reversed a top-up you approved, or it was your own transfer.'),
  'wording-ended': t(
    'A statement says otherwise than an SMS in a wording that you let count. It doesn’t count any more.',
  ),
  'automation-off': t('Automatic approval turned itself off.'),
})

/** Says in red, on every screen of the panel, what a person must look at. */
export function BankAlarms() {
  const { data } = useOpenAlarms()
  const offWhy = usePanel(bankRules).data?.offWhy
  const alarms = data?.alarms ?? []
  if (alarms.length === 0) return null
  return (
    <RedLines
      label={t('Bank alarms')}
      sum={t('{count, plural, one {# bank alarm} other {# bank alarms}}', { count: data?.total ?? alarms.length })}
    >
      {alarms.map((alarm) => (
        <li key={alarm._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="min-w-0">
            {alarm.kind === 'automation-off' && offWhy ? (
              textWith('Automatic approval turned itself off {ago}: {why}.', {
                ago: <Time value={alarm.at} />,
                why: t(offWhy),
              })
            ) : (
              <>
                {words()[alarm.kind]} <Time value={alarm.at} />
              </>
            )}
          </span>
          <span className="flex flex-wrap gap-2">
            {alarm.topUpId !== null && !denied(calls.proofs.read) && (
              <Link
                to="/admin/proof"
                search={{ id: alarm.topUpId }}
                className={buttonClass({ size: 'sm', variant: 'secondary' })}
              >
                {t('Paper for the bank')}
              </Link>
            )}
            <Button
              size="sm"
              variant="secondary"
              denied={denied(calls.bank.closeAlarm)}
              onClick={() => openDialog(CloseDialog, { alarm })}
            >
              {t('Close…')}
            </Button>
          </span>
        </li>
      ))}
      {(data?.total ?? 0) > alarms.length && (
        <li>{t('{count} more', { count: (data?.total ?? 0) - alarms.length })}</li>
      )}
    </RedLines>
  )
}

function CloseDialog({ alarm: { _id: id, kind }, ...dialog }: DialogProps & { alarm: BankAlarm }) {
  return (
    <ReasonDialog
      {...dialog}
      title={t('Close this alarm?')}
      description={words()[kind]}
      submitLabel={t('Close alarm')}
      field="note"
      label={t('What you found')}
      lacks={t('Note is required')}
      change={useCall('bank.closeAlarm', AT_ONCE)}
      send={(note) => ({ id, note })}
    />
  )
}
