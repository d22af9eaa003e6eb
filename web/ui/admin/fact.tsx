import type { ReactNode } from 'react'

/** A term of a `<dl>`, with what is known. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-fg-3">{name}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  )
}
