import type { ComponentProps } from 'react'
import { t } from '../../../platform/i18n.ts'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'

interface PayeeFieldProps extends ComponentProps<typeof Input> {
  error: string | undefined
  optional?: boolean
}

/** The name that UPI apps show for the UPI ID, after the field of that ID. */
export function PayeeField({ error, optional = false, ...input }: PayeeFieldProps) {
  return (
    <Field
      label={t('Name in UPI apps')}
      hint={t('Enter your UPI ID in any UPI app as if you paid. Copy the name that it shows.')}
      error={error}
      optional={optional}
    >
      <Input autoCapitalize="characters" spellCheck={false} {...input} />
    </Field>
  )
}
