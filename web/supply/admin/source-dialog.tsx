import { useState, type ComponentProps } from 'react'
import * as z from 'zod/mini'
import { adminProducts, askFor, supplyLinks, supplySources } from '../../../contract/panel-pages.ts'
import { SupplySkuForm, SupplySourceForm, type SupplySource, type TheirPrice } from '../../../contract/supply.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { client } from '../../platform/calls/client.ts'
import { useChange } from '../../platform/calls/use-call.ts'
import { t, variantText } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Select } from '../../ui/admin/forms/select.tsx'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { marginText } from './margin-text.ts'
import { withoutListText } from './supplier-columns.tsx'

/** The supplier is the first one, until another is chosen. */
const Form = z.omit(SupplySourceForm, { linkId: true })
const SkuForm = z.omit(SupplySkuForm, { linkId: true })

/** One text for a product and a duration of theirs. */
const nameOfTheirs = ({ product, duration }: Pick<TheirPrice, 'product' | 'duration'>) => `${product} ${duration}`

/** Says where a duration is bought. */
export function SourceDialog({ source, ...dialog }: DialogProps & { source?: SupplySource }) {
  const links = usePanel(supplyLinks, { select: (found) => found.links })
  const [chosenLink, setLink] = useState(source?.linkId)
  const linkId = chosenLink ?? links.data?.[0]?._id ?? ''
  const isApi = links.data?.find(({ _id }) => _id === linkId)?.kind === 'http'
  const theirs = usePanel(askFor('supply', 'theirs', { id: linkId }), {
    enabled: linkId !== '' && !isApi,
    select: (found) => found.products,
  })
  const form = useSourceForm({ source, dialog, linkId, isApi })
  const { draft, change, faults } = form
  const own = useOwnDurations(source)
  const price = own.find(({ priceId }) => priceId === draft.priceId)?.price
  const chosen = theirs.data?.find(
    (each) => each.product === draft.theirProduct && each.duration === draft.theirDuration,
  )
  return (
    <EditDialog
      {...form.dialog}
      title={source ? t('Edit {name}', { name: variantText(source.productName, source.duration) }) : t('Add a product')}
      submitLabel={source ? t('Save changes') : t('Add')}
    >
      {!source && (
        <OwnProduct
          own={own}
          priceId={draft.priceId}
          fault={faults['priceId']}
          onChange={(priceId) => change({ priceId })}
        />
      )}
      <Field label={t('Supplier')}>
        <Select
          value={linkId}
          onChange={(event) => {
            setLink(event.target.value)
            change({ theirProduct: '', theirDuration: '', sku: '' })
          }}
        >
          {links.data?.map(({ _id, name }) => (
            <option key={_id} value={_id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {isApi ? (
        <TextField
          {...form.of('sku')}
          label={t('Their name of it ({sku})')}
          hint={withoutListText()}
          spellCheck={false}
        />
      ) : (
        <TheirProduct
          theirs={theirs.data}
          chosen={chosen}
          price={price}
          isWrong={faults['theirProduct'] !== undefined || faults['theirDuration'] !== undefined}
          onChange={change}
        />
      )}
      <Amounts of={form.of} />
    </EditDialog>
  )
}

interface AmountsProps {
  of: (
    name: 'max' | 'keep' | 'forBuyers',
  ) => Pick<ComponentProps<typeof TextField>, 'error' | 'onText'> & { value: string }
}

function Amounts({ of }: AmountsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        {...of('max')}
        label={t('Pay at most per key (₹)')}
        hint={t('If they ask more, we stop and tell you.')}
        inputMode="decimal"
      />
      <TextField
        {...of('keep')}
        label={t('Keep in stock')}
        hint={t('With 0, keys are bought for buyers who wait.')}
        inputMode="numeric"
      />
      <TextField
        {...of('forBuyers')}
        label={t('Order for a buyer, at most')}
        hint={t('When it’s out of stock. With 0, buyers can’t order.')}
        inputMode="numeric"
      />
    </div>
  )
}

interface SourceFormOf {
  source: SupplySource | undefined
  dialog: DialogProps
  linkId: string
  isApi: boolean
}

function useSourceForm({ source, dialog, linkId, isApi }: SourceFormOf) {
  const start = {
    priceId: source?.priceId ?? '',
    sku: source?.sku ?? '',
    theirProduct: source?.theirProduct ?? '',
    theirDuration: source?.theirDuration ?? '',
    max: String(source?.max ?? ''),
    keep: String(source?.keep ?? 3),
    forBuyers: String(source?.forBuyers ?? 2),
  }
  return useForm({
    dialog,
    start,
    input: isApi ? SkuForm : Form,
    save: useChange('supply', (typed: typeof start) =>
      isApi ? client.supply.saveSku({ ...typed, linkId }) : client.supply.saveSource({ ...typed, linkId }),
    ),
    send: (typed) => typed,
    sendsUnchanged: true,
    onSaved: ({ productName, duration }) => toast(t('{name} saved', { name: variantText(productName, duration) })),
  })
}

interface OwnProductProps {
  own: ReturnType<typeof useOwnDurations>
  priceId: string
  fault: string | undefined
  onChange: (priceId: string) => void
}

function OwnProduct({ own, priceId: chosen, fault, onChange }: OwnProductProps) {
  return (
    <Field label={t('Your product')} error={fault && t('Choose a product')}>
      <Select value={chosen} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t('Choose…')}</option>
        {own.map(({ priceId, name }) => (
          <option key={priceId} value={priceId}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface TheirProductProps {
  theirs: readonly TheirPrice[] | undefined
  chosen: TheirPrice | undefined
  /** What a key costs here. */
  price: number | undefined
  isWrong: boolean
  onChange: (chosen: { theirProduct: string; theirDuration: string }) => void
}

function TheirProduct({ theirs, chosen, price, isWrong, onChange }: TheirProductProps) {
  return (
    <Field
      label={t('Their product')}
      error={isWrong ? t('Choose a product of theirs') : undefined}
      hint={chosen && price !== undefined ? marginText(price, chosen.price) : undefined}
    >
      <Select
        value={chosen ? nameOfTheirs(chosen) : ''}
        onChange={(event) => {
          const next = theirs?.find((each) => nameOfTheirs(each) === event.target.value)
          onChange({ theirProduct: next?.product ?? '', theirDuration: next?.duration ?? '' })
        }}
      >
        <option value="">{theirs?.length === 0 ? t('Their list was not read yet') : t('Choose…')}</option>
        {theirs?.map((each) => (
          <option key={nameOfTheirs(each)} value={nameOfTheirs(each)}>
            {`${variantText(each.name, each.duration)} · ${formatRupees(each.price)} · ${each.stock}`}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** Durations of the store that come from no supplier yet, and that of `source`. */
function useOwnDurations(source: SupplySource | undefined) {
  const products = usePanel(adminProducts)
  const taken = usePanel(supplySources, { select: ({ sources }) => sources.map(({ priceId }) => priceId) })
  return (products.data ?? []).flatMap(({ name, prices }) =>
    prices
      .filter(({ _id }) => _id === source?.priceId || !taken.data?.includes(_id))
      .map(({ _id, duration, price }) => ({ priceId: _id, name: variantText(name, duration), price })),
  )
}
