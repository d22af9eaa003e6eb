import { useEffect, useState } from 'react'
import { useToasts, type Toast } from '../../platform/navigation/toast.ts'

/** Waits, in ms, until a dialog that closed with the message no longer hides the page. */
const TICK_MS = 100

/**
 * Reads toasts out to screen readers. It exists before the first message, because a region that arrives with its text
 * is not read. The page has one and each modal dialog its own, because a dialog hides the rest.
 */
export function Announcer() {
  const toasts = useToasts()
  const [before] = useState(toasts.at(-1)?.id ?? 0)
  const [heard, setHeard] = useState<readonly Toast[]>([])
  useEffect(() => {
    const timer = setTimeout(() => setHeard(toasts.filter(({ id }) => id > before)), TICK_MS)
    return () => clearTimeout(timer)
  }, [toasts, before])
  return (
    <div role="status" aria-atomic={false} className="sr-only">
      {heard.map(({ id, text, action }) => (
        <p key={id}>{action ? `${text.replace(/[^.।]$/, '$&,')} ${action.label}` : text}</p>
      ))}
    </div>
  )
}
