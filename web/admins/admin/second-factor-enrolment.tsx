import { useEffect, useMemo, useRef, useState } from 'react'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { refreshAdmin, type Admin } from '../../platform/session/session.ts'
import { qrCode } from '../../ui/pictures/qr-code.ts'
import { QrImage } from '../../ui/pictures/qr-image.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Copyable } from '../../ui/buttons/copyable.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { fieldErrorsOf } from '../../platform/admin/form-errors.ts'

interface ProvePasswordProps {
  admin: Admin
  onProven: (secret: { secret: string; uri: string }) => void
  onCancel?: () => void
}

export function ProvePassword({ admin, onProven, onCancel }: ProvePasswordProps) {
  const [password, setPassword] = useState('')
  const begin = useCall('admins.enrol', { onSuccess: onProven })
  const fault = fieldErrorsOf(begin.error)['password']
  return (
    <form
      noValidate
      aria-label={t('Set up your authenticator app')}
      className="grid max-w-100 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!begin.isPending && password) begin.mutate({ password })
      }}
    >
      <input type="text" name="username" autoComplete="username" value={admin.username} readOnly hidden />
      <Field label={t('Your password')} hint={t('To confirm it’s you')} error={fault}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => {
            setPassword(event.target.value)
            if (begin.isError) begin.reset()
          }}
        />
      </Field>
      <FormError>{begin.error && !fault ? errorMessage(begin.error) : undefined}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={begin.isPending} disabled={!password}>
          {t('Continue')}
        </Button>
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}

interface ScanProps {
  secret: string
  uri: string
  onConfirmed: (codes: readonly string[]) => void
  onCancel: () => void
}

const CODE_DIGITS = 6

export function Scan({ secret, uri, onConfirmed, onCancel }: ScanProps) {
  const [code, setCode] = useState('')
  const qr = useMemo(() => qrCode(uri), [uri])
  const proof = useCall('admins.confirm', {
    onSuccess({ recoveryCodes }) {
      onConfirmed(recoveryCodes)
      // Two-step verification is on now, even if the codes are not stored.
      void refreshAdmin()
    },
  })
  const fault = fieldErrorsOf(proof.error)['totp']
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (fault) field.current?.focus()
  }, [fault])
  return (
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-[auto_minmax(0,1fr)]">
      <QrImage qr={qr} label={t('QR code for your authenticator app')} sizePx={232} className="rounded-control" />
      <div className="grid content-start gap-4">
        <ol className="grid list-decimal gap-1.5 pl-5 text-sm text-fg-2">
          <li>{t('Open an authenticator app on your phone, such as Google Authenticator, Aegis or 2FAS.')}</li>
          <li>{t('Scan this QR code in the app, or enter this key:')}</li>
        </ol>
        <Copyable text={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} what={t('setup key')} />
        <form
          noValidate
          aria-label={t('Enter the code')}
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!proof.isPending && code.trim()) proof.mutate({ totp: code })
          }}
        >
          <Field label={t('Code')} hint={t('Enter the 6-digit code from the app.')} error={fault}>
            <Input
              mono
              ref={field}
              name="totp"
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={CODE_DIGITS + 1}
              value={code}
              onChange={(event) => {
                setCode(event.target.value)
                if (proof.isError) proof.reset()
              }}
            />
          </Field>
          <FormError>{proof.error && !fault ? errorMessage(proof.error) : undefined}</FormError>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" pending={proof.isPending} disabled={!code.trim()}>
              {t('Turn on')}
            </Button>
            <Button variant="ghost" onClick={onCancel}>
              {t('Cancel')}
            </Button>
          </div>
        </form>
      </div>
    </div>
  )
}
