import { codes } from '../../../contract/codes.ts'
import { dayAfter, dayOf } from '../../../contract/india.ts'
import { CODE_DAYS_MAX } from '../../../contract/limits.ts'
import { formatPaise, times } from '../../../contract/money.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { serverNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { Select } from '../../ui/admin/forms/select.tsx'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { openDialog, type DialogProps } from '../../ui/overlays/open-dialog.ts'
import { MadeCodes } from './made-codes.tsx'

const USUAL_DAYS = 90

/** Makes a batch, and shows its codes this once. */
export function MakeCodesDialog(dialog: DialogProps) {
  const today = dayOf(serverNow())
  const form = useForm({
    dialog,
    start: {
      name: '',
      count: '',
      amount: '',
      codeUntil: dayAfter(today, USUAL_DAYS),
      creditDays: '60',
      sold: false,
    },
    input: codes.makeCodes.input,
    save: useCall('wallet.makeCodes'),
    send: (typed) => typed,
    faults: ({ codeUntil }) => ({
      ...((codeUntil < today || codeUntil > dayAfter(today, CODE_DAYS_MAX)) && {
        codeUntil: t('Choose a day within 2 years'),
      }),
    }),
    onSaved: (made) => openDialog(MadeCodes, made),
  })
  const { draft, read } = form
  return (
    <EditDialog {...form.dialog} title={t('Make codes')} submitLabel={t('Make codes')}>
      <TextField
        {...form.of('name')}
        label={t('Name')}
        hint={t('Buyers read it in their wallet history: “Code: Diwali”.')}
        maxLength={60}
        data-autofocus
      />
      <div className="grid grid-cols-2 items-start gap-4 large-text:grid-cols-1">
        <TextField {...form.of('count')} label={t('How many')} inputMode="numeric" maxLength={5} />
        <TextField {...form.of('amount')} label={t('Each adds (₹)')} inputMode="decimal" maxLength={9} />
      </div>
      <Field
        label={t('What are they for?')}
        hint={
          draft.sold
            ? t('An account can use any number. In the books it is credit given by an admin.')
            : t('An account can use one of them. In the books it is a bonus.')
        }
      >
        <Select
          value={draft.sold ? 'sold' : 'gift'}
          onChange={(event) => form.change({ sold: event.target.value === 'sold' })}
        >
          <option value="gift">{t('I give them away')}</option>
          <option value="sold">{t('I sell them for money')}</option>
        </Select>
      </Field>
      <div className="grid grid-cols-2 items-start gap-4 large-text:grid-cols-1">
        <TextField {...form.of('codeUntil')} label={t('Valid till')} type="date" min={today} />
        <TextField
          {...form.of('creditDays')}
          label={t('Days to spend it')}
          hint={t('From when it is redeemed.')}
          inputMode="numeric"
          maxLength={3}
        />
      </div>
      <p aria-live="polite" className="min-h-11 rounded-control bg-sunken px-3 py-3 text-sm text-fg-2">
        {read
          ? t('{count, plural, one {# code} other {{codes} codes}} for {amount} of credit in all.', {
              count: read.count,
              codes: formatCount(read.count),
              amount: formatPaise(times(read.amount, read.count)),
            })
          : t('Credit of this store only. It is never paid out as money.')}
      </p>
    </EditDialog>
  )
}
