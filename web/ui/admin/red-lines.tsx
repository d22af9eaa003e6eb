import { ChevronDown, TriangleAlert } from 'lucide-react'
import { Children, type ReactNode } from 'react'

interface RedLinesProps {
  label: string
  /** What several lines are together. One line opens them. */
  sum: string
  /** Rows of a list, `<li>`. */
  children: ReactNode
}

/** What must be looked at, in red on every screen of the panel: one line, however much it is. */
export function RedLines({ label, sum, children }: RedLinesProps) {
  const lines = <ul className="grid gap-2">{children}</ul>
  return (
    <section
      role="alert"
      aria-label={label}
      className="mb-4 flex items-start gap-2 rounded-card border border-bad/50 bg-bad/10 px-3 text-sm"
    >
      <TriangleAlert size={18} aria-hidden className="mt-4 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        {Children.toArray(children).length === 1 ? (
          <div className="py-1.5">{lines}</div>
        ) : (
          <details className="group">
            <summary className="flex min-h-12 cursor-pointer items-center justify-between gap-3 font-semibold text-bad">
              {sum}
              <ChevronDown size={18} aria-hidden className="shrink-0 transition-transform group-open:rotate-180" />
            </summary>
            <div className="pb-3">{lines}</div>
          </details>
        )}
      </div>
    </section>
  )
}
