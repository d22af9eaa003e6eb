import { ArrowRight } from 'lucide-react'
import type { BuyerGroup } from '../../../contract/groups.ts'
import { GROUP_NAME_LENGTH_MAX } from '../../../contract/limits.ts'
import type { Product } from '../../../contract/catalogue.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { client } from '../../platform/calls/client.ts'
import { useChange } from '../../platform/calls/use-call.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { Input } from '../../ui/fields/input.tsx'
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
        hint={t('Its buyers read it beside their prices.')}
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
    const { name, percentOff, prices } = termsOf(typed)
    if (!group) return client.groups.create({ name, percentOff, prices })
    return client.groups.update({
      id: group._id,
      ...(changed.name !== undefined && { name }),
      ...(changed.percentOff !== undefined && { percentOff }),
      ...(changed.prices && { prices }),
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
    <fieldset className="min-w-0 border-b border-line py-3 last:border-0">
      <legend className="float-left mb-2 w-full font-medium wrap-anywhere">{product.name}</legend>
      <div className="clear-both grid gap-2">
        {product.prices.map((price) => {
          const { _id, duration, listPrice = 0 } = price
          const typed = prices[_id] ?? ''
          const less = lessOf(price, percentOff)
          return (
            <div key={_id} className="grid grid-cols-[minmax(0,1fr)_8rem] items-center gap-3">
              <div className="min-w-0 text-sm">
                <p>{durationText(duration)}</p>
                <p className="tabular text-xs text-fg-3">
                  {less === undefined ? (
                    t('Not for sale')
                  ) : (
                    <span className="flex flex-wrap items-center gap-x-1.5">
                      {formatRupees(listPrice)}
                      <ArrowRight size={13} role="img" aria-label={t('becomes')} />
                      {formatRupees(less)}
                    </span>
                  )}
                </p>
              </div>
              <Input
                aria-label={t('Price of {product}, {duration}', {
                  product: product.name,
                  duration: durationText(duration),
                })}
                aria-invalid={isPriceWrong(typed) || undefined}
                value={typed}
                onChange={({ target }) => onChange({ ...prices, [_id]: target.value })}
                inputMode="decimal"
                placeholder={less === undefined ? '–' : String(less)}
                className="text-right"
              />
              {isPriceWrong(typed) && (
                <p role="alert" className="col-span-2 text-right text-xs text-bad">
                  {t('Enter more than ₹0, or leave empty for the percentage')}
                </p>
              )}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
