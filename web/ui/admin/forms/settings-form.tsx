/** Parts that the forms of settings share. */
import { ApiError, errorMessage } from '../../../platform/calls/api-error.ts'
import { ErrorState } from '../../page/error-state.tsx'
import { Panel } from '../../page/panel.tsx'

/** The id of the section to which a link can lead. */
export const SUPPORT_SECTION = 'support'

/** Returns the server's refusal in its own words. Errors of single fields are shown at those fields. */
export function failure(words: string, error: unknown): string | undefined {
  if (!error) return undefined
  const isAboutField = error instanceof ApiError && Object.keys(error.fields).length > 0
  return isAboutField ? words : `${words} ${errorMessage(error)}`
}

export function fieldFault(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.fields[field] : undefined
}

/** Returns the fields that were edited while a save was running. They were not sent, so they are still unsaved. */
export function typedSince<Form extends object>(now: Form, sent: Form): Form {
  const kept = Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Form])
  return Object.fromEntries(kept) as Form
}

export function CardError({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  return (
    <Panel>
      <ErrorState error={error} onRetry={onRetry} className="py-6" />
    </Panel>
  )
}
