import type { ReactNode } from 'react'
import type { ImportResult, StatementPreview } from '../../../../contract/bank-shapes.ts'
import { middayOf } from '../../../../contract/india.ts'
import { formatDate } from '../../../platform/dates.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { toast, toastError } from '../../../platform/navigation/toast.ts'
import { formatCount, formatRupees } from '../../../platform/money.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { useUpi } from '../../../settings/use-upi.ts'
import { Button, buttonClass } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Money } from '../../../ui/money.tsx'

const dayText = (day: string) => formatDate(middayOf(day))

const SCROLLS = 'max-h-64 overflow-auto rounded-control border border-line'

/** What was read of a statement, before anything is stored. */
export function PreviewOf({ preview, isPdf }: { preview: StatementPreview; isPdf: boolean }) {
  const { account, covers, credits, known, confirmed, approvesNow, problems, rows } = preview
  return (
    <>
      <p className="text-sm text-fg-2">
        {[
          [account?.bank, account?.tail && `··${account.tail}`].filter(Boolean).join(' '),
          covers?.from === covers?.to
            ? covers && dayText(covers.to)
            : covers && t('{from} to {to}', { from: dayText(covers.from), to: dayText(covers.to) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {preview.holder !== null && <PayeeName name={preview.holder} />}
      <BalancesText preview={preview} />
      {preview.fees !== undefined && (
        <p className="text-sm text-fg-2">
          {t('The app kept {fees} in fees. Your bank shows only its payout, so upload this report for every day.', {
            fees: formatRupees(preview.fees),
          })}
        </p>
      )}
      {isPdf && preview.balances === 'broken' && (
        <p className="text-sm text-fg-2">
          {t('Choose CSV or Excel at your bank instead. A PDF’s columns are read by their places.')}
        </p>
      )}
      {/* A file without a bank and account tells nothing until an account is chosen */}
      {account?.bank && account.tail && (
        <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
          <Figure label={t('New credits')} value={credits - known} />
          <Figure label={t('Seen before')} value={known} />
          <Figure label={t('Requests confirmed')} value={confirmed} />
          <Figure label={t('Approved right away')} value={approvesNow} />
        </dl>
      )}
      {problems.length > 0 && (
        <ul className="grid gap-1 text-sm text-warn">
          {problems.slice(0, 5).map(({ line, text }) => (
            <li key={line}>{t('Line {line}: {text}', { line, text: t(text) })}</li>
          ))}
        </ul>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it */}
      <section tabIndex={0} aria-label={t('First lines')} className={SCROLLS}>
        <ul className="text-sm">
          {rows.map(({ line, day, amount, direction, refs, narration }) => (
            <li key={line} className="flex flex-wrap gap-x-3 border-b border-line px-2 py-1.5 last:border-0">
              <span className="text-fg-3">{dayText(day)}</span>
              <code translate="no" className="min-w-0 font-mono wrap-anywhere">
                {refs.join(' ')}
              </code>
              <Money
                rupees={direction === 'credit' ? amount : -amount}
                className={cx('ml-auto', direction === 'credit' ? 'text-ok' : 'text-fg-3')}
              />
              <p className="w-full text-xs wrap-anywhere text-fg-3">{narration}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

/** Offers the holder's name to a store whose buyers see none yet. */
function PayeeName({ name }: { name: string }) {
  const upi = useUpi().data
  const save = useCall('settings.saveUpi')
  if (!upi?.upiId || upi.payeeName) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
      <p className="min-w-0 wrap-anywhere">
        {t('This account belongs to {name}. Do UPI apps show this name for {upiId}?', { name, upiId: upi.upiId })}
      </p>
      <Button
        size="sm"
        variant="secondary"
        pending={save.isPending}
        denied={denied(calls.settings.saveUpi)}
        onClick={() =>
          save.mutate(
            { payeeName: name },
            { onSuccess: () => toast(t('Buyers now see {name}', { name })), onError: toastError },
          )
        }
      >
        {t('Show it to buyers')}
      </Button>
    </div>
  )
}

function BalancesText({ preview: { balances, brokenAt, swapped } }: { preview: StatementPreview }) {
  if (balances === 'broken')
    return (
      <p className="text-sm text-bad">
        {t('The balance on line {line} doesn’t add up. Nothing in this file is approved automatically.', {
          line: brokenAt ?? 0,
        })}
      </p>
    )
  if (balances === 'none') return <p className="text-sm text-fg-2">{t('This file has no balances to check.')}</p>
  return (
    <p className="text-sm text-ok">
      {t('Balances add up.')} {swapped && t('The columns for money in and out were swapped. We corrected that.')}
    </p>
  )
}

function Figure({ label, value }: { label: ReactNode; value: number }) {
  return (
    <div className="flex items-baseline justify-between gap-2 rounded-control bg-sunken px-3 py-1.5">
      <dt className="text-xs text-fg-3">{label}</dt>
      <dd className="tabular font-semibold">{formatCount(value)}</dd>
    </div>
  )
}

export function ResultOf({ result, onClose }: { result: ImportResult; onClose: () => void }) {
  const { known, confirmed, approved, alarms } = result
  return (
    <div className="grid gap-3">
      <p className="font-medium">
        {t('{count, plural, one {# new credit} other {# new credits}}. {known} seen before.', {
          count: result.new,
          known,
        })}
      </p>
      <p className="text-sm text-fg-2">
        {t('{confirmed, plural, one {# request} other {# requests}} confirmed, {approved} approved.', {
          confirmed,
          approved,
        })}
      </p>
      {alarms > 0 && (
        <p className="text-sm text-bad">
          {t('{alarms, plural, one {# alarm} other {# alarms}}. Check the red box at the top first.', { alarms })}
        </p>
      )}
      <Link to="/admin/bank" onClick={onClose} className={buttonClass({ variant: 'secondary' })}>
        {t('Money without a request')}
      </Link>
    </div>
  )
}
