import { useState } from 'react'
import { Info } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { DESCRIPTION_LENGTH_MAX, INSTRUCTIONS_LENGTH_MAX, TITLE_LENGTH_MAX } from '../../../contract/limits.ts'
import { fieldErrorsOf, formErrorOf } from '../../platform/admin/form-errors.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { PictureField } from '../../pictures/admin/picture-field.tsx'
import { toast } from '../../platform/navigation/toast.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { OtherLanguages } from '../../ui/admin/forms/other-languages.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { ProductCover } from '../../ui/pictures/product-cover.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { Textarea } from '../../ui/fields/textarea.tsx'
import {
  consequencesOf,
  draftOf,
  faultsOf,
  isFaulty,
  OTHERS,
  replacedBy,
  type ProductDraft,
  type ProductFaults,
} from './product-draft.ts'
import { useSaveProduct } from './use-save-product.ts'
import { useAdminProducts } from './product-queries.ts'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { PriceRows } from './product-dialog-prices.tsx'

interface ProductDialogProps extends DialogProps {
  /** The product when the dialog opened; undefined for a new one. */
  product?: Product
}

export function ProductDialog({ product, ...dialog }: ProductDialogProps) {
  const latest = useAdminProducts().data?.find(({ _id }) => _id === product?._id)
  const [saved] = useState(() => draftOf(product))
  const [draft, setDraft] = useState(saved)
  const [picture, setPicture] = useState<string | null>()
  const [isChecked, setChecked] = useState(false)
  const save = useSaveProduct()
  const faults = faultsOf(draft)
  const refused = fieldErrorsOf(save.error)
  const change = (part: Partial<ProductDraft>) => {
    setDraft({ ...draft, ...part })
    if (save.isError) save.reset()
  }
  const submit = () => {
    setChecked(true)
    if (isFaulty(faults)) return
    save.mutate(
      { product, draft, picture },
      {
        onSuccess: (answer) => {
          if (!answer) return
          const { name } = answer
          toast(product ? t('{name} saved', { name }) : t('{name} added', { name }))
          dialog.onClose()
        },
      },
    )
  }
  const replaced = product && !isFaulty(faults) && replacedBy(draft, product, latest)
  const fieldsShown = [
    'name',
    'description',
    'instructions',
    'downloadUrl',
    ...OTHERS,
    'prices',
    ...draft.rows.flatMap((_, at) => rowFields(at)),
  ]
  return (
    <EditDialog
      {...dialog}
      title={product ? t('Edit {name}', { name: product.name }) : t('New product')}
      submitLabel={product ? t('Save changes') : t('Add product')}
      dirty={picture !== undefined || JSON.stringify(draft) !== JSON.stringify(saved)}
      pending={save.isPending}
      error={formErrorOf(save.error, fieldsShown)}
      onSubmit={submit}
    >
      <NameFields draft={draft} isNew={!product} faults={isChecked ? faults : {}} refused={refused} onChange={change} />
      <ProductPicture product={product} name={draft.name} picture={picture} onChange={setPicture} />
      <PriceRows
        rows={draft.rows}
        onChange={(rows) => change({ rows })}
        faults={isChecked ? faults.rows : []}
        refused={refused}
        fault={refused['prices'] ?? (isChecked ? faults.prices : undefined)}
      />
      <Consequences told={[...(replaced ? [replaced] : []), ...consequencesOf(product, draft.rows)]} />
      <UseFields draft={draft} faults={isChecked ? faults : {}} refused={refused} onChange={change} />
      <OtherLanguages {...textsOf(draft, product)} faults={refused} onChange={change} />
      <Switch
        label={t('Hot Sale')}
        hint={t('Show the HOT SALE badge on the product card')}
        checked={draft.hot}
        onChange={(hot) => change({ hot })}
      />
      <Switch
        label={t('Listed')}
        hint={t('Buyers and visitors see this product')}
        checked={draft.isListed}
        onChange={(isListed) => change({ isListed })}
      />
    </EditDialog>
  )
}

const textsOf = (texts: ProductDraft, product?: Product) => ({
  fields: [
    { name: 'name', label: t('Name'), most: TITLE_LENGTH_MAX },
    { name: 'description', label: t('Description'), most: DESCRIPTION_LENGTH_MAX, rows: 2 },
    { name: 'instructions', label: t('How to activate'), most: INSTRUCTIONS_LENGTH_MAX, rows: 3 },
  ] as const,
  texts,
  outdated: product?.outdated,
})

interface FieldsProps {
  draft: ProductDraft
  /** Faults that the form found. None until it is submitted. */
  faults: Partial<ProductFaults>
  /** Faults that the server found. */
  refused: Record<string, string>
  onChange: (part: Partial<ProductDraft>) => void
}

function NameFields({ draft, isNew, faults, refused, onChange }: FieldsProps & { isNew: boolean }) {
  return (
    <>
      <Field label={t('Name')} error={refused['name'] ?? faults.name}>
        <Input
          name="name"
          required
          autoComplete="off"
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
          {...(isNew && { 'data-autofocus': true })}
        />
      </Field>
      <Field
        label={t('Description')}
        optional
        error={refused['description'] ?? faults.description}
        aside={countOf(draft.description, DESCRIPTION_LENGTH_MAX)}
      >
        <Textarea
          name="description"
          rows={2}
          value={draft.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Field>
    </>
  )
}

/** What a buyer gets with the key. */
function UseFields({ draft, faults, refused, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label={t('How to activate')}
        optional
        hint={t('Buyers read it with their key. Links in it can be opened.')}
        error={refused['instructions'] ?? faults.instructions}
        aside={countOf(draft.instructions, INSTRUCTIONS_LENGTH_MAX)}
      >
        <Textarea
          name="instructions"
          rows={3}
          value={draft.instructions}
          onChange={(event) => onChange({ instructions: event.target.value })}
        />
      </Field>
      <Field label={t('Download link')} optional error={refused['downloadUrl'] ?? faults.downloadUrl}>
        <Input
          name="downloadUrl"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={draft.downloadUrl}
          onChange={(event) => onChange({ downloadUrl: event.target.value })}
        />
      </Field>
    </>
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
      hint={t('Cut to a square. Without one, we make a cover.')}
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

function rowFields(at: number): string[] {
  return [`prices.${at}.duration`, `prices.${at}.price`, `prices.${at}.lowStockBelow`]
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
