import { REASON_LENGTH_MAX } from '../../../../contract/limits.ts'
import { t } from '../../../platform/i18n.ts'
import { Field } from '../../fields/field.tsx'
import { Input } from '../../fields/input.tsx'

interface ReasonFieldProps {
  /** "Reason" when absent. */
  label?: string | undefined
  hint?: string | undefined
  value: string
  onChange: (reason: string) => void
  /** Why it can't be sent. */
  error: string | undefined
  isFirst?: boolean
  lengthMax?: number | undefined
}

/** One line in which an admin says why. */
export function ReasonField({ label, hint, value, onChange, error, isFirst, lengthMax }: ReasonFieldProps) {
  return (
    <Field label={label ?? t('Reason')} hint={hint} error={error}>
      <Input
        data-autofocus={isFirst}
        value={value}
        maxLength={lengthMax ?? REASON_LENGTH_MAX}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
