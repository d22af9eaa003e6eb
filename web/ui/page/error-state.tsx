import { CircleAlert } from 'lucide-react'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { cx } from '../cx.ts'

interface ErrorStateProps {
  /** The failed action: "Failed to load data". */
  title?: string
  error: unknown
  onRetry?: () => unknown
  retrying?: boolean
  className?: string
}

/** `<ErrorState title error={query.error} onRetry={query.refetch} />` */
export function ErrorState({ title, error, onRetry, retrying, className }: ErrorStateProps) {
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN_ROLE'
  return (
    <div role="alert" className={cx('grid justify-items-center gap-1 px-4 py-12 text-center', className)}>
      <div className="mb-2 grid size-12 place-items-center rounded-full bg-bad/14 text-bad" aria-hidden>
        <CircleAlert size={22} />
      </div>
      <p className="font-semibold">{isForbidden ? t('You don’t have access') : (title ?? t('Failed to load data'))}</p>
      <p className="max-w-sm text-sm text-fg-2">{errorMessage(error)}</p>
      {onRetry && !isForbidden && (
        <Button variant="secondary" className="mt-4" pending={retrying ?? false} onClick={() => void onRetry()}>
          {t('Retry')}
        </Button>
      )}
    </div>
  )
}
