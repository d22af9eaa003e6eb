import { createContext, use } from 'react'

interface FieldContextValue {
  id: string
  describedBy: string | undefined
  invalid: boolean
}

export const FieldContext = createContext<FieldContextValue | null>(null)

interface ControlAttributes {
  id?: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** Returns the attributes that tie a control to its Field. None outside of one. */
export function useFieldControl(): ControlAttributes {
  const field = use(FieldContext)
  if (!field) return {}
  return {
    id: field.id,
    ...(field.describedBy && { 'aria-describedby': field.describedBy }),
    ...(field.invalid && { 'aria-invalid': true }),
  }
}
