import type { ComponentProps, ReactNode } from 'react'
import { toast } from '../../platform/navigation/toast.ts'
import { OFF } from './button.tsx'
import { cx } from '../cx.ts'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'aria-label' | 'children'> {
  /** Accessible name and tooltip. Name the thing: "Delete Orbit Arena Pro". */
  label: string
  /** A lucide icon of 18–20 px. */
  icon: ReactNode
  variant?: 'ghost' | 'outline' | 'danger' | undefined
  pending?: boolean | undefined
  /** The reason why this is not allowed, said on a try. */
  denied?: string | undefined
  /** Nothing to do right now. Unlike `disabled` it keeps the focus, for a click that ends its own use. */
  idle?: boolean
}

/** Shows a square button, 40 px large with a 44 px target. `<IconButton label icon onClick variant pending>` */
export function IconButton(props: IconButtonProps) {
  const { label, icon, variant = 'ghost', pending, denied, idle, className, ...rest } = props
  return (
    <button
      {...rest}
      type="button"
      data-decides={variant === 'danger' || undefined}
      aria-label={label}
      title={denied ? `${label}: ${denied}` : label}
      aria-disabled={denied || idle ? true : undefined}
      aria-busy={pending || undefined}
      // Skipped while pending, because a disabled button would lose the focus.
      disabled={!denied && rest.disabled}
      onClick={denied ? () => toast(denied, { tone: 'info' }) : pending || idle ? undefined : rest.onClick}
      className={cx(
        'relative inline-grid size-10 shrink-0 place-items-center rounded-control ' +
          'transition-[background-color,color,scale] duration-150 select-none active:scale-95',
        'after:absolute after:-inset-1 aria-busy:pointer-events-none',
        OFF,
        variant === 'ghost' && 'text-fg-2 hover:bg-hover hover:text-fg',
        variant === 'outline' && 'border border-line-2 text-fg hover:bg-hover',
        variant === 'danger' && 'text-fg-2 hover:bg-bad/14 hover:text-bad',
        className,
      )}
    >
      {pending ? <span className="spinner text-lg" /> : icon}
    </button>
  )
}
