import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Info, Plus, X } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { DESCRIPTION_LENGTH_MAX } from '../../../contract/limits.ts'
import { fieldErrorsOf, formErrorOf } from '../../platform/admin/form-errors.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { EditDialog } from '../../ui/admin/edit-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Switch } from '../../ui/admin/switch.tsx'
import { Textarea } from '../../ui/admin/textarea.tsx'
import {
  consequencesOf,
  draftOf,
  emptyRow,
  faultsOf,
  isFaulty,
  nextKey,
  PRICE_ROWS_MAX,
  QUICK_DURATIONS,
  replacedBy,
  tidyDuration,
  withDuration,
  type PriceRow,
  type ProductDraft,
} from './product-draft.ts'
import { useSaveProduct } from './use-save-product.ts'

interface ProductDialogProps {
  open: boolean
  /** As it was when this opened; a new one without it. */
  product?: Product
  /** The same one as it is by now. */
  latest: Product | undefined
  onClose: () => void
}

export function ProductDialog({ open, product, latest, onClose }: ProductDialogProps) {
  const [saved] = useState(() => draftOf(product))
  const [draft, setDraft] = useState(saved)
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
      { product, draft },
      {
        onSuccess: (answer) => {
          if (!answer) return
          const { name } = answer
          toast(product ? t('{name} saved', { name }) : t('{name} added', { name }))
          onClose()
        },
      },
    )
  }
  const replaced = product && !isFaulty(faults) && replacedBy(draft, product, latest)
  const fieldsShown = ['name', 'description', 'prices', ...draft.rows.flatMap((_, at) => rowFields(at))]
  return (
    <EditDialog
      open={open}
      title={product ? t('Edit {name}', { name: product.name }) : t('New product')}
      submitLabel={product ? t('Save changes') : t('Add product')}
      dirty={JSON.stringify(draft) !== JSON.stringify(saved)}
      pending={save.isPending}
      error={formErrorOf(save.error, fieldsShown)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('Name')} error={refused['name'] ?? (isChecked ? faults.name : undefined)}>
        <Input
          name="name"
          required
          autoComplete="off"
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          {...(!product && { 'data-autofocus': true })}
        />
      </Field>
      <Field
        label={t('Description')}
        optional
        error={refused['description'] ?? (isChecked ? faults.description : undefined)}
        aside={
          draft.description.length > DESCRIPTION_LENGTH_MAX / 2 &&
          t('{count}/{most}', { count: draft.description.length, most: DESCRIPTION_LENGTH_MAX })
        }
      >
        <Textarea
          name="description"
          rows={2}
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <PriceRows
        rows={draft.rows}
        onChange={(rows) => change({ rows })}
        faults={isChecked ? faults.rows : []}
        refused={refused}
        fault={refused['prices'] ?? (isChecked ? faults.prices : undefined)}
      />
      <Consequences told={[...(replaced ? [replaced] : []), ...consequencesOf(product, draft.rows)]} />
      <Switch
        label={t('Hot Sale')}
        hint={t('Show the HOT SALE badge on the product card')}
        checked={draft.hot}
        onChange={(hot) => change({ hot })}
      />
    </EditDialog>
  )
}

function rowFields(at: number): string[] {
  return [`prices.${at}.duration`, `prices.${at}.price`, `prices.${at}.lowStockBelow`]
}

interface PriceRowsProps {
  rows: readonly PriceRow[]
  onChange: (rows: PriceRow[]) => void
  faults: readonly { duration?: string; price?: string; lowStockBelow?: string }[]
  /** By the server: "prices.0.duration". */
  refused: Record<string, string>
  fault: string | undefined
}

/** Durations with their prices; the usual durations are one tap away. */
function PriceRows({ rows, onChange, faults, refused, fault }: PriceRowsProps) {
  const id = useId()
  const list = useRef<HTMLFieldSetElement>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const [added, setAdded] = useState<number>()
  const taken = new Set(rows.map((row) => tidyDuration(row.duration)))
  const isFull = rows.length >= PRICE_ROWS_MAX
  const edit = (key: number, part: Partial<PriceRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const pick = (duration: string) => {
    const next = withDuration(rows, duration)
    setAdded(next.find((row) => row.duration === duration)?.key)
    onChange(next)
  }
  const addEmpty = () => {
    const key = nextKey(rows)
    setAdded(key)
    onChange([...rows, emptyRow(key)])
  }
  const remove = (key: number) => {
    const at = rows.findIndex((row) => row.key === key)
    // The button goes with its row, so the focus goes on: to the row that takes its place.
    flushSync(() => onChange(rows.filter((row) => row.key !== key)))
    const next = list.current?.querySelectorAll('fieldset')[at]
    ;(next?.querySelector('input') ?? adder.current)?.focus()
  }
  return (
    <fieldset ref={list} aria-describedby={`${id}-note`} className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-2 text-sm font-medium text-fg-2">{t('Durations and prices (₹)')}</legend>
      {rows.length > 0 && (
        <div aria-hidden className="-mb-1 flex gap-2 pr-10 text-xs text-fg-3 large-text:hidden">
          <span className="min-w-0 flex-1">{t('Duration')}</span>
          <span className="w-24 shrink-0">{t('Price')}</span>
          <span className="w-16 shrink-0 whitespace-nowrap">{t('Alert below')}</span>
        </div>
      )}
      {rows.map((row, at) => (
        <PriceRowFields
          key={row.key}
          row={row}
          number={at + 1}
          focus={row.key === added}
          durationFault={refused[`prices.${at}.duration`] ?? faults[at]?.duration}
          priceFault={refused[`prices.${at}.price`] ?? faults[at]?.price}
          markFault={refused[`prices.${at}.lowStockBelow`] ?? faults[at]?.lowStockBelow}
          onChange={(part) => edit(row.key, part)}
          onRemove={() => remove(row.key)}
        />
      ))}
      <div id={`${id}-note`} aria-live="polite">
        {fault ? (
          <p className="text-sm text-bad">{fault}</p>
        ) : (
          <p className="text-xs text-fg-3">
            {t(
              '1 Month = 30 days, 1 Year = 365 days. We mark a duration as low stock when it has fewer keys than “Alert below”.',
            )}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {QUICK_DURATIONS.filter((duration) => !taken.has(duration)).map((duration) => (
          <Button
            key={duration}
            size="sm"
            variant="secondary"
            disabled={isFull}
            aria-label={t('Add {duration}', { duration })}
            onClick={() => pick(duration)}
          >
            {duration}
          </Button>
        ))}
        <Button
          ref={adder}
          size="sm"
          variant="ghost"
          disabled={isFull}
          icon={<Plus size={15} aria-hidden />}
          onClick={addEmpty}
        >
          {t('Add duration')}
        </Button>
      </div>
    </fieldset>
  )
}

interface PriceRowFieldsProps {
  row: PriceRow
  /** From 1. */
  number: number
  /** It was added just now: what is missing in it gets the focus. */
  focus: boolean
  durationFault: string | undefined
  priceFault: string | undefined
  markFault: string | undefined
  onChange: (part: Partial<PriceRow>) => void
  onRemove: () => void
}

function PriceRowFields(props: PriceRowFieldsProps) {
  const { row, number, focus, durationFault, priceFault, markFault, onChange, onRemove } = props
  const id = useId()
  const duration = useRef<HTMLInputElement>(null)
  const price = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focus) (duration.current?.value ? price : duration).current?.focus()
  }, [focus])
  return (
    <fieldset aria-label={t('Price row {number}', { number })} className="grid min-w-0 gap-1">
      <div className="flex items-center gap-2 large-text:flex-wrap">
        <Input
          ref={duration}
          aria-label={t('Duration {number}', { number })}
          placeholder={t('10 Days')}
          required
          autoComplete="off"
          value={row.duration}
          aria-invalid={durationFault ? true : undefined}
          aria-describedby={durationFault ? `${id}-duration` : undefined}
          onChange={(event) => onChange({ duration: event.target.value })}
          onBlur={() => {
            const tidy = tidyDuration(row.duration)
            if (tidy !== row.duration) onChange({ duration: tidy })
          }}
        />
        <Input
          ref={price}
          aria-label={t('Price {number}', { number })}
          inputMode="decimal"
          required
          autoComplete="off"
          value={row.price}
          aria-invalid={priceFault ? true : undefined}
          aria-describedby={priceFault ? `${id}-price` : undefined}
          onChange={(event) => onChange({ price: event.target.value })}
          className="w-24 shrink-0"
        />
        <Input
          aria-label={t('Alert below, row {number}', { number })}
          placeholder="–"
          inputMode="numeric"
          autoComplete="off"
          value={row.lowStockBelow}
          aria-invalid={markFault ? true : undefined}
          aria-describedby={markFault ? `${id}-mark` : undefined}
          onChange={(event) => onChange({ lowStockBelow: event.target.value })}
          className="w-16 shrink-0"
        />
        <IconButton
          label={
            row.duration ? t('Remove {duration}', { duration: row.duration }) : t('Remove row {number}', { number })
          }
          icon={<X size={17} aria-hidden />}
          onClick={onRemove}
          className="-mr-2"
        />
      </div>
      <div aria-live="polite" className="grid text-sm text-bad empty:hidden">
        {durationFault && <span id={`${id}-duration`}>{durationFault}</span>}
        {priceFault && <span id={`${id}-price`}>{priceFault}</span>}
        {markFault && <span id={`${id}-mark`}>{markFault}</span>}
      </div>
    </fieldset>
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
