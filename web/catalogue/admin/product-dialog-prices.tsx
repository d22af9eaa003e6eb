import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { Layers, Plus, UserRound, X } from 'lucide-react'
import { durationText, t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Input } from '../../ui/fields/input.tsx'
import {
  emptyRow,
  nextKey,
  PRICE_ROWS_MAX,
  QUICK_DURATIONS,
  tidyDuration,
  withDuration,
  type PriceRow,
} from './product-draft.ts'
import { LimitField } from './terms/limit-field.tsx'
import { StepFields } from './terms/step-fields.tsx'

interface PriceRowsProps {
  rows: readonly PriceRow[]
  onChange: (rows: PriceRow[]) => void
  /** By the path of a field: "prices.0.duration". */
  faults: Readonly<Record<string, string | undefined>>
}

/** Durations with their prices; the usual durations are one tap away. */
export function PriceRows({ rows, onChange, faults }: PriceRowsProps) {
  const id = useId()
  const fault = faults['prices']
  const list = useRef<HTMLFieldSetElement>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const [added, setAdded] = useState<number>()
  const [hasLimits, setHasLimits] = useState(rows.some(({ limit }) => limit !== ''))
  const [hasSteps, setHasSteps] = useState(rows.some(({ steps }) => steps.length > 0))
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
      {rows.length > 0 && <Titles />}
      {rows.map((row, at) => (
        <PriceRowFields
          key={row.key}
          row={row}
          number={at + 1}
          focus={row.key === added}
          hasLimit={hasLimits}
          hasSteps={hasSteps}
          durationFault={faults[`prices.${at}.duration`]}
          priceFault={faults[`prices.${at}.price`]}
          markFault={faults[`prices.${at}.lowStockBelow`]}
          stepFault={stepFaultOf(faults, at)}
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
              '1 Month = 30 days, 1 Year = 365 days. We mark a duration as low stock when it has fewer keys than ' +
                '“Alert below”.',
            )}
          </p>
        )}
      </div>
      {hasLimits && (
        <p className="text-xs text-fg-3">
          {t(
            'A trial is sold once to a person, who has added money before. We know a person by phone number, browser ' +
              'and, with the bank inbox, by who paid. In a copy of this product everybody begins again.',
          )}
        </p>
      )}
      <DurationButtons
        ref={adder}
        rows={rows}
        onPick={pick}
        onAdd={addEmpty}
        {...(!hasLimits && { onLimits: () => setHasLimits(true) })}
        {...(!hasSteps && { onSteps: () => setHasSteps(true) })}
      />
    </fieldset>
  )
}

const Titles = () => (
  <div aria-hidden className="-mb-1 flex gap-2 pr-10 text-xs text-fg-3 large-text:hidden">
    <span className="min-w-0 flex-1">{t('Duration')}</span>
    <span className="w-24 shrink-0">{t('Price')}</span>
    <span className="w-16 shrink-0 whitespace-nowrap">{t('Alert below')}</span>
  </div>
)

/** The first one. The fields of a step stand close together. */
const stepFaultOf = (faults: PriceRowsProps['faults'], at: number) =>
  Object.entries(faults).find(([path, fault]) => fault && path.startsWith(`prices.${at}.steps`))?.[1]

interface DurationButtonsProps {
  /** The button that adds an empty row. */
  ref: RefObject<HTMLButtonElement | null>
  rows: readonly PriceRow[]
  onPick: (duration: string) => void
  onAdd: () => void
  /** Shows the limits. Absent where they are shown. So it is with the steps. */
  onLimits?: () => void
  onSteps?: () => void
}

function DurationButtons({ ref, rows, onPick, onAdd, onLimits, onSteps }: DurationButtonsProps) {
  const taken = new Set(rows.map((row) => tidyDuration(row.duration)))
  const isFull = rows.length >= PRICE_ROWS_MAX
  return (
    <div className="flex flex-wrap gap-2">
      {QUICK_DURATIONS.filter((duration) => !taken.has(duration)).map((duration) => (
        <Button
          key={duration}
          size="sm"
          variant="secondary"
          disabled={isFull}
          aria-label={t('Add {duration}', { duration: durationText(duration) })}
          onClick={() => onPick(duration)}
        >
          {durationText(duration)}
        </Button>
      ))}
      <Button
        ref={ref}
        size="sm"
        variant="ghost"
        disabled={isFull}
        icon={<Plus size={15} aria-hidden />}
        onClick={onAdd}
      >
        {t('Add duration')}
      </Button>
      {onLimits && (
        <Button size="sm" variant="ghost" icon={<UserRound size={15} aria-hidden />} onClick={onLimits}>
          {t('Limit per buyer')}
        </Button>
      )}
      {onSteps && (
        <Button size="sm" variant="ghost" icon={<Layers size={15} aria-hidden />} onClick={onSteps}>
          {t('Cheaper from a quantity')}
        </Button>
      )}
    </div>
  )
}

interface PriceRowFieldsProps {
  row: PriceRow
  /** From 1. */
  number: number
  /** True for a row that was just added. Its first empty field gets the focus. */
  focus: boolean
  hasLimit: boolean
  hasSteps: boolean
  durationFault: string | undefined
  priceFault: string | undefined
  markFault: string | undefined
  stepFault: string | undefined
  onChange: (part: Partial<PriceRow>) => void
  onRemove: () => void
}

function PriceRowFields(props: PriceRowFieldsProps) {
  const { row, number, focus, hasLimit, hasSteps, durationFault, priceFault, markFault, stepFault } = props
  const { onChange, onRemove } = props
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
          value={row.lowStockBelow}
          aria-invalid={markFault ? true : undefined}
          aria-describedby={markFault ? `${id}-mark` : undefined}
          onChange={(event) => onChange({ lowStockBelow: event.target.value })}
          className="w-16 shrink-0"
        />
        <IconButton
          label={
            row.duration
              ? t('Remove {duration}', { duration: durationText(row.duration) })
              : t('Remove row {number}', { number })
          }
          icon={<X size={17} aria-hidden />}
          onClick={onRemove}
          className="-mr-2"
        />
      </div>
      {hasLimit && <LimitField limit={row.limit} number={number} onChange={(limit) => onChange({ limit })} />}
      {hasSteps && <StepFields steps={row.steps} number={number} onChange={(steps) => onChange({ steps })} />}
      <div aria-live="polite" className="grid text-sm text-bad empty:hidden">
        {durationFault && <span id={`${id}-duration`}>{durationFault}</span>}
        {priceFault && <span id={`${id}-price`}>{priceFault}</span>}
        {markFault && <span id={`${id}-mark`}>{markFault}</span>}
        {stepFault && <span>{stepFault}</span>}
      </div>
    </fieldset>
  )
}
