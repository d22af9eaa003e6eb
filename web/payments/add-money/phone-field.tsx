import { useState, type ClipboardEvent, type InputEvent } from 'react'
import { normalisePhone } from '../../../contract/fields.ts'
import { PHONE_DIGITS } from '../../../contract/limits.ts'
import { barePhone } from '../../../contract/pasted.ts'
import { t } from '../../platform/i18n.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'

interface PhoneFieldProps {
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

/** Drops a leading country code or 0 once an eleventh digit shows that the number has one. */
function typedPhone(text: string): string {
  const digits = barePhone(text).replaceAll(/\D/g, '')
  if (digits.length <= PHONE_DIGITS) return digits
  return normalisePhone(digits) ?? digits.replace(/^91/, '').slice(0, PHONE_DIGITS)
}

export function PhoneField({ value, onChange, error }: PhoneFieldProps) {
  const [hasLeft, setHasLeft] = useState(false)
  const isIncomplete = value !== '' && value.length !== PHONE_DIGITS
  const looksForeign = value.length === PHONE_DIGITS && !/^[6-9]/.test(value)
  // The field holds ten digits and would cut a number pasted with a country code.
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const digits = normalisePhone(event.clipboardData.getData('text'))
    if (digits === undefined) return
    event.preventDefault()
    onChange(digits)
  }
  const type = (event: InputEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    if (selectionStart !== selectionEnd || selectionEnd !== PHONE_DIGITS) return
    const next = typedPhone(value + event.data)
    if (next === value) return
    event.preventDefault()
    onChange(next)
  }
  return (
    <Field
      label={t('Contact phone')}
      hint={
        looksForeign ? (
          <span className="text-warn">{t('Indian mobile numbers start with 6, 7, 8 or 9. Please check.')}</span>
        ) : (
          t('10 digits, without +91')
        )
      }
      error={error ?? (hasLeft && isIncomplete ? t('Enter a 10-digit phone number') : undefined)}
    >
      <Input
        type="tel"
        name="phone"
        inputMode="numeric"
        autoComplete="tel-national"
        enterKeyHint="done"
        maxLength={PHONE_DIGITS}
        required
        value={value}
        onChange={(event) => onChange(typedPhone(event.target.value))}
        onBeforeInput={type}
        onPaste={paste}
        onBlur={() => setHasLeft(true)}
      />
    </Field>
  )
}
