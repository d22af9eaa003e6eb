import { cx } from '../cx.ts'

interface SegmentedProps<T extends string> {
  /** Name of the choice for screen readers. */
  label: string
  options: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
  className?: string
}

/** Shows a few choices side by side, one pressed: filters and ranges. `<Segmented label options value onChange />` */
export function Segmented<T extends string>({ label, options, value, onChange, className }: SegmentedProps<T>) {
  return (
    <fieldset
      aria-label={label}
      className={cx('inline-flex min-w-0 flex-wrap rounded-control border border-line-2 bg-sunken p-0.5', className)}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={cx(
            'relative min-h-8 flex-1 rounded-[8px] px-2 text-sm font-medium sm:px-3 text-nowrap',
            'transition-colors',
            // Keeps a 44 px target, also if the bar is lower.
            'after:absolute after:inset-x-0 after:-inset-y-1.5',
            // In the light theme a shadow alone is not seen on white.
            option.value === value
              ? 'bg-raised text-fg shadow-[0_1px_3px_#0004,0_0_0_1px_var(--color-line-2)]'
              : 'text-fg-2 hover:text-fg',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
