import * as z from 'zod/mini'
import { invites } from '../../../../contract/invites.ts'
import { inviteSettings } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { TextField, useForm } from '../../../ui/admin/forms/use-form.tsx'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import type { InviterRow } from './inviter-columns.tsx'
import { rewardFault } from './reward-fault.ts'

interface Draft {
  /** Empty for the store's. */
  reward: string
  monthMax: string
}

const orStores = (typed: string) => (typed.trim() === '' ? null : typed)
const Terms = z.omit(invites.setInviteTerms.input, { userId: true })
/** Checks a draft as the server will. */
const input = z.pipe(
  z.transform(({ reward, monthMax }: Draft): z.input<typeof Terms> => ({
    reward: orStores(reward),
    monthMax: orStores(monthMax),
  })),
  Terms,
)

/** What a buyer gets who brings more than others. */
export function OwnRateDialog({ inviter, ...dialog }: DialogProps & { inviter: InviterRow }) {
  const { userId, username: name } = inviter
  const store = usePanel(inviteSettings).data
  const form = useForm({
    dialog,
    start: { reward: String(inviter.reward ?? ''), monthMax: String(inviter.monthMax ?? '') },
    input,
    save: useCall('referrals.setInviteTerms'),
    send: (_, { reward, monthMax }: Partial<Draft>) => ({
      userId,
      ...(reward !== undefined && { reward: orStores(reward) }),
      ...(monthMax !== undefined && { monthMax: orStores(monthMax) }),
    }),
    faults: ({ reward }) => ({ reward: store && rewardFault({ ...store, reward: orStores(reward) ?? store.reward }) }),
    onSaved: () => toast(t('{name} saved', { name })),
  })
  return (
    <EditDialog {...form.dialog} title={t('Own rate of {name}', { name })} submitLabel={t('Save changes')}>
      <TextField
        {...form.of('reward')}
        label={t('For each friend (₹)')}
        hint={t('It counts for friends who join from now on. Leave empty for the usual {amount}.', {
          amount: store ? formatRupees(store.reward) : '…',
        })}
        optional
        inputMode="decimal"
        data-autofocus
      />
      <TextField
        {...form.of('monthMax')}
        label={t('At most in a month (₹)')}
        hint={t('Leave empty for the usual {amount}.', { amount: store ? formatRupees(store.monthMax) : '…' })}
        optional
        inputMode="decimal"
      />
    </EditDialog>
  )
}
