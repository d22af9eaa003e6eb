import { useEffect } from 'react'
import { ApiError } from '../platform/calls/api-error.ts'
import { isFetchFailure } from '../platform/navigation/navigation.ts'
import type { InsteadProps } from '../platform/navigation/boundary.tsx'
import { t } from '../platform/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'

/** Replaces a screen that could not be drawn or loaded. */
export function ErrorPage({ error, onRetry }: InsteadProps) {
  const isUnreachable = isFetchFailure(error)
  // Tries again once there is a network.
  useEffect(() => {
    if (!isUnreachable) return undefined
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [isUnreachable])

  if (error instanceof ApiError) return <ErrorState error={error} onRetry={onRetry} />
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-4 py-24 text-center">
      <h1 className="text-xl font-semibold">{t('Something went wrong')}</h1>
      <p className="max-w-sm text-fg-2">
        {isUnreachable
          ? t('The store can’t be reached. Check your connection and try again.')
          : t('We couldn’t show this page. Reload it to try again. Your money and keys are safe.')}
      </p>
      <Button className="mt-4" onClick={() => location.reload()}>
        {t('Reload')}
      </Button>
    </div>
  )
}
