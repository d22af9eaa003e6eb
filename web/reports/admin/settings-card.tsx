/** Error texts that the settings cards share. */
import { ApiError, errorMessage } from '../../platform/api-error.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Panel } from '../../ui/panel.tsx'

/** Returns the server's refusal in its own words. Errors of single fields are shown at those fields. */
export function failure(words: string, error: unknown): string | undefined {
  if (!error) return undefined
  const isAboutField = error instanceof ApiError && Object.keys(error.fields).length > 0
  return isAboutField ? words : `${words} ${errorMessage(error)}`
}

export function fieldFault(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.fields[field] : undefined
}

export function CardError({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  return (
    <Panel>
      <ErrorState error={error} onRetry={onRetry} className="py-6" />
    </Panel>
  )
}
