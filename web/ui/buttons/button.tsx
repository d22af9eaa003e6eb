import type { ComponentProps, ReactNode } from 'react'
import { toast } from '../../platform/navigation/toast.ts'
import { cx } from '../cx.ts'

interface ButtonLook {
  /**
   * primary: the main action · secondary: another · ghost: Cancel and the like · danger: destroys · offer: lime outline
   */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'offer'
  /** md 44 px · sm 36 px (its touch area is still 44) */
  size?: 'md' | 'sm'
  /** As wide as its container. */
  wide?: boolean
}

/** The look of a button that does nothing now. One that can be pressed all the same says why. */
export const OFF = 'disabled:pointer-events-none off:bg-transparent off:text-fg-3 off:opacity-60 off:active:scale-100'
const OFF_EDGE = 'off:border off:border-line-2'

const VARIANTS = {
  primary: 'bg-solid text-on-solid hover:bg-solid-hover',
  secondary: 'border border-line-2 bg-transparent text-fg hover:bg-hover',
  ghost: 'text-fg-2 hover:bg-hover hover:text-fg',
  danger: 'bg-bad-solid text-white hover:brightness-110',
  offer: 'border border-brand-line bg-brand-bg text-brand hover:brightness-110',
}

/** Returns a button's classes for links: `<Link to="/buy" className={buttonClass()}>`. */
export function buttonClass({ variant = 'primary', size = 'md', wide }: ButtonLook = {}, className?: string): string {
  return cx(
    'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-semibold ' +
      'text-center whitespace-nowrap select-none',
    'large-text:shrink',
    'transition-[background-color,color,scale,filter] duration-150 active:scale-[.98]',
    'aria-busy:pointer-events-none',
    OFF,
    variant !== 'ghost' && OFF_EDGE,
    // An invisible edge makes a small button's target 44 px high.
    size === 'md'
      ? 'min-h-11 px-[18px] text-base'
      : 'min-h-9 px-3.5 text-sm after:absolute after:inset-x-0 after:-inset-y-[5px]',
    wide && 'w-full',
    VARIANTS[variant],
    className,
  )
}

interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'type'> {
  type?: 'button' | 'submit'
  /** True while working: a spinner, no second click, the same width. */
  pending?: boolean | undefined
  /** The reason why this is not allowed, said on a try. */
  denied?: string | undefined
  /** Icon before the text, 16–18 px. */
  icon?: ReactNode
}

/** `<Button onClick pending variant size wide icon>`. `type` defaults to button. */
export function Button({
  variant,
  size,
  wide,
  pending,
  denied,
  icon,
  type = 'button',
  className,
  children,
  ...rest
}: ButtonProps) {
  const look: ButtonLook = {
    ...(variant && { variant }),
    ...(size && { size }),
    ...(wide && { wide }),
  }
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- one of two literals, by the props' type
      type={type}
      aria-busy={pending || undefined}
      {...(denied && { 'aria-disabled': true, disabled: false, title: denied })}
      onClick={
        pending || denied
          ? (event) => {
              event.preventDefault()
              if (denied) toast(denied, { tone: 'info' })
            }
          : rest.onClick
      }
      className={buttonClass(look, className)}
    >
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <span className="spinner text-lg" />
        </span>
      )}
      <span className={cx('inline-flex items-center gap-2', pending && 'opacity-0')}>
        {icon}
        {children}
      </span>
    </button>
  )
}
