import { useEffect, useRef, useState } from 'react'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { refreshAdmin, type Admin } from '../../platform/session/session.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { openDialog, type DialogProps } from '../../ui/overlays/open-dialog.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { admins } from '../../../contract/admins.ts'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { ProvePassword, Scan } from './second-factor-enrolment.tsx'

interface SecondFactorPanelProps {
  admin: Admin
  /** Called when two-step verification is on and the codes are stored. */
  onEnrolled: () => void
}

type Step =
  | { name: 'rest' }
  | { name: 'password' }
  | { name: 'scan'; secret: string; uri: string }
  | { name: 'codes'; codes: readonly string[]; isFirst: boolean }

/** Turns the admin's own two-step verification on and off, and renews the recovery codes. */
export function SecondFactorPanel({ admin, onEnrolled }: SecondFactorPanelProps) {
  const [step, setStep] = useState<Step>(admin.mustEnrol ? { name: 'password' } : { name: 'rest' })
  const isOn = admin.hasSecondFactor || step.name === 'codes'
  const panel = useRef<HTMLDivElement>(null)
  // The part that had the focus is gone, so the focus moves to the new part.
  const wasAt = useRef(step.name)
  useEffect(() => {
    if (wasAt.current === step.name) return
    wasAt.current = step.name
    const find = (selector: string) => panel.current?.querySelector<HTMLElement>(selector)
    ;(find('input:not([readonly])') ?? find('button'))?.focus()
  }, [step.name])

  const finish = async (isFirst: boolean, areStored: boolean) => {
    await refreshAdmin()
    setStep({ name: 'rest' })
    if (isFirst) toast(t('Two-step verification is on'))
    else if (areStored) toast(t('New recovery codes saved'))
    if (isFirst) onEnrolled()
  }
  return (
    <Panel
      title={t('Two-step verification')}
      description={t('Even if someone learns your password, they can’t log in without a code from your phone.')}
      actions={
        <Chip
          tone={isOn ? 'ok' : 'warn'}
          icon={isOn ? <ShieldCheck size={14} aria-hidden /> : <ShieldOff size={14} aria-hidden />}
        >
          {isOn ? t('On') : t('Off')}
        </Chip>
      }
    >
      <div ref={panel}>
        {isOn ? (
          <Enrolled admin={admin} onRenewed={(codes) => setStep({ name: 'codes', codes, isFirst: false })} />
        ) : step.name === 'rest' ? (
          <Button onClick={() => setStep({ name: 'password' })}>{t('Set up')}</Button>
        ) : step.name === 'password' ? (
          <ProvePassword
            admin={admin}
            onProven={(secret) => setStep({ name: 'scan', ...secret })}
            {...(!admin.mustEnrol && { onCancel: () => setStep({ name: 'rest' }) })}
          />
        ) : (
          <Scan
            {...step}
            onConfirmed={(codes) => setStep({ name: 'codes', codes, isFirst: true })}
            onCancel={() => setStep(admin.mustEnrol ? { name: 'password' } : { name: 'rest' })}
          />
        )}
        {step.name === 'codes' && (
          <RecoveryCodes
            username={admin.username}
            codes={step.codes}
            onClose={(areStored) => void finish(step.isFirst, areStored)}
          />
        )}
      </div>
    </Panel>
  )
}

function Enrolled({ admin, onRenewed }: { admin: Admin; onRenewed: (codes: readonly string[]) => void }) {
  const renewal = useCall('admins.renewRecoveryCodes', {
    onSuccess: ({ recoveryCodes }) => onRenewed(recoveryCodes),
    onError: toastError,
  })
  const askToRenew = async () => {
    const isSure = await confirm({
      title: t('Create new recovery codes?'),
      body: t('Your old codes will stop working.'),
      confirmLabel: t('Create new codes'),
    })
    if (isSure) renewal.mutate()
  }
  return (
    <>
      <p className="mb-4 text-sm text-fg-2">
        {t('You log in with a code from the app. If you lose your phone, use a recovery code.')}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" pending={renewal.isPending} onClick={() => void askToRenew()}>
          {t('New recovery codes')}
        </Button>
        <Button variant="ghost" onClick={() => openDialog(TurnOffDialog, { admin })}>
          {t('Turn off')}
        </Button>
      </div>
    </>
  )
}

function TurnOffDialog({ admin, ...dialog }: DialogProps & { admin: Admin }) {
  const form = useForm({
    dialog,
    start: { password: '', totp: '' },
    input: admins.disable.input,
    save: useCall('admins.disable'),
    send: (typed) => typed,
    sendsUnchanged: true,
    faults: ({ password }) => (password ? {} : { password: t('Enter your password') }),
    onSaved() {
      toast(t('Two-step verification is off'))
      void refreshAdmin()
    },
  })
  const password = form.of('password')
  return (
    <EditDialog
      {...form.dialog}
      title={t('Turn off two-step verification')}
      description={t('Anyone with your password will be able to open this panel.')}
      submitLabel={t('Turn off')}
      dirty={false}
    >
      <input type="text" name="username" autoComplete="username" value={admin.username} readOnly hidden />
      <Field label={t('Your password')} error={password.error}>
        <PasswordInput
          data-autofocus
          autoComplete="current-password"
          required
          value={password.value}
          onChange={({ target }) => password.onText(target.value)}
        />
      </Field>
      <TextField
        {...form.of('totp')}
        label={t('Code')}
        hint={t('6-digit code from your authenticator app, or a recovery code')}
        mono
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={40}
      />
    </EditDialog>
  )
}
