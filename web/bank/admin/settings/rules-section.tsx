import type { BankRules } from '../../../../contract/bank-shapes.ts'
import { parseRupees, toRupees, ZERO } from '../../../../contract/money.ts'
import { bankRules } from '../../../../contract/panel-pages.ts'
import { formErrorOf } from '../../../platform/admin/form-errors.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { CardError, SettingsForm, useSettings } from '../../../ui/admin/forms/settings-form.tsx'
import { Select } from '../../../ui/admin/forms/select.tsx'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { useDevices } from '../bank-queries.ts'
import { SmsFloor } from '../../sms-floor.tsx'

type Limit = 'perRequest' | 'perBuyerDay' | 'perDay' | 'unprovenMax'
type Typed = Partial<Record<Limit, string>> & Partial<Pick<BankRules, 'mode' | 'trusts'>>

const LIMITS = (): [Limit, string][] => [
  ['perRequest', t('Limit per request (₹)')],
  ['perBuyerDay', t('Limit per buyer per day (₹)')],
  ['perDay', t('Limit per day (₹)')],
  ['unprovenMax', t('Limit without a statement (₹)')],
]

/** What is approved automatically, and the worst that it can cost. */
export function RulesSection() {
  const rules = usePanel(bankRules)
  const form = useSettings({
    saved: rules.data,
    queryKey: bankRules.key,
    async send(typed: Typed) {
      // The store may have turned it off, or another admin may have lowered a limit
      const { unproven: _, today: __, offWhy: ___, ...now } = await client.bank.rules({})
      return client.bank.saveRules({ ...now, ...typed })
    },
    feature: 'bank',
    onSaved: () => toast(t('Rules saved')),
  })
  if (rules.error && !rules.data) return <CardError error={rules.error} onRetry={rules.refetch} />
  const { data } = rules
  if (!data) return null
  const { offWhy } = data
  const wanted = { ...data, ...form.texts }
  return (
    <Panel title={t('Automatic approval')} description={t('Choose what the store may approve without you.')}>
      <SettingsForm
        form={form}
        error={formErrorOf(
          form.save.error,
          LIMITS().map(([name]) => name),
        )}
        call={calls.bank.saveRules}
        label={t('Save rules')}
        className="gap-4"
      >
        {offWhy && <p className="text-sm text-bad">{t('It turned itself off. {why}.', { why: t(offWhy) })}</p>}
        <Fields wanted={wanted} refused={form.faults} onChange={form.change} />
        <WorstCase rules={data} wanted={wanted} />
      </SettingsForm>
    </Panel>
  )
}

type Wanted = Pick<BankRules, 'mode' | 'trusts'> & Record<Limit, string | number>
interface FieldsProps {
  wanted: Wanted
  refused: Readonly<Record<string, string | undefined>>
  onChange: (part: Typed) => void
}

function Fields({ wanted, refused, onChange }: FieldsProps) {
  const floor = Math.max(0, ...(useDevices().data?.map(({ smsAbove = 0 }) => smsAbove) ?? []))
  return (
    <>
      <Field label={t('Approve')}>
        <Select value={wanted.mode} onChange={({ target }) => onChange({ mode: target.value as BankRules['mode'] })}>
          <option value="propose">{t('Nothing')}</option>
          <option value="auto-known">{t('Buyers with a confirmed payment')}</option>
          <option value="auto">{t('All buyers')}</option>
        </Select>
      </Field>
      <Switch
        label={t('Trust alerts before a statement')}
        hint={t('Alerts can be faked, so there is a limit.')}
        checked={wanted.trusts === 'phone'}
        onChange={(on) => onChange({ trusts: on ? 'phone' : 'statement' })}
      />
      {wanted.trusts === 'phone' && <SmsFloor above={floor} />}
      <div className="grid items-start gap-3 sm:grid-cols-2">
        {LIMITS().map(([name, label]) => (
          <Field key={name} label={label} error={refused[name]}>
            <Input
              inputMode="decimal"
              value={String(wanted[name])}
              onChange={({ target }) => onChange({ [name]: target.value })}
            />
          </Field>
        ))}
      </div>
    </>
  )
}

function WorstCase({ rules, wanted }: { rules: BankRules; wanted: Wanted }) {
  const most = toRupees(parseRupees(wanted.unprovenMax) ?? parseRupees(rules.unprovenMax) ?? ZERO)
  return (
    <p className="rounded-control bg-sunken px-3 py-3 text-sm text-fg-2">
      {wanted.mode === 'propose'
        ? t('Worst case: none. Nothing is approved without you.')
        : wanted.trusts === 'phone'
          ? t('Worst case: fake alerts. You can lose up to {amount} before a statement shows it.', {
              amount: formatRupees(most),
            })
          : t(
              'Worst case: someone submits another buyer’s payment first. You can take back only what isn’t spent yet.',
            )}{' '}
      {t('Approved automatically today: {today}. Not in a statement yet: {unproven}.', {
        today: formatRupees(rules.today),
        unproven: formatRupees(rules.unproven),
      })}
    </p>
  )
}
