import type { ReactNode } from 'react'
import type { Endpoint } from '../../../../contract/endpoint.ts'
import { denied } from '../../../platform/admin/roles.ts'
import { Button } from '../../buttons/button.tsx'
import { FormError } from '../../fields/form-error.tsx'

interface FormFootProps {
  error: string | undefined
  pending: boolean
  /** The call that saves the form. Roles that may not make it see why. */
  call: Pick<Endpoint, 'method' | 'roles'>
  /** False while there is nothing to save. */
  isChanged: boolean
  /** The button's words. */
  children: ReactNode
}

/** The foot of a form on a screen: its error and its save button. */
export function FormFoot({ error, pending, call, isChanged, children }: FormFootProps) {
  return (
    <div className="col-span-full grid gap-3 has-[[role=alert]:empty]:gap-0">
      <FormError>{error}</FormError>
      <Button
        type="submit"
        className="justify-self-start"
        pending={pending}
        denied={denied(call)}
        disabled={!isChanged}
      >
        {children}
      </Button>
    </div>
  )
}
