import { useState } from 'react'
import { Shuffle } from 'lucide-react'
import type { ReferralCode } from '../../../contract/referrals.ts'
import { fieldErrorsOf, formErrorOf } from '../../platform/admin/form-errors.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Input } from '../../ui/fields/input.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { draftOf, faultsOf, paysAfterTopUp, suggestCode, termsOf, type ReferralDraft } from './referral-form.ts'
import { useSaveReferral } from './use-referrals.ts'

/** Edits a code, or makes one. */
export function ReferralDialog({ referral, ...dialog }: DialogProps & { referral?: ReferralCode }) {
  const [saved] = useState(() => draftOf(referral))
  const [draft, setDraft] = useState(saved)
  const [isChecked, setChecked] = useState(false)
  const save = useSaveReferral()
  const faults = faultsOf(draft, referral?.usageCount)
  const refused = fieldErrorsOf(save.error)
  const errorOf = (field: keyof ReferralDraft) => refused[field] ?? (isChecked ? faults[field] : undefined)
  const change = (part: Partial<ReferralDraft>) => {
    setDraft({ ...draft, ...part })
    if (save.isError) save.reset()
  }
  const submit = () => {
    setChecked(true)
    if (Object.keys(faults).length > 0) return
    save.mutate(
      { referral, terms: termsOf(draft) },
      {
        onSuccess: ({ code }) => {
          toast(referral ? t('{code} saved', { code }) : t('{code} added', { code }))
          dialog.onClose()
        },
      },
    )
  }
  return (
    <EditDialog
      {...dialog}
      title={referral ? t('Edit {code}', { code: referral.code }) : t('New referral code')}
      submitLabel={referral ? t('Save changes') : t('Add code')}
      dirty={JSON.stringify(draft) !== JSON.stringify(saved)}
      pending={save.isPending}
      error={formErrorOf(save.error, Object.keys(draft))}
      onSubmit={submit}
    >
      <CodeField
        value={draft.code}
        error={errorOf('code')}
        onChange={(code) => change({ code })}
        {...(!referral && { 'data-autofocus': true })}
      />
      <Field
        label={t('Description')}
        hint={t('Helps you tell codes apart. Not shown at sign-up.')}
        error={errorOf('description')}
      >
        <Input
          name="description"
          required
          autoComplete="off"
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <Terms draft={draft} errorOf={errorOf} onChange={change} />
      <Switch
        label={t('Active')}
        hint={t('Buyers can sign up with this code')}
        checked={draft.isActive}
        onChange={(isActive) => change({ isActive })}
      />
    </EditDialog>
  )
}

interface CodeFieldProps {
  value: string
  error: string | undefined
  onChange: (code: string) => void
  'data-autofocus'?: boolean
}

/** The code, typed or made up. */
function CodeField({ value, error, onChange, ...rest }: CodeFieldProps) {
  return (
    <div className="flex items-start gap-2">
      <Field label={t('Code')} hint={t('Buyers enter this code to sign up')} error={error} className="min-w-0 flex-1">
        <Input
          mono
          name="code"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={32}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="uppercase"
          {...rest}
        />
      </Field>
      <IconButton
        variant="outline"
        label={t('Generate code')}
        icon={<Shuffle size={17} aria-hidden />}
        onClick={() => onChange(suggestCode())}
        className="mt-6.5 size-11"
      />
    </div>
  )
}

interface TermsProps {
  draft: ReferralDraft
  errorOf: (field: keyof ReferralDraft) => string | undefined
  onChange: (part: Partial<ReferralDraft>) => void
}

/** How often the code can be used, and what it gives. */
function Terms({ draft, errorOf, onChange }: TermsProps) {
  const input = (name: 'maxUsage' | 'rewardAmount' | 'dayMax', inputMode: 'numeric' | 'decimal') => (
    <Input
      name={name}
      inputMode={inputMode}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  )
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('Maximum uses')} optional hint={t('Leave empty for unlimited')} error={errorOf('maxUsage')}>
        {input('maxUsage', 'numeric')}
      </Field>
      <Field
        label={t('Sign-up reward (₹)')}
        hint={t('Credited to the new buyer. Enter 0 for no reward.')}
        error={errorOf('rewardAmount')}
      >
        {input('rewardAmount', 'decimal')}
      </Field>
      <Switch
        label={t('Reward with the first top-up')}
        hint={t('Credited when their first top-up is approved. Otherwise at sign-up. One mailbox gets one reward.')}
        checked={paysAfterTopUp(draft)}
        onChange={(chosen) => onChange({ paysAfterTopUp: chosen })}
        className="sm:col-span-2"
      />
      {!paysAfterTopUp(draft) && (
        <Field
          label={t('Most rewards in a day (₹)')}
          optional
          hint={t('Later sign-ups of the day get theirs with their first top-up.')}
          error={errorOf('dayMax')}
        >
          {input('dayMax', 'decimal')}
        </Field>
      )}
    </div>
  )
}
