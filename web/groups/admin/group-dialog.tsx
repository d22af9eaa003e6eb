import { ArrowRight } from 'lucide-react'
import type { BuyerGroup } from '../../../contract/groups.ts'
import { GROUP_NAME_LENGTH_MAX } from '../../../contract/limits.ts'
import type { Product } from '../../../contract/catalogue.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { TypedPrices } from '../../catalogue/admin/terms/typed-prices.tsx'
import { client } from '../../platform/calls/client.ts'
import { useChange } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { draftOf, GroupInput, isPriceWrong, lessOf, termsOf, type GroupDraft } from './group-form.ts'

interface GroupDialogProps extends DialogProps {
  /** Undefined for a new one. */
  group?: BuyerGroup
}

/** Says what a group of buyers pays: a percentage off everything, and prices of their own for some. */
export function GroupDialog(props: GroupDialogProps) {
  const { group } = props
  const products = useAdminProducts()
  const form = useGroupForm(props)
  const { draft, change } = form
  const percentOff = /^\s*\d{1,2}\s*$/.test(draft.percentOff) ? Number(draft.percentOff) : 0
  return (
    <EditDialog
      {...form.dialog}
      title={group ? t('Edit {name}', { name: group.name }) : t('New buyer group')}
      submitLabel={group ? t('Save changes') : t('Make group')}
    >
      <TextField
        {...form.of('name')}
        label={t('Name')}
        hint={t('Its buyers see it beside their prices.')}
        maxLength={GROUP_NAME_LENGTH_MAX}
        {...(!group && { 'data-autofocus': true })}
      />
      <TextField
        {...form.of('percentOff')}
        label={t('Off the list price (%)')}
        hint={t('Rounded up to whole rupees')}
        inputMode="numeric"
        placeholder="0"
      />
      <TextField
        {...form.of('fromSpent')}
        label={t('Joins automatically from (₹)')}
        hint={t('Bought in 90 days, less refunds. Leave empty to add buyers by hand only.')}
        inputMode="decimal"
      />
      <fieldset className="min-w-0">
        <legend className="text-sm font-medium text-fg-2">{t('Exceptions (₹)')}</legend>
        <p className="text-xs text-fg-3">
          {t('Leave empty for the percentage. The lowest price a buyer can get counts.')}
        </p>
        {products.data?.map((product) => (
          <Exceptions
            key={product._id}
            product={product}
            percentOff={percentOff}
            prices={draft.prices}
            onChange={(prices) => change({ prices })}
          />
        ))}
      </fieldset>
    </EditDialog>
  )
}

function useGroupForm({ group, ...dialog }: GroupDialogProps) {
  const save = ({ typed, changed }: Record<'typed', GroupDraft> & Record<'changed', Partial<GroupDraft>>) => {
    const terms = termsOf(typed)
    if (!group) return client.groups.create(terms)
    const isChanged = (name: string) => name in changed
    return client.groups.update({
      id: group._id,
      ...Object.fromEntries(Object.entries(terms).filter(([name]) => isChanged(name))),
    })
  }
  return useForm({
    dialog,
    start: draftOf(group),
    input: GroupInput,
    save: useChange('groups', save),
    send: (typed, changed) => ({ typed, changed }),
    onSaved: ({ name }) => toast(t('{name} saved', { name })),
  })
}

interface ExceptionsProps extends Pick<GroupDraft, 'prices'> {
  product: Product
  percentOff: number
  onChange: (prices: GroupDraft['prices']) => void
}

function Exceptions({ product, percentOff, prices, onChange }: ExceptionsProps) {
  return (
    <TypedPrices
      product={product}
      typedOf={({ _id }) => prices[_id] ?? ''}
      onType={({ _id }, typed) => onChange({ ...prices, [_id]: typed })}
      placeholderOf={(price) => String(lessOf(price, percentOff) ?? '–')}
      noteOf={(price) => lowered(price, lessOf(price, percentOff))}
      isWrong={isPriceWrong}
      fault={t('Enter more than ₹0, or leave empty for the percentage')}
      className="border-b border-line last:border-0"
    />
  )
}

function lowered({ listPrice = 0 }: Product['prices'][number], to: number | undefined) {
  if (to === undefined) return t('Not for sale')
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      {formatRupees(listPrice)}
      <ArrowRight size={13} role="img" aria-label={t('becomes')} />
      {formatRupees(to)}
    </span>
  )
}
