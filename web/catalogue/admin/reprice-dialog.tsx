import { keepPreviousData, useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ArrowRight } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { fieldErrorsOf, formErrorOf } from '../../platform/admin/form-errors.ts'
import { client } from '../../platform/calls/client.ts'
import { useCall, type CallInput } from '../../platform/calls/use-call.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { useForm } from '../../ui/admin/forms/use-form.tsx'
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

const isWhole = (amount: string) => /^\s*\d{1,9}\s*$/.test(amount) && Number(amount) > 0

/** Changes the prices that are chosen together. Each line shows the new price beside the old one. */
export function RepriceDialog({ products, ...dialog }: DialogProps & { products: readonly Product[] }) {
  const prices = products.flatMap((product) => product.prices.filter(({ listPrice = 0 }) => listPrice > 0))
  const start: Change = { direction: 'lower', unit: 'percent', amount: '' }
  const form = useForm({
    dialog,
    start: { ...start, chosen: prices.map(({ _id }) => _id) },
    input: z.object({}),
    save: useCall('catalogue.reprice'),
    send: (): CallInput<'catalogue.reprice'> => ({
      ...wanted,
      expected: shown.map(({ priceId, from }) => ({ priceId, price: from })),
    }),
    faults: (draft) => ({
      amount: isWhole(draft.amount) ? undefined : t('Enter a whole number'),
      chosen: draft.chosen.length === 0 ? t('Choose at least one price') : undefined,
    }),
    onSaved: (changed) =>
      toast(t('{count, plural, one {# price} other {# prices}} changed', { count: changed.length })),
  })
  const { direction, unit, amount, chosen } = form.draft
  const wanted = { priceIds: chosen, [unit]: direction === 'raise' ? Number(amount) : -Number(amount) }
  const { data, isPlaceholderData, error } = useQuery({
    queryKey: ['catalogue', 'reprice', wanted],
    queryFn: ({ signal }) => client.catalogue.reprice({ ...wanted, preview: true }, { signal }),
    enabled: form.read !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const shown = isWhole(amount) && !error ? (data ?? []) : []
  return (
    <EditDialog
      {...form.dialog}
      title={t('Change prices')}
      description={t('New prices are rounded to whole rupees. Custom prices don’t change.')}
      submitLabel={t('Change {count, plural, one {# price} other {# prices}}', { count: chosen.length })}
      dirty={amount !== ''}
      error={form.faults['chosen'] ?? form.dialog.error ?? formErrorOf(error, ['percent', 'rupees'])}
      onSubmit={() => {
        // Prices that are not shown yet can’t be what the admin wants
        if (!form.read || (shown.length > 0 && !isPlaceholderData)) form.dialog.onSubmit()
      }}
    >
      <ChangeFields
        change={form.draft}
        fault={form.faults['amount'] ?? fieldErrorsOf(error)[unit]}
        onChange={form.change}
      />
      {products.map((product) => (
        <PriceChoices
          key={product._id}
          product={product}
          chosen={chosen}
          newPriceOf={(id) => shown.find(({ priceId }) => priceId === id)}
          onChange={(ids, isOn) =>
            form.change({ chosen: [...chosen.filter((id) => !ids.includes(id)), ...(isOn ? ids : [])] })
          }
        />
      ))}
    </EditDialog>
  )
}

interface ChangeFieldsProps {
  change: Change
  fault: string | undefined
  onChange: (change: Partial<Change>) => void
}

function ChangeFields({ change, fault, onChange }: ChangeFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 large-text:grid-cols-1">
      <Segmented
        label={t('Direction')}
        value={change.direction}
        onChange={(direction) => onChange({ direction })}
        options={[
          { value: 'lower', label: t('Lower') },
          { value: 'raise', label: t('Raise') },
        ]}
      />
      <Segmented
        label={t('Unit')}
        value={change.unit}
        onChange={(unit) => onChange({ unit })}
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
          onChange={(event) => onChange({ amount: event.target.value })}
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
