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

/** The attributes by which a control belongs to its Field; none outside of one. */
export function useFieldControl(): ControlAttributes {
  const field = use(FieldContext)
  if (!field) return {}
  return {
    id: field.id,
    ...(field.describedBy && { 'aria-describedby': field.describedBy }),
    ...(field.invalid && { 'aria-invalid': true }),
  }
}
