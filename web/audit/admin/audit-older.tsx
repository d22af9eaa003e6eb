import { useEffect, useRef } from 'react'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Entry, useAudit } from './audit-queries.ts'

interface OlderActivityProps {
  audit: ReturnType<typeof useAudit>
  entries: readonly Entry[] | undefined
}

/** The button under the log. */
export function OlderActivity({ audit, entries }: OlderActivityProps) {
  const noteShown = useFocusAfterLast(entries, audit.hasNextPage)
  const show = async (): Promise<void> => {
    const before = audit.data?.pages.length
    const { data, isError, hasNextPage } = await audit.fetchNextPage()
    // News of the log ends a fetch of older ones
    if (!isError && hasNextPage && data?.pages.length === before) await show()
  }
  if (!audit.hasNextPage) return null
  return (
    <div className="grid justify-items-center gap-2 py-1">
      {audit.isFetchNextPageError && (
        <p role="alert" className="text-sm text-bad">
          {errorMessage(audit.error)}
        </p>
      )}
      <Button
        variant="secondary"
        size="sm"
        pending={audit.isFetchingNextPage}
        onClick={() => {
          noteShown()
          void show()
        }}
      >
        {audit.isFetchNextPageError ? t('Retry') : t('Show older')}
      </Button>
    </div>
  )
}

/**
 * The last "Show older" takes its button away: the focus goes on to the first row that it has shown.
 * @returns what to call when the button is pressed
 */
function useFocusAfterLast(entries: readonly Entry[] | undefined, hasMore: boolean) {
  const shown = useRef<number>(undefined)
  useEffect(() => {
    if (hasMore || shown.current === undefined) return
    // The page after a full one may be empty.
    const first = entries?.[shown.current] ?? entries?.at(-1)
    shown.current = undefined
    // Does nothing if the focus has moved elsewhere.
    if (first && document.activeElement === document.body) focusRow(first._id)
  }, [entries, hasMore])
  return () => {
    shown.current = entries?.length
  }
}

function focusRow(id: string): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
  row?.setAttribute('tabindex', '-1')
  row?.focus({ preventScroll: true })
}
