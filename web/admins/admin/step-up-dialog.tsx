import { useState } from 'react'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session/session.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { useStepUp } from './step-up.ts'

type Way = 'code' | 'password'

/** Asks for a password or a code when `step-up.ts` needs one. */
export function StepUpDialog() {
  const asked = useStepUp()
  const [turn, setTurn] = useState(0)
  const [before, setBefore] = useState(asked)
  if (asked !== before) {
    setBefore(asked)
    // Clears the text that was typed last time.
    if (asked) setTurn(turn + 1)
  }
  return <Proof key={turn} open={asked !== null} onAnswer={(isProven) => asked?.answer(isProven)} />
}

/** Holds the typed text and sends it. */
function useProof(way: Way, onAnswer: (isProven: boolean) => void) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const proof = useCall('admins.stepUp', {
    onSuccess: () => onAnswer(true),
    onError(error) {
      if (isAboutProof(error)) setFault(error.fields['password'] ?? error.message)
    },
  })
  const change = (next: string) => {
    setText(next)
    setFault(undefined)
    if (proof.isError) proof.reset()
  }
  const submit = () => {
    if (text.trim()) proof.mutate(way === 'code' ? { totp: text } : { password: text })
    else setFault(way === 'code' ? t('Enter the code') : t('Enter your password'))
  }
  return { text, fault, proof, change, submit }
}

function Proof({ open, onAnswer }: { open: boolean; onAnswer: (isProven: boolean) => void }) {
  const { admin } = useSession()
  const [way, setWay] = useState<Way>(admin?.hasSecondFactor ? 'code' : 'password')
  const { text, fault, proof, change, submit } = useProof(way, onAnswer)
  return (
    <EditDialog
      open={open}
      onClose={() => onAnswer(false)}
      title={t('Confirm it’s you')}
      description={t('This is a sensitive action. We won’t ask again for 10 minutes.')}
      submitLabel={t('Confirm')}
      error={proof.error && !isAboutProof(proof.error) ? errorMessage(proof.error) : undefined}
      pending={proof.isPending}
      onSubmit={submit}
    >
      {admin?.hasSecondFactor && (
        <Segmented
          label={t('Confirm with')}
          value={way}
          onChange={(next) => {
            setWay(next)
            change('')
          }}
          className="w-full"
          options={[
            { value: 'code', label: t('Code') },
            { value: 'password', label: t('Password') },
          ]}
        />
      )}
      {way === 'password' && (
        <input type="text" name="username" autoComplete="username" value={admin?.username ?? ''} readOnly hidden />
      )}
      <ProofField way={way} value={text} fault={fault} onChange={change} />
    </EditDialog>
  )
}

interface ProofFieldProps {
  way: Way
  value: string
  fault: string | undefined
  onChange: (text: string) => void
}

function ProofField({ way, value, fault, onChange }: ProofFieldProps) {
  if (way === 'code')
    return (
      <Field label={t('Code')} hint={t('6-digit code from your authenticator app, or a recovery code')} error={fault}>
        <Input
          mono
          data-autofocus
          name="totp"
          autoComplete="one-time-code"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    )
  return (
    <Field label={t('Your password')} error={fault}>
      <PasswordInput
        data-autofocus
        name="password"
        autoComplete="current-password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

function isAboutProof(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'WRONG_CODE' || error.code === 'WRONG_PASSWORD')
}
