import { Field } from '../../ui/fields/field.tsx'
import { Textarea } from '../../ui/fields/textarea.tsx'

interface LinesProps {
  label: string
  hint: string
  error?: string | undefined
  value: string
  onText: (text: string) => void
}

/** Lines of a program, as they are typed. */
export function Lines({ value, onText, ...field }: LinesProps) {
  return (
    <Field {...field} optional>
      <Textarea mono rows={2} value={value} spellCheck={false} onChange={(event) => onText(event.target.value)} />
    </Field>
  )
}
