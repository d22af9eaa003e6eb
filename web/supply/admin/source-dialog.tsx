import { useState, type ComponentProps } from 'react'
import * as z from 'zod/mini'
import { adminProducts, askFor, supplyLinks, supplySources } from '../../../contract/panel-pages.ts'
import { SupplySkuForm, SupplySourceForm, type SupplySource, type TheirPrice } from '../../../contract/supply.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { client } from '../../platform/calls/client.ts'
import { useFace } from '../../platform/calls/site.ts'
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
import { nameOf, nearestFirst } from './near-product.ts'
import { demoText, withoutListText } from './supplier-columns.tsx'

/** A supplier that was just connected is read within seconds. */
const LIST_POLL_MS = 1_500

/** The supplier is the first one, until another is chosen. */
const Form = z.omit(SupplySourceForm, { linkId: true })
const SkuForm = z.omit(SupplySkuForm, { linkId: true })

/** One text for a product and a duration of theirs. */
const nameOfTheirs = ({ product, duration }: Pick<TheirPrice, 'product' | 'duration'>) => `${product} ${duration}`

interface SourceDialogProps extends DialogProps {
  source?: SupplySource
  /** The supplier that is chosen at first. */
  linkId?: string
}

/** Says where a duration is bought. */
export function SourceDialog({ source, linkId: first, ...dialog }: SourceDialogProps) {
  const links = usePanel(supplyLinks, { select: (found) => found.links })
  const [chosenLink, setLink] = useState(source?.linkId ?? first)
  const linkId = chosenLink ?? links.data?.[0]?._id ?? ''
  const isApi = links.data?.find(({ _id }) => _id === linkId)?.kind === 'http'
  const form = useSourceForm({ source, dialog, linkId, isApi })
  const { draft, change, faults } = form
  const { own, mine, theirs, chosen, pair, suggested } = usePairs({ source, linkId, isApi, draft, change })
  return (
    <EditDialog
      {...form.dialog}
      dirty={form.dialog.dirty && JSON.stringify(draft) !== suggested}
      title={source ? t('Edit {name}', { name: variantText(source.productName, source.duration) }) : t('Add a product')}
      submitLabel={source ? t('Save changes') : t('Add')}
    >
      {!source && (
        <OwnProduct
          own={own}
          priceId={draft.priceId}
          fault={faults['priceId']}
          onChange={(priceId) => change(pair(own?.find((each) => each.priceId === priceId)))}
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
          theirs={theirs}
          chosen={chosen}
          price={mine?.price}
          isWrong={faults['theirProduct'] !== undefined || faults['theirDuration'] !== undefined}
          onChange={(next) => change(pair(mine, next))}
        />
      )}
      <Amounts of={form.of} />
    </EditDialog>
  )
}

type Pair = Record<'priceId' | 'theirProduct' | 'theirDuration' | 'max', string>
interface PairsOf extends Pick<SourceFormOf, 'source' | 'linkId' | 'isApi'> {
  draft: Pair
  change: (part: Partial<Pair>) => void
}

/**
 * Which of ours is which of theirs. What has the same name on both sides is suggested, with their price as the most
 * that a key may cost. A limit that somebody typed stays.
 */
function usePairs({ source, linkId, isApi, draft, change }: PairsOf) {
  const own = useOwnDurations(source)
  const list = useTheirList(linkId, isApi)
  const taken = usePanel(supplySources, { select: ({ sources }) => sources.filter((each) => each.linkId === linkId) })
  const [offered, setOffered] = useState<readonly TheirPrice[]>()
  const [suggested, setSuggested] = useState('')
  const mine = own?.find(({ priceId }) => priceId === draft.priceId)
  const isTheirs = (those: Pick<Pair, 'theirProduct' | 'theirDuration'>) => (each: TheirPrice) =>
    each.product === those.theirProduct && each.duration === those.theirDuration
  const chosen = list?.find(isTheirs(draft))
  const free = list?.filter((each) => !taken.data?.some((those) => isTheirs(those)(each)))
  const named = new Map(free?.map((each) => [nameOf(each), each]))
  const sameAs = (ours: OwnDuration) => named.get(nameOf({ name: ours.product, duration: ours.duration }))
  const pair = (ours: OwnDuration | undefined, theirs: TheirPrice | null = (ours && sameAs(ours)) ?? null) => {
    const isOwnLimit = draft.max !== '' && draft.max !== String(chosen?.price)
    const max = theirs && theirs.price <= (ours?.price ?? 0) ? String(theirs.price) : ''
    return {
      priceId: ours?.priceId ?? '',
      theirProduct: theirs?.product ?? '',
      theirDuration: theirs?.duration ?? '',
      ...(!isOwnLimit && { max }),
    }
  }
  // Not at each change: who chooses nothing is left alone
  if (list && own && taken.data && offered !== list) {
    setOffered(list)
    const first = source || draft.theirProduct !== '' ? undefined : (mine ? [mine] : own).find((each) => sameAs(each))
    if (first) {
      const part = pair(first)
      change(part)
      setSuggested(JSON.stringify({ ...draft, ...part }))
    }
  }
  const theirs = list && nearestFirst(mine, list)
  return { own, mine, theirs, chosen, pair, suggested }
}

/** What they sell; undefined until it is read here. */
function useTheirList(linkId: string, isApi: boolean): readonly TheirPrice[] | undefined {
  const { demo } = useFace()
  const list = usePanel(askFor('supply', 'theirs', { id: linkId }), {
    enabled: linkId !== '' && !isApi,
    refetchInterval: ({ state }) => !demo && state.data?.products.length === 0 && LIST_POLL_MS,
    select: (found) => found.products,
  })
  return isApi ? undefined : list.data
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
  own: readonly OwnDuration[] | undefined
  priceId: string
  fault: string | undefined
  onChange: (priceId: string) => void
}

function OwnProduct({ own, priceId: chosen, fault, onChange }: OwnProductProps) {
  return (
    <Field
      label={t('Your product')}
      error={fault && t('Choose a product')}
      hint={own?.length === 0 ? t('Add your own product first, under Products in the menu.') : undefined}
    >
      <Select value={chosen} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t('Choose…')}</option>
        {own?.map(({ priceId, name }) => (
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
  onChange: (chosen: TheirPrice | null) => void
}

function TheirProduct({ theirs, chosen, price, isWrong, onChange }: TheirProductProps) {
  const { demo } = useFace()
  const hint = chosen && price !== undefined ? marginText(price, chosen.price) : undefined
  return (
    <Field
      label={t('Their product')}
      error={isWrong ? t('Choose a product of theirs') : undefined}
      hint={demo && theirs?.length === 0 ? demoText() : hint}
    >
      <Select
        value={chosen ? nameOfTheirs(chosen) : ''}
        onChange={(event) => onChange(theirs?.find((each) => nameOfTheirs(each) === event.target.value) ?? null)}
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

interface OwnDuration {
  priceId: string
  product: string
  duration: string
  name: string
  /** What everybody pays for a key. */
  price: number | undefined
}

/** Durations of the store that come from no supplier yet, and that of `source`. */
function useOwnDurations(source: SupplySource | undefined): OwnDuration[] | undefined {
  const products = usePanel(adminProducts)
  const taken = usePanel(supplySources, { select: ({ sources }) => sources.map(({ priceId }) => priceId) })
  // Not before both are known, or a suggestion could be one that is taken
  const isTaken = taken.data && ((id: string) => id !== source?.priceId && taken.data.includes(id))
  return (
    isTaken &&
    products.data?.flatMap(({ name: product, prices }) =>
      prices
        .filter(({ _id }) => !isTaken(_id))
        .map(({ _id, duration, price }) => {
          return { priceId: _id, product, duration, name: variantText(product, duration), price }
        }),
    )
  )
}
