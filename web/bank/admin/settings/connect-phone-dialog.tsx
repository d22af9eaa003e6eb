import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { errorMessage } from '../../../platform/calls/api-error.ts'
import { bankDevices } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { useNow } from '../../../platform/clock.ts'
import { t } from '../../../platform/i18n.ts'
import { qrCode } from '../../../ui/pictures/qr-code.ts'
import { QrImage } from '../../../ui/pictures/qr-image.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { discard } from '../../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { useBankAccounts, useDevices } from '../bank-queries.ts'

const QR_PX = 220

interface Invitation {
  url: string
  expiresAt: string
}

/** Three steps: which accounts, the code for the phone's camera, and green when the phone's first message comes. */
export function ConnectPhoneDialog({ open, onClose }: DialogProps) {
  const [invitation, setInvitation] = useState<Invitation>()
  const [name, setName] = useState('')
  return (
    <Dialog
      open={open}
      onClose={() => void discard(!invitation && name !== '', onClose)}
      sticky
      title={t('Connect a phone')}
      description={t('The phone must get your bank’s SMS and have an app that forwards them.')}
    >
      {invitation ? (
        <ScanStep invitation={invitation} onClose={onClose} onExpired={() => setInvitation(undefined)} />
      ) : (
        <ChooseStep name={name} onName={setName} onInvited={setInvitation} />
      )}
    </Dialog>
  )
}

interface ChooseStepProps {
  name: string
  onName: (name: string) => void
  onInvited: (invitation: Invitation) => void
}

function ChooseStep({ name, onName, onInvited }: ChooseStepProps) {
  const accounts = useBankAccounts()
  const hasHttps = usePanel(bankDevices).data?.hasHttps
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const accountIds = accounts.data?.map(({ _id }) => _id).filter((id) => !left.has(id)) ?? []
  const invite = useCall('bank.invite', { onSuccess: onInvited })
  if (hasHttps === false)
    return (
      <p className="text-sm">{t('A phone needs an https address. Ask the person who runs your server to set one.')}</p>
    )
  if (accounts.data?.length === 0) return <p className="text-sm">{t('Add a bank account first.')}</p>
  return (
    <form
      className="grid gap-4 pb-2"
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate({ name, accountIds })
      }}
    >
      <p className="text-sm font-semibold">{t('Step 1 of 3: name the phone')}</p>
      <Field label={t('Name')} hint={t('For example “Counter”')}>
        <Input
          required
          maxLength={60}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={({ target }) => onName(target.value)}
        />
      </Field>
      <fieldset>
        <legend className="text-sm font-medium">{t('This phone receives SMS for')}</legend>
        {accounts.data?.map(({ _id, label, bank, tail }) => (
          <Checkbox
            key={_id}
            label={`${label} · ${bank} ··${tail}`}
            checked={!left.has(_id)}
            onChange={({ target }) => {
              const next = new Set(left)
              if (target.checked) next.delete(_id)
              else next.add(_id)
              setLeft(next)
            }}
          />
        ))}
      </fieldset>
      <FormError>{invite.error ? errorMessage(invite.error) : undefined}</FormError>
      <Button type="submit" wide pending={invite.isPending} disabled={accountIds.length === 0}>
        {t('Show the code')}
      </Button>
    </form>
  )
}

interface ScanStepProps {
  invitation: Invitation
  onClose: () => void
  onExpired: () => void
}

function ScanStep({ invitation: { url, expiresAt }, onClose, onExpired }: ScanStepProps) {
  const now = useNow(1_000)
  const [before] = useState(() => new Date(Date.parse(expiresAt) - 10 * 60_000).toISOString())
  const device = useDevices(true).data?.find(({ createdAt }) => createdAt >= before)
  const left = Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 60_000))
  if (device)
    return (
      <div className="grid gap-3 pb-2">
        <p className="text-sm font-semibold">{t('Step 3 of 3: set up the app')}</p>
        <p role="status" className="flex items-start gap-2 text-ok">
          <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />
          {device.bankAt
            ? t('{name} works. Your bank’s messages reach the store.', { name: device.name })
            : t('{name} is connected.', { name: device.name })}
        </p>
        {!device.bankAt && (
          <p className="text-sm text-fg-2">
            {t('Follow the steps on the phone. Arrived so far: {parts}.', {
              parts:
                [device.reachedAt && t('a test of the app'), device.smsAt && t('your own SMS')]
                  .filter(Boolean)
                  .join(', ') || t('nothing yet'),
            })}
          </p>
        )}
        <Button wide onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    )
  return (
    <div className="grid justify-items-center gap-3 pb-2">
      <p className="justify-self-start text-sm font-semibold">
        {t('Step 2 of 3: scan this code with the phone’s camera')}
      </p>
      {left > 0 ? (
        <>
          <QrImage
            qr={qrCode(url)}
            label={t('QR code that opens the phone’s page')}
            sizePx={QR_PX}
            className="rounded-card"
          />
          <p className="text-sm text-fg-2">
            {t('The code works once, for {count, plural, one {# minute} other {# minutes}}.', { count: left })}
          </p>
        </>
      ) : (
        <>
          <p className="text-sm">{t('This code has expired.')}</p>
          <Button onClick={onExpired}>{t('Make a new code')}</Button>
        </>
      )}
    </div>
  )
}
