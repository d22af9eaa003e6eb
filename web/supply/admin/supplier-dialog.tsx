import { useState, type ComponentProps } from 'react'
import * as z from 'zod/mini'
import { supply, SupplyApiForm, SupplyLinkForm, type SupplyLink } from '../../../contract/supply.ts'
import { changesOf } from '../../platform/admin/changes-of.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { useFace } from '../../platform/calls/site.ts'
import { useCall, useChange } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Select } from '../../ui/admin/forms/select.tsx'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { openDialog, type DialogProps } from '../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { ApiFields, NO_TEMPLATE } from './api-fields.tsx'
import { demoText, faultText } from './supplier-columns.tsx'

const SourceDialog = lazyPart(() => import('./source-dialog.tsx').then((file) => file.SourceDialog))

type Kind = SupplyLink['kind']

interface SupplierDialogProps extends DialogProps {
  link?: SupplyLink
}

/** What a new supplier may cost on a day until somebody says otherwise. In rupees. */
const DAY_MAX = 1_000

/** An empty token stays as it is. */
const Change = z.extend(SupplyLinkForm, { secret: z.union([z.literal(''), SupplyLinkForm.shape.secret]) })
const ApiChange = z.extend(SupplyApiForm, { secret: z.union([z.literal(''), SupplyApiForm.shape.secret]) })

function useSupplierForm({ link, kind, dialog }: { link: SupplyLink | undefined; kind: Kind; dialog: DialogProps }) {
  const isApi = kind === 'http'
  const start = {
    name: link?.name ?? '',
    address: link?.address ?? '',
    secret: '',
    dayMax: String(link?.dayMax ?? DAY_MAX),
    low: String(link?.low ?? ''),
    runsFrom: link?.runsFrom ?? 'use',
    ...(link?.template ?? NO_TEMPLATE),
  }
  return useForm({
    dialog,
    start,
    input: isApi ? (link ? ApiChange : supply.addApi.input) : link ? Change : supply.addLink.input,
    save: useChange('supply', (typed: typeof start) => {
      const draft = { ...typed, address: addressOf(typed.address) }
      if (!link) return isApi ? client.supply.addApi(draft) : client.supply.addLink(draft)
      const changed = { id: link._id, ...changesOf(draft, start) }
      return isApi ? client.supply.changeApi(changed) : client.supply.changeLink(changed)
    }),
    send: (typed) => typed,
    onSaved: ({ _id: linkId, name }) => {
      toast(link ? t('{name} saved', { name }) : t('{name} connected', { name }))
      if (!link) openDialog(SourceDialog, { linkId })
    },
  })
}

/** What was typed as people say it, "keys.example", as an address. */
const addressOf = (typed: string): string => (/^$|^https?:/.test(typed.trim()) ? typed : `https://${typed.trim()}`)
/** What a store is called until somebody names it. */
const hostOf = (typed: string): string => /^(?:https?:\/\/)?([^\s/:?#@]+)/.exec(typed.trim())?.[1] ?? ''

/** Connects a supplier, or changes it. */
export function SupplierDialog({ link, ...dialog }: SupplierDialogProps) {
  const [kind, setKind] = useState<Kind>(link?.kind ?? 'chaabi')
  const form = useSupplierForm({ link, kind, dialog })
  const { draft } = form
  const isApi = kind === 'http'
  return (
    <EditDialog
      {...form.dialog}
      title={link ? t('Edit {name}', { name: link.name }) : t('Connect a supplier')}
      description={
        isApi
          ? t('A store with an API of its own. Say once what it is sent, and where its answer has the key.')
          : t('Another store that runs Chaabi, where you have an account and money in its wallet.')
      }
      submitLabel={link ? t('Save changes') : t('Connect', { context: 'supplier' })}
    >
      {!link && (
        <Segmented
          label={t('Kind of supplier')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'chaabi', label: t('Another Chaabi') },
            { value: 'http', label: t('Other API') },
          ]}
        />
      )}
      {!isApi && (
        <TextField
          {...form.of('address')}
          label={t('Address')}
          placeholder="https://"
          onText={(address) =>
            form.change({ address, ...(draft.name === hostOf(draft.address) && { name: hostOf(address) }) })
          }
          inputMode="url"
          spellCheck={false}
          {...(!link && { 'data-autofocus': true })}
        />
      )}
      <TextField {...form.of('name')} label={t('Name')} maxLength={80} />
      <TextField
        {...form.of('secret')}
        label={isApi ? t('Secret') : t('Token')}
        optional={link !== undefined}
        hint={
          link
            ? t('Leave it empty to keep the present one.')
            : isApi
              ? t('Their API key or token. Use {secret} where it belongs.')
              : t('Your account there makes it, under Account > API. It may look up and buy.')
        }
        mono
        spellCheck={false}
      />
      {isApi ? <ApiFields {...form} /> : <Check address={addressOf(draft.address)} secret={draft.secret} />}
      <Limits of={form.of} isApi={isApi} />
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

interface LimitsProps {
  of: (name: 'dayMax' | 'low') => Pick<ComponentProps<typeof TextField>, 'error' | 'onText'> & { value: string }
  isApi: boolean
}

function Limits({ of, isApi }: LimitsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        {...of('dayMax')}
        label={t('Spend at most a day (₹)')}
        hint={t('Nothing is ordered above it.')}
        inputMode="decimal"
      />
      {!isApi && (
        <TextField
          {...of('low')}
          label={t('Tell me below (₹)')}
          optional
          hint={t('When so little is left in your wallet there.')}
          inputMode="decimal"
        />
      )}
    </div>
  )
}

function Check({ address, secret }: { address: string; secret: string }) {
  const check = useCall('supply.check')
  const { demo } = useFace()
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
        {why && <FormError>{demo ? demoText() : faultText(why)}</FormError>}
        {check.isError && <FormError>{errorMessage(check.error)}</FormError>}
      </div>
    </div>
  )
}
