import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { fieldErrorsOf, formErrorOf } from '../../platform/admin/form-errors.ts'
import { client } from '../../platform/calls/client.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'

interface Change {
  direction: 'raise' | 'lower'
  unit: 'percent' | 'rupees'
  /** As typed. */
  amount: string
}

/** Changes the prices that are chosen together. Each line shows the new price beside the old one. */
export function RepriceDialog({ products, ...dialog }: DialogProps & { products: readonly Product[] }) {
  const prices = products.flatMap((product) => product.prices.filter(({ listPrice = 0 }) => listPrice > 0))
  const [chosen, setChosen] = useState<readonly string[]>(() => prices.map(({ _id }) => _id))
  const [change, setChange] = useState<Change>({ direction: 'lower', unit: 'percent', amount: '' })
  const [isChecked, setChecked] = useState(false)
  const { direction, unit, amount } = change
  const isWhole = /^\s*\d{1,9}\s*$/.test(amount) && Number(amount) > 0
  const wanted = { priceIds: [...chosen], [unit]: direction === 'raise' ? Number(amount) : -Number(amount) }
  const { data, isPlaceholderData, error } = useQuery({
    queryKey: ['catalogue', 'reprice', wanted],
    queryFn: ({ signal }) => client.catalogue.reprice({ ...wanted, preview: true }, { signal }),
    enabled: isWhole && chosen.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const shown = isWhole && !error ? (data ?? []) : []
  const expected = shown.map(({ priceId, from }) => ({ priceId, price: from }))
  const save = useCall('catalogue.reprice', {
    onSuccess: (changed) => {
      toast(t('{count, plural, one {# price} other {# prices}} changed', { count: changed.length }))
      dialog.onClose()
    },
  })
  const submit = () => {
    setChecked(true)
    if (shown.length > 0 && !isPlaceholderData) save.mutate({ ...wanted, expected })
  }
  return (
    <EditDialog
      {...dialog}
      title={t('Change prices')}
      description={t('New prices are rounded to whole rupees. Custom prices don’t change.')}
      submitLabel={t('Change {count, plural, one {# price} other {# prices}}', { count: chosen.length })}
      dirty={amount !== ''}
      pending={save.isPending}
      error={
        isChecked && chosen.length === 0
          ? t('Choose at least one price')
          : formErrorOf(save.error ?? error, ['percent', 'rupees'])
      }
      onSubmit={submit}
    >
      <ChangeFields
        change={change}
        fault={isChecked && !isWhole ? t('Enter a whole number') : fieldErrorsOf(error)[unit]}
        onChange={setChange}
      />
      {products.map((product) => (
        <PriceChoices
          key={product._id}
          product={product}
          chosen={chosen}
          newPriceOf={(id) => shown.find(({ priceId }) => priceId === id)}
          onChange={(ids, isOn) => setChosen([...chosen.filter((id) => !ids.includes(id)), ...(isOn ? ids : [])])}
        />
      ))}
    </EditDialog>
  )
}

interface ChangeFieldsProps {
  change: Change
  fault: string | undefined
  onChange: (change: Change) => void
}

function ChangeFields({ change, fault, onChange }: ChangeFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 large-text:grid-cols-1">
      <Segmented
        label={t('Direction')}
        value={change.direction}
        onChange={(direction) => onChange({ ...change, direction })}
        options={[
          { value: 'lower', label: t('Lower') },
          { value: 'raise', label: t('Raise') },
        ]}
      />
      <Segmented
        label={t('Unit')}
        value={change.unit}
        onChange={(unit) => onChange({ ...change, unit })}
        options={[
          { value: 'percent', label: t('%') },
          { value: 'rupees', label: t('₹') },
        ]}
      />
      <Field label={change.unit === 'percent' ? t('By (%)') : t('By (₹)')} error={fault} className="col-span-full">
        <Input
          name="amount"
          inputMode="numeric"
          required
          data-autofocus
          value={change.amount}
          onChange={(event) => onChange({ ...change, amount: event.target.value })}
        />
      </Field>
    </div>
  )
}

interface PriceChoicesProps {
  product: Product
  chosen: readonly string[]
  newPriceOf: (id: string) => { to: number; stepsGone?: number | undefined } | undefined
  onChange: (ids: string[], isOn: boolean) => void
}

function PriceChoices({ product: { name, prices }, chosen, newPriceOf, onChange }: PriceChoicesProps) {
  const ids = prices.flatMap(({ _id, listPrice = 0 }) => (listPrice > 0 ? [_id] : []))
  if (ids.length === 0) return null
  return (
    <fieldset aria-label={name} className="min-w-0 border-t border-line pt-1">
      <Checkbox
        label={<span className="font-semibold wrap-anywhere">{name}</span>}
        checked={ids.every((id) => chosen.includes(id))}
        onChange={({ target }) => onChange(ids, target.checked)}
      />
      {prices.map(({ _id, duration, listPrice = 0 }) => {
        if (!ids.includes(_id)) return null
        const { to, stepsGone } = newPriceOf(_id) ?? {}
        return (
          <div key={_id} className="tabular flex flex-wrap items-center justify-between gap-x-3 pl-7.5 text-sm">
            <Checkbox
              label={durationText(duration)}
              checked={chosen.includes(_id)}
              onChange={({ target }) => onChange([_id], target.checked)}
            />
            <span className="flex items-center gap-1.5">
              <span className="text-fg-2">{formatRupees(listPrice)}</span>
              {to !== undefined && chosen.includes(_id) && (
                <>
                  <ArrowRight size={15} role="img" aria-label={t('becomes')} className="text-fg-3" />
                  <strong className="font-semibold">{formatRupees(to)}</strong>
                </>
              )}
            </span>
            {stepsGone !== undefined && chosen.includes(_id) && (
              <span className="basis-full text-warn">
                {t('{count, plural, one {# step ends} other {# steps end}}: no longer cheaper', { count: stepsGone })}
              </span>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
