import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Shows an error of the whole form and reads it out. `<FormError>{message}</FormError>`, empty without one. */
export function FormError({ children }: { children?: ReactNode }) {
  return (
    <div role="alert" className="w-full">
      {children && (
        <div
          className={
            'flex items-start gap-2 rounded-control border border-bad/30 bg-bad/10 px-3 py-2.5 text-sm text-bad'
          }
        >
          <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
          <div className="min-w-0">{children}</div>
        </div>
      )}
    </div>
  )
}
