import * as z from 'zod/mini'
import { supply, SupplyLinkForm, type SupplyLink } from '../../../contract/supply.ts'
import { changesOf } from '../../platform/admin/changes-of.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { useCall, useChange } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Select } from '../../ui/admin/forms/select.tsx'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { faultText } from './supplier-columns.tsx'

interface SupplierDialogProps extends DialogProps {
  link?: SupplyLink
}

/** An empty token stays as it is. */
const Change = z.extend(SupplyLinkForm, { secret: z.union([z.literal(''), SupplyLinkForm.shape.secret]) })

/** Connects a supplier, or changes it. */
export function SupplierDialog({ link, ...dialog }: SupplierDialogProps) {
  const start = {
    name: link?.name ?? '',
    address: link?.address ?? 'https://',
    secret: '',
    dayMax: String(link?.dayMax ?? ''),
    low: String(link?.low ?? ''),
    runsFrom: link?.runsFrom ?? 'use',
  }
  const form = useForm({
    dialog,
    start,
    input: link ? Change : supply.addLink.input,
    save: useChange('supply', (draft: typeof start) =>
      link ? client.supply.changeLink({ id: link._id, ...changesOf(draft, start) }) : client.supply.addLink(draft),
    ),
    send: (typed) => typed,
    onSaved: ({ name }) => toast(link ? t('{name} saved', { name }) : t('{name} connected', { name })),
  })
  const { draft } = form
  return (
    <EditDialog
      {...form.dialog}
      title={link ? t('Edit {name}', { name: link.name }) : t('Connect a supplier')}
      description={t('Another store that runs Chaabi, where you have an account and money in its wallet.')}
      submitLabel={link ? t('Save changes') : t('Connect', { context: 'supplier' })}
    >
      <TextField {...form.of('name')} label={t('Name')} maxLength={80} {...(!link && { 'data-autofocus': true })} />
      <TextField {...form.of('address')} label={t('Address')} inputMode="url" spellCheck={false} />
      <TextField
        {...form.of('secret')}
        label={t('Token')}
        optional={link !== undefined}
        hint={
          link
            ? t('Leave it empty to keep the present one.')
            : t('Your account there makes it, under Account > API. It may look up and buy.')
        }
        mono
        spellCheck={false}
      />
      <Check address={draft.address} secret={draft.secret} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          {...form.of('dayMax')}
          label={t('Spend at most a day (₹)')}
          hint={t('Nothing is ordered above it.')}
          inputMode="decimal"
        />
        <TextField
          {...form.of('low')}
          label={t('Tell me below (₹)')}
          optional
          hint={t('When so little is left in your wallet there.')}
          inputMode="decimal"
        />
      </div>
      <Field
        label={t('When does a key’s time start?')}
        hint={
          draft.runsFrom === 'sale'
            ? t('Nothing is kept in stock. Keys are bought for buyers who wait, and for renewals.')
            : t('Keys may wait in stock.')
        }
      >
        <Select
          value={draft.runsFrom}
          onChange={(event) => form.change({ runsFrom: event.target.value as SupplyLink['runsFrom'] })}
        >
          <option value="use">{t('On first use')}</option>
          <option value="sale">{t('When I buy it')}</option>
        </Select>
      </Field>
    </EditDialog>
  )
}

function Check({ address, secret }: { address: string; secret: string }) {
  const check = useCall('supply.check')
  const found = check.data?.found
  const why = check.data?.why
  return (
    <div className="grid gap-2">
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        disabled={secret === ''}
        pending={check.isPending}
        onClick={() => check.mutate({ address, secret })}
      >
        {t('Check')}
      </Button>
      <div aria-live="polite" className="text-sm text-fg-2">
        {found &&
          t(
            'Connected as {username} at {store}. Balance {balance}, ' +
              '{count, plural, one {# product} other {# products}}.',
            {
              username: found.username,
              store: found.store,
              balance: formatRupees(found.balance),
              count: found.products,
            },
          )}
        {found?.canBuy === false && <FormError>{t('This token may only look up. Make one that may buy.')}</FormError>}
        {why && <FormError>{faultText(why)}</FormError>}
        {check.isError && <FormError>{errorMessage(check.error)}</FormError>}
      </div>
    </div>
  )
}
