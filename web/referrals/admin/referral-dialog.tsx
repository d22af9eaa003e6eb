import { Shuffle } from 'lucide-react'
import { referrals, type ReferralCode } from '../../../contract/referrals.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { draftOf, paysAfterTopUp, suggestCode, type ReferralDraft } from './referral-form.ts'
import { client } from '../../platform/calls/client.ts'
import { useChange } from '../../platform/calls/use-call.ts'

interface ReferralDialogProps extends DialogProps {
  referral?: ReferralCode
}

/** Edits a code, or makes one. */
export function ReferralDialog(props: ReferralDialogProps) {
  const { referral } = props
  const form = useReferralForm(props)
  return (
    <EditDialog
      {...form.dialog}
      title={referral ? t('Edit {code}', { code: referral.code }) : t('New referral code')}
      submitLabel={referral ? t('Save changes') : t('Add code')}
    >
      <div className="flex items-start gap-2">
        <TextField
          {...form.of('code')}
          label={t('Code')}
          hint={t('Buyers enter this code to sign up.')}
          fieldClass="min-w-0 flex-1"
          mono
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={32}
          className="uppercase"
          {...(!referral && { 'data-autofocus': true })}
        />
        <IconButton
          variant="outline"
          label={t('Generate code')}
          icon={<Shuffle size={17} aria-hidden />}
          onClick={() => form.change({ code: suggestCode() })}
          className="mt-6.5 size-11"
        />
      </div>
      <TextField
        {...form.of('description')}
        label={t('Description')}
        hint={t('It helps you tell codes apart. Sign-up doesn’t show it.')}
      />
      <Terms form={form} />
      <Switch
        label={t('Active')}
        hint={t('Buyers can sign up with this code.')}
        checked={form.draft.isActive}
        onChange={(isActive) => form.change({ isActive })}
      />
    </EditDialog>
  )
}

function useReferralForm({ referral, ...dialog }: ReferralDialogProps) {
  const usageCount = referral?.usageCount ?? 0
  const save = ({ typed, changed }: Record<'typed', ReferralDraft> & Record<'changed', Partial<ReferralDraft>>) =>
    referral
      ? client.referrals.update({ id: referral._id, ...changed })
      : client.referrals.create({ ...typed, paysAfterTopUp: paysAfterTopUp(typed) })
  return useForm({
    dialog,
    start: draftOf(referral),
    input: referrals.create.input,
    save: useChange('referrals', save),
    send: (typed, changed) => ({ typed, changed }),
    faults: ({ maxUsage }) =>
      maxUsage.trim() !== '' && Number(maxUsage) >= 1 && Number(maxUsage) < usageCount
        ? {
            maxUsage: t(
              'Already used {count, plural, one {# time} other {# times}}. Maximum uses can’t be lower than this.',
              { count: usageCount },
            ),
          }
        : {},
    onSaved: ({ code }) => toast(referral ? t('{code} saved', { code }) : t('{code} added', { code })),
  })
}

/** How often the code can be used, and what it gives. */
function Terms({ form }: { form: ReturnType<typeof useReferralForm> }) {
  const isAfterTopUp = paysAfterTopUp(form.draft)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        {...form.of('maxUsage')}
        label={t('Maximum uses')}
        optional
        hint={t('Leave empty for unlimited.')}
        inputMode="numeric"
      />
      <TextField
        {...form.of('rewardAmount')}
        label={t('Sign-up reward (₹)')}
        hint={t('The new buyer gets it. Enter 0 for no reward.')}
        inputMode="decimal"
      />
      <Switch
        label={t('Reward with the first top-up')}
        hint={t('We credit it when their first top-up is approved, otherwise at sign-up. One mailbox gets one reward.')}
        checked={isAfterTopUp}
        onChange={(chosen) => form.change({ paysAfterTopUp: chosen })}
        className="sm:col-span-2"
      />
      {!isAfterTopUp && (
        <TextField
          {...form.of('dayMax')}
          label={t('Most rewards in a day (₹)')}
          optional
          hint={t('Later sign-ups of the day get theirs with their first top-up.')}
          inputMode="decimal"
        />
      )}
    </div>
  )
}
