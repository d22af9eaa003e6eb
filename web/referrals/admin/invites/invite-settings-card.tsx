import { INVITE_DAYS_MAX, INVITE_DAYS_MIN } from '../../../../contract/limits.ts'
import { inviteSettings } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { CardError, failure, SettingsForm, useSettings } from '../../../ui/admin/forms/settings-form.tsx'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { rewardFault, shareOf } from './reward-fault.ts'

interface Typed {
  isOn?: boolean
  reward?: string
  friendGets?: string
  minimum?: string
  days?: string
  monthMax?: string
  budget?: string
}

/** What the store gives for friends, and how much of it. */
export function InviteSettingsCard() {
  const saved = usePanel(inviteSettings)
  const form = useSettings({
    saved: saved.data,
    queryKey: inviteSettings.key,
    send: (typed: Typed) => client.referrals.saveInviteSettings(typed),
    feature: 'referrals',
    onSaved: () => toast(t('Settings saved')),
  })
  const { save, texts, faults, change, field } = form
  if (saved.error && !saved.data) return <CardError error={saved.error} onRetry={saved.refetch} />
  const terms = { reward: texts.reward, friendGets: texts.friendGets, minimum: texts.minimum }
  const share = shareOf(terms)
  const amounts = [
    ['reward', t('Inviter gets (₹)'), undefined],
    ['friendGets', t('Friend gets (₹)'), undefined],
    ['minimum', t('First payment from (₹)'), undefined],
    ['days', t('Credit lasts (days)'), t('{min} to {max} days', { min: INVITE_DAYS_MIN, max: INVITE_DAYS_MAX })],
    ['monthMax', t('One inviter a month (₹)'), t('Above it only the friend gets a reward.')],
    ['budget', t('All in a month (₹)'), t('Above it rewards wait for the next month.')],
  ] as const
  return (
    <Panel title={t('Rewards for friends')} description={t('Buyers bring friends, and both get credit for it.')}>
      <SettingsForm
        form={form}
        error={rewardFault(terms) ?? failure(t('Failed to save settings.'), save.error)}
        call={calls.referrals.saveInviteSettings}
        label={t('Save')}
        className="items-start gap-3 sm:grid-cols-2 lg:grid-cols-3"
      >
        <Switch
          label={t('Buyers can invite friends')}
          hint={t('Rewards come only for payments that a statement shows.')}
          checked={texts.isOn ?? false}
          disabled={!saved.data}
          denied={denied(calls.referrals.saveInviteSettings)}
          onChange={(isOn) => change({ isOn })}
          className="col-span-full"
        />
        {amounts.map(([name, label, hint]) => (
          <Field key={name} label={label} hint={hint} error={faults[name]}>
            <Input inputMode={name === 'days' ? 'numeric' : 'decimal'} {...field(name)} />
          </Field>
        ))}
        <p aria-live="polite" className="col-span-full rounded-control bg-sunken px-3 py-3 text-sm text-fg-2">
          {share
            ? t('At most {amount} for each {minimum} that a new buyer really paid.', {
                amount: formatRupees(share.both),
                minimum: formatRupees(share.minimum),
              })
            : t('Enter all amounts.')}
        </p>
      </SettingsForm>
    </Panel>
  )
}
