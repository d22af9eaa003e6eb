/** What the settings cards share: how they say what failed. */
import { ApiError, errorMessage } from '../../platform/api-error.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Panel } from '../../ui/panel.tsx'

/** What the server refused, with the literal words for it; what is wrong with a field stands at the field. */
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
