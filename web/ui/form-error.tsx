import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** What went wrong with the whole form; read out when it appears. `<FormError>{message}</FormError>`, empty when there is none. */
export function FormError({ children }: { children?: ReactNode }) {
  return (
    <div role="alert">
      {children && (
        <div className="flex items-start gap-2 rounded-control border border-bad/30 bg-bad/10 px-3 py-2.5 text-sm text-bad">
          <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
          <div className="min-w-0">{children}</div>
        </div>
      )}
    </div>
  )
}
