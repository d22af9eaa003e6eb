import { useState } from 'react'
import * as z from 'zod/mini'
import { TOKEN_DAYS, TOKEN_NAME_LENGTH_MAX } from '../../../contract/limits.ts'
import { TokenForm } from '../../../contract/tokens.ts'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyTextButton } from '../../ui/buttons/copy-text-button.tsx'
import { Copyable } from '../../ui/buttons/copyable.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Textarea } from '../../ui/fields/textarea.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'

const EMPTY = { name: '', can: 'buy' as 'look' | 'buy', days: '365', addresses: '', password: '' }
type Draft = typeof EMPTY
type Faults = Partial<Record<keyof Draft, string>>

/** Holds the form and sends it, with the faults of its fields. */
function useTokenForm() {
  const [start] = useState({ ...EMPTY, name: t('My store') })
  const [draft, setDraft] = useState(start)
  const [faults, setFaults] = useState<Faults>({})
  const make = useCall('sessions.makeToken', {
    onError: (error) => setFaults(faultsOf(error)),
  })
  const edit = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => !(name in part))))
    if (make.isError) make.reset()
  }
  const submit = () => {
    const { can, days, addresses, ...rest } = draft
    const lines = addresses.split(/[\s,]+/).filter((line) => line !== '')
    const read = z.safeParse(TokenForm, { ...rest, canBuy: can === 'buy', days: Number(days), addresses: lines })
    if (read.success) {
      make.mutate(read.data)
      return
    }
    const found: Faults = {}
    for (const { path, message } of read.error.issues) found[path[0] as keyof Draft] ??= t(message)
    setFaults(found)
  }
  const isDirty = draft.name !== start.name || draft.addresses.trim() !== ''
  return { draft, isDirty, faults, make, edit, submit }
}

/** Asks what a token may do, and shows it once. */
export function TokenDialog({ username, ...dialog }: DialogProps & { username: string }) {
  const { draft, isDirty, faults, make, edit, submit } = useTokenForm()
  if (make.data) return <MadeToken {...dialog} {...make.data} />
  return (
    <EditDialog
      {...dialog}
      title={t('New token')}
      submitLabel={t('Make token')}
      dirty={isDirty}
      pending={make.isPending}
      error={make.error && Object.keys(faultsOf(make.error)).length === 0 && errorMessage(make.error)}
      onSubmit={submit}
    >
      <Field label={t('Name')} hint={t('So that you know it again')} error={faults.name}>
        <Input
          name="name"
          maxLength={TOKEN_NAME_LENGTH_MAX}
          value={draft.name}
          onChange={(event) => edit({ name: event.target.value })}
        />
      </Field>
      <Segmented
        label={t('What it may do')}
        value={draft.can}
        onChange={(can) => edit({ can })}
        className="w-full"
        options={[
          { value: 'buy', label: t('Look up and buy') },
          { value: 'look', label: t('Look up only') },
        ]}
      />
      <div className="grid gap-1.5">
        <p className="text-sm font-medium text-fg-2">{t('Ends after')}</p>
        <Segmented
          label={t('Ends after')}
          value={draft.days}
          onChange={(days) => edit({ days })}
          className="w-full"
          options={TOKEN_DAYS.map((count) => ({
            value: String(count),
            label: t('{count, plural, one {# day} other {# days}}', { count }),
          }))}
        />
      </div>
      <Field
        label={t('Only from these addresses')}
        optional
        hint={t('IP addresses of your server, one a line, up to 5')}
        error={faults.addresses}
      >
        <Textarea
          mono
          rows={2}
          name="addresses"
          spellCheck={false}
          autoCapitalize="off"
          value={draft.addresses}
          onChange={(event) => edit({ addresses: event.target.value })}
        />
      </Field>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label={t('Your password')} error={faults.password}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          required
          data-autofocus
          value={draft.password}
          onChange={(event) => edit({ password: event.target.value })}
        />
      </Field>
      <p className="rounded-control border border-warn/30 bg-warn/8 p-3.5 text-sm text-fg-2">
        {draft.can === 'buy'
          ? t('Anyone who has this token can spend your whole wallet. A new password ends all tokens.')
          : t('Anyone who has this token can see your balance and your keys. A new password ends all tokens.')}
      </p>
    </EditDialog>
  )
}

/** The token, for the only time. */
function MadeToken({ token, ...dialog }: DialogProps & { token: string }) {
  const example = `curl ${location.origin}/api/tokens/own -H "Authorization: Bearer ${token}"`
  return (
    <Dialog
      {...dialog}
      sticky
      title={t('Your new token')}
      description={t('Copy it now. We show it once.')}
      footer={
        <>
          <Button variant="ghost" onClick={dialog.onClose}>
            {t('Done')}
          </Button>
          <CopyTextButton variant="primary" text={token} what={t('token')} />
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4 pb-1" role="status">
        <code
          translate="no"
          className="rounded-control border border-line-2 bg-sunken p-3 font-mono text-sm wrap-anywhere select-all"
        >
          {token}
        </code>
        <div className="grid grid-cols-1 gap-1.5">
          <p className="text-sm font-medium text-fg-2">{t('Try it')}</p>
          <Copyable text={example} what={t('command')} />
        </div>
      </div>
    </Dialog>
  )
}

/** Maps the server's refusals to their fields. */
function faultsOf(error: unknown): Faults {
  if (!(error instanceof ApiError)) return {}
  return error.code === 'WRONG_PASSWORD' ? { password: error.message, ...error.fields } : error.fields
}
