import { useEffect, useState } from 'react'
import { useToasts, type Toast } from '../platform/toast.ts'

/** By then a dialog that has closed with the message hides the page no more. */
const TICK_MS = 100

/**
 * Where screen readers hear what toasts say. It is there before the first message, since a region that comes together with
 * its text is not read. The page has one, and each modal dialog its own: what is outside of the dialog is hidden from them.
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
        <p key={id}>{action ? `${text.replace(/\.$/, '')}. ${action.label}` : text}</p>
      ))}
    </div>
  )
}
