import { Smartphone } from 'lucide-react'
import type { BankDevice } from '../../../../contract/bank-phones.ts'
import { MINUTE_MS } from '../../../../contract/time.ts'
import { agoText } from '../../../platform/ago.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { useNow } from '../../../platform/clock.ts'
import { t } from '../../../platform/i18n.ts'
import { toastError } from '../../../platform/navigation/toast.ts'
import { CardError } from '../../../ui/admin/forms/settings-form.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { confirm } from '../../../ui/overlays/confirm.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { RefusedSenders } from './add-sender.tsx'
import { ConnectPhoneDialog } from './connect-phone-dialog.tsx'
import { HeardToday } from './heard-today.tsx'
import { useCall } from '../../../platform/calls/use-call.ts'
import { useDevices } from '../bank-queries.ts'
import { isSilent } from '../silent-phones.ts'
import { SmsFloor } from '../../sms-floor.tsx'

/** Phones that forward their bank's alerts, each with its last word. */
export function PhonesSection() {
  const devices = useDevices()
  if (devices.error && !devices.data) return <CardError error={devices.error} onRetry={devices.refetch} />
  return (
    <Panel
      title={t('Phones')}
      description={t(
        'A phone that gets your bank’s SMS can forward them. When one arrives, we compare it with the requests.',
      )}
    >
      <ul className="divide-y divide-line">
        {devices.data?.map((device) => (
          <PhoneRow key={device._id} device={device} />
        ))}
      </ul>
      {devices.data?.length === 0 && <p className="text-sm text-fg-2">{t('No phone connected yet.')}</p>}
      <Button
        className="mt-3"
        icon={<Smartphone size={17} aria-hidden />}
        denied={denied(calls.bank.invite)}
        onClick={() => openDialog(ConnectPhoneDialog, {})}
      >
        {t('Connect a phone')}
      </Button>
    </Panel>
  )
}

function PhoneRow({ device }: { device: BankDevice }) {
  const update = useCall('bank.updateDevice')
  const doing = update.isPending ? update.variables : undefined
  const { _id: id, name, pausedAt } = device
  const change = (input: { paused?: boolean; ended?: true }) => update.mutate({ id, ...input }, { onError: toastError })
  const disconnect = async () => {
    const isSure = await confirm({
      title: t('Disconnect {name}?', { name }),
      body: t('The store will ignore its messages. To use the phone again, connect it again.'),
      confirmLabel: t('Disconnect'),
      danger: true,
    })
    if (isSure) change({ ended: true })
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name}
          <PhoneState device={device} />
        </p>
        <p className="text-xs wrap-anywhere text-fg-3">
          {device.accounts.map(({ label }) => label).join(', ')}
          {device.pausedWhy !== null && ` · ${t(device.pausedWhy)}`}
        </p>
        <SmsFloor above={device.smsAbove} />
        <RefusedSenders device={device} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="secondary"
          pending={doing?.paused !== undefined}
          disabled={doing?.ended === true}
          denied={denied(calls.bank.updateDevice)}
          aria-label={pausedAt ? t('Resume {name}', { name }) : t('Pause {name}', { name })}
          onClick={() => change({ paused: pausedAt === null })}
        >
          {pausedAt ? t('Resume') : t('Pause')}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          pending={doing?.ended === true}
          disabled={doing?.paused !== undefined}
          denied={denied(calls.bank.updateDevice)}
          aria-label={t('Disconnect {name}', { name })}
          onClick={() => void disconnect()}
        >
          {t('Disconnect')}
        </Button>
      </div>
      <HeardToday id={id} name={name} />
    </li>
  )
}

function PhoneState({ device }: { device: BankDevice }) {
  const { pausedAt, lastSeenAt, bankAt } = device
  const now = useNow(MINUTE_MS)
  if (pausedAt) return <Chip tone="bad">{t('Paused')}</Chip>
  if (lastSeenAt === null) return <Chip tone="outline">{t('Nothing received yet')}</Chip>
  if (bankAt === null) return <Chip tone="outline">{t('Nothing of your bank yet')}</Chip>
  return (
    <Chip tone={isSilent(device, now) ? 'warn' : 'ok'}>
      {t('Last message {ago}', { ago: agoText(lastSeenAt, now) })}
    </Chip>
  )
}
