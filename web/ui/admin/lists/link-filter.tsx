import { X } from 'lucide-react'
import { Button } from '../../buttons/button.tsx'

interface LinkFilterProps {
  /** What shows, and what a press does: "One request only. Show the queue" */
  label: string
  onClear: () => void
  children: string
}

/** Takes back a filter that a link from another screen has set, because nobody would look for it in the sheet. */
export function LinkFilter({ label, onClear, children }: LinkFilterProps) {
  return (
    <Button
      size="sm"
      variant="secondary"
      className="justify-self-start"
      icon={<X size={16} aria-hidden />}
      aria-label={label}
      onClick={onClear}
    >
      {children}
    </Button>
  )
}
