import { Info } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import {
  DESCRIPTION_LENGTH_MAX,
  INSTRUCTIONS_LENGTH_MAX,
  REMIND_DAYS_MAX,
  TITLE_LENGTH_MAX,
} from '../../../contract/limits.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { PictureField } from '../../pictures/admin/picture-field.tsx'
import { toast } from '../../platform/navigation/toast.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { OtherLanguages } from '../../ui/admin/forms/other-languages.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { ProductCover } from '../../ui/pictures/product-cover.tsx'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { Textarea } from '../../ui/fields/textarea.tsx'
import { consequencesOf, draftOf, replacedBy, type ProductDraft } from './product-draft.ts'
import { ProductInput, repeatedIn } from './product-input.ts'
import { useSaveProduct } from './use-save-product.ts'
import { useAdminProducts } from './product-queries.ts'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { PriceRows } from './product-dialog-prices.tsx'

interface ProductDialogProps extends DialogProps {
  /** The product when the dialog opened; undefined for a new one. */
  product?: Product
}

export function ProductDialog(props: ProductDialogProps) {
  const { product } = props
  const latest = useAdminProducts().data?.find(({ _id }) => _id === product?._id)
  const form = useProductForm(props)
  const { draft, change } = form
  const replaced = product && form.read && replacedBy(draft, product, latest)
  return (
    <EditDialog
      {...form.dialog}
      title={product ? t('Edit {name}', { name: product.name }) : t('New product')}
      submitLabel={product ? t('Save changes') : t('Add product')}
    >
      <TextField {...form.of('name')} label={t('Name')} {...(!product && { 'data-autofocus': true })} />
      <LongText {...form.of('description')} label={t('Description')} rows={2} most={DESCRIPTION_LENGTH_MAX} />
      <ProductPicture
        product={product}
        name={draft.name}
        picture={draft.picture}
        onChange={(picture) => change({ picture })}
      />
      <PriceRows rows={draft.prices} onChange={(prices) => change({ prices })} faults={form.faults} />
      <Consequences told={[...(replaced ? [replaced] : []), ...consequencesOf(product, draft.prices)]} />
      <LongText
        {...form.of('instructions')}
        label={t('How to activate')}
        hint={t('Buyers read it with their key. Links in it can be opened.')}
        rows={3}
        most={INSTRUCTIONS_LENGTH_MAX}
      />
      <TextField
        {...form.of('downloadUrl')}
        label={t('Download link')}
        optional
        inputMode="url"
        placeholder="https://"
      />
      <Reminder days={draft.remindDays} onChange={(remindDays) => change({ remindDays })} />
      <OtherLanguages {...textsOf(draft, product)} faults={form.faults} onChange={change} />
      <Switch
        label={t('Hot Sale')}
        hint={t('Show the HOT SALE badge on the product card.')}
        checked={draft.hot}
        onChange={(hot) => change({ hot })}
      />
      <Switch
        label={t('Listed')}
        hint={t('Buyers and visitors see this product.')}
        checked={draft.isListed}
        onChange={(isListed) => change({ isListed })}
      />
    </EditDialog>
  )
}

interface ReminderProps {
  /** Empty for as usual. */
  days: string
  onChange: (days: string) => void
}

function Reminder({ days, onChange }: ReminderProps) {
  return (
    <Field
      label={t('Remind buyers before a key ends')}
      hint={t('Usual: 3 days and 1 day before. Keys too short for your choice stay as usual.')}
    >
      <Select value={days} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t('Usual')}</option>
        <option value="0">{t('Never')}</option>
        {Array.from({ length: REMIND_DAYS_MAX }, (_, at) => (
          <option key={at} value={at + 1}>
            {t('{count, plural, one {# day} other {# days}} before', { count: at + 1 })}
          </option>
        ))}
      </Select>
    </Field>
  )
}

const useProductForm = ({ product, ...dialog }: ProductDialogProps) =>
  useForm({
    dialog,
    start: draftOf(product),
    input: ProductInput,
    save: useSaveProduct(),
    send: (draft) => ({ product, draft }),
    faults: ({ prices }) => repeatedIn(prices),
    onSaved: ({ name }) => toast(product ? t('{name} saved', { name }) : t('{name} added', { name })),
  })

const textsOf = (texts: ProductDraft, product?: Product) => ({
  fields: [
    { name: 'name', label: t('Name'), most: TITLE_LENGTH_MAX },
    { name: 'description', label: t('Description'), most: DESCRIPTION_LENGTH_MAX, rows: 2 },
    { name: 'instructions', label: t('How to activate'), most: INSTRUCTIONS_LENGTH_MAX, rows: 3 },
  ] as const,
  texts,
  outdated: product?.outdated,
})

interface LongTextProps {
  name: string
  label: string
  hint?: string
  value: string
  error: string | undefined
  onText: (text: string) => void
  rows: number
  /** In characters. */
  most: number
}

/** An optional text of several lines. */
function LongText({ label, hint, error, onText, most, ...rest }: LongTextProps) {
  return (
    <Field label={label} hint={hint} optional error={error} aside={countOf(rest.value, most)}>
      <Textarea {...rest} onChange={(event) => onText(event.target.value)} />
    </Field>
  )
}

/** Counts the letters of a text that is half full. */
function countOf({ length }: string, most: number) {
  return length > most / 2 && t('{count}/{most}', { count: length, most })
}

interface ProductPictureProps {
  product: Product | undefined
  name: string
  picture: string | null | undefined
  onChange: (picture: string | null) => void
}

function ProductPicture({ product, name, picture = product?.picture, onChange }: ProductPictureProps) {
  return (
    <PictureField
      kind="product"
      label={t('Picture')}
      hint={t('We cut it to a square. Without one, we make a cover.')}
      shown={
        <ProductCover
          name={name || t('New product')}
          sequence={product?.sequence ?? 0}
          picture={picture ?? undefined}
          className="size-full [--monogram:40px]"
        />
      }
      isSet={Boolean(picture)}
      onChange={onChange}
      denied={denied(calls.pictures.saveOfProduct)}
    />
  )
}

function Consequences({ told }: { told: readonly string[] }) {
  return (
    <div aria-live="polite" className="empty:hidden">
      {told.length > 0 && (
        <ul className="grid gap-1.5 rounded-control bg-info/14 px-3 py-2.5 text-sm">
          {told.map((text) => (
            <li key={text} className="flex gap-2">
              <Info size={16} aria-hidden className="mt-0.5 shrink-0 text-info" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
