import type { ComponentProps } from 'react'
import { ArrowRight } from 'lucide-react'
import {
  ADJUSTMENT_EXPIRY_DEFAULT_DAYS,
  ADJUSTMENT_EXPIRY_MAX_DAYS,
  REASON_LENGTH_MAX,
} from '../../../contract/limits.ts'
import { toRupees } from '../../../contract/money.ts'
import { HOUR_MS } from '../../../contract/time.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import { TextField } from '../../ui/admin/forms/use-form.tsx'
import { amountFault, changeOf, previewOf, type WalletDraft } from './wallet-change.ts'

const TERMS = [7, 30, ADJUSTMENT_EXPIRY_DEFAULT_DAYS, 90, 180, 365]

interface WalletForm {
  direction: WalletDraft['direction']
  amount: string
  /** Days, 'other' or 'permanent'. */
  term: string
  otherDays: string
  reason: string
}

export function walletOf({ direction, amount, term, otherDays, reason }: WalletForm): WalletDraft {
  const days = term === 'permanent' ? undefined : Number(term === 'other' ? otherDays : term)
  return { direction, amount, days, reason: reason.trim() }
}

export function termFault({ term, otherDays }: WalletForm): string | undefined {
  if (term !== 'other') return undefined
  const days = /^\d{1,4}$/.test(otherDays.trim()) ? Number(otherDays) : 0
  return days >= 1 && days <= ADJUSTMENT_EXPIRY_MAX_DAYS
    ? undefined
    : t('Enter 1 to {max} days', { max: ADJUSTMENT_EXPIRY_MAX_DAYS })
}

interface WalletPartProps {
  form: {
    draft: WalletForm
    change: (part: Partial<WalletForm>) => void
    of: (
      name: 'amount' | 'otherDays' | 'reason',
    ) => Pick<ComponentProps<typeof TextField>, 'error' | 'value' | 'onText'>
  }
  balance: number
}

export function WalletPart({ form: { draft, change, of }, balance }: WalletPartProps) {
  const now = useNow(HOUR_MS)
  const wallet = walletOf(draft)
  const faultOfTerm = termFault(draft)
  const preview = faultOfTerm ? undefined : previewOf(wallet, balance, now)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Segmented
        label={t('Type')}
        value={draft.direction}
        onChange={(direction) => change({ direction })}
        className="sm:col-span-2"
        options={[
          { value: 'add', label: t('Add money') },
          { value: 'deduct', label: t('Deduct money') },
        ]}
      />
      <TextField
        {...of('amount')}
        {...(draft.amount.trim() !== '' && { error: amountFault(wallet, balance) })}
        label={t('Amount (₹)')}
        required={false}
        inputMode="decimal"
        placeholder="0"
      />
      <Field label={draft.direction === 'add' ? t('Valid for') : t('Deduct for')}>
        <Select value={draft.term} onChange={(event) => change({ term: event.target.value })}>
          {TERMS.map((days) => (
            <option key={days} value={days}>
              {t('{count, plural, one {# day} other {# days}}', { count: days })}
            </option>
          ))}
          <option value="other">{t('Other…')}</option>
          <option value="permanent">{t('No expiry')}</option>
        </Select>
      </Field>
      {draft.term === 'other' && (
        <TextField
          {...of('otherDays')}
          {...(draft.otherDays !== '' && { error: faultOfTerm })}
          label={t('Days')}
          required={false}
          fieldClass="sm:col-span-2"
          inputMode="numeric"
        />
      )}
      <TextField
        {...of('reason')}
        label={t('Reason')}
        optional
        hint={t('The buyer sees this in Wallet History.')}
        fieldClass="sm:col-span-2"
        maxLength={REASON_LENGTH_MAX}
      />
      <div
        aria-live="polite"
        className="min-h-22 rounded-control border border-line bg-sunken p-3.5 text-sm sm:col-span-2"
      >
        <PreviewText draft={wallet} preview={preview} />
      </div>
    </div>
  )
}

function PreviewText({ draft, preview }: { draft: WalletDraft; preview: ReturnType<typeof previewOf> }) {
  if (!preview) return <p className="text-fg-3">{t('Enter an amount to see the new balance.')}</p>
  return (
    <>
      <p className="tabular flex flex-wrap items-center gap-x-2 text-lg font-semibold">
        <span className="sr-only">{t('New balance:')}</span>
        <span className="text-fg-3">{formatRupees(preview.before)}</span>
        <ArrowRight size={16} aria-label={t('changes to')} className="text-fg-3" />
        {formatRupees(preview.after)}
        <Money
          signed
          rupees={toRupees(changeOf(draft))}
          className={cx('text-sm', draft.direction !== 'add' && 'text-fg-2')}
        />
      </p>
      <p className="mt-1 text-fg-2">{preview.end}</p>
    </>
  )
}
