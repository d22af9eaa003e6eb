import { NOTE_LENGTH_MAX, SUPPLIER_LENGTH_MAX } from '../../../contract/limits.ts'
import { parseRupees, ZERO } from '../../../contract/money.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import type { Delivery } from './key-manager-queries.ts'

type Facts = Omit<Delivery, 'batchId'>

/** Returns the fault of a typed cost. Empty is fine, and so are rupees with up to two decimals. */
export function costFaultOf(written: string): string | undefined {
  if (written.trim() === '') return undefined
  const cost = parseRupees(written)
  return cost === undefined || cost < ZERO ? t('Enter an amount in ₹, up to 2 decimal places') : undefined
}

interface DeliveryFieldsProps {
  facts: Facts
  costFault: string | undefined
  /** How many keys it has. */
  count: number
  className?: string
  onChange: (facts: Facts) => void
}

/** Fields for the supplier, cost and note of a batch. */
export function DeliveryFields({ facts, costFault, count, onChange, className }: DeliveryFieldsProps) {
  const cost = costFault ? undefined : parseRupees(facts.costPerKey.trim() || 'none')
  return (
    <fieldset className={cx('grid gap-3', className)}>
      <legend className="sr-only">{t('Batch details')}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t('Supplier')} optional>
          <Input
            name="supplier"
            autoComplete="off"
            maxLength={SUPPLIER_LENGTH_MAX}
            value={facts.supplier}
            onChange={(event) => onChange({ ...facts, supplier: event.target.value })}
          />
        </Field>
        <Field
          label={t('Cost per key (₹)')}
          optional
          error={costFault}
          aside={cost !== undefined && t('Total {total}', { total: formatRupees((cost * count) / 100) })}
        >
          <Input
            name="cost"
            inputMode="decimal"
            value={facts.costPerKey}
            onChange={(event) => onChange({ ...facts, costPerKey: event.target.value })}
          />
        </Field>
      </div>
      <Field label={t('Note')} optional>
        <Input
          name="note"
          autoComplete="off"
          maxLength={NOTE_LENGTH_MAX}
          value={facts.note}
          onChange={(event) => onChange({ ...facts, note: event.target.value })}
        />
      </Field>
    </fieldset>
  )
}
