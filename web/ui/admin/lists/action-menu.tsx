import { useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Ellipsis } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import type { Path, Target } from '../../../platform/navigation/navigation.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { Button, buttonClass } from '../../buttons/button.tsx'
import { Modal } from '../../overlays/modal.tsx'
import { cx } from '../../cx.ts'

type To<P extends Path> = Target<P> & { to: P }
type LinkTarget = { [P in Path]: To<P> }[Path]

/** One action of a row or a list: a button, an icon in a table, or a menu item. */
export interface Action {
  /** On the button: "Edit". */
  label: string
  /** To screen readers, and as the icon's tooltip. Begins with the label: "Edit Orbit Arena Pro". */
  name?: string
  /** A lucide icon of 17 px. */
  icon: ReactNode
  run?: () => void
  /** Leads to another screen instead. */
  link?: LinkTarget
  pending?: boolean | undefined
  disabled?: boolean | undefined
  /** The reason why this is not allowed, said on a try. */
  denied?: string | undefined
  /** Destroys: red, and always in the menu of a card. */
  danger?: boolean
}

type ActionButtonProps = { action: Action } & Pick<
  ComponentProps<typeof Button>,
  'variant' | 'size' | 'wide' | 'className'
>

type ActionLinkProps = { to: LinkTarget } & Pick<
  ComponentProps<'a'>,
  'aria-label' | 'title' | 'onClick' | 'className' | 'children'
>

export function ActionLink({ to, ...rest }: ActionLinkProps) {
  return <Link<Path> {...to} {...rest} />
}

/** Shows an action with its label. `<ActionButton action variant size />` */
export function ActionButton({ action, className = '', ...look }: ActionButtonProps) {
  const { label, name, run, link, danger, ...rest } = action
  if (link && !rest.denied) {
    return (
      <ActionLink to={link} aria-label={name} onClick={run} className={buttonClass(look, className)}>
        {rest.icon}
        {label}
      </ActionLink>
    )
  }
  return (
    <Button {...look} {...rest} aria-label={name} data-decides={danger} onClick={run} className={className}>
      {label}
    </Button>
  )
}

interface ActionMenuProps {
  /** What the actions are about: "Orbit Arena Pro". */
  about: string
  actions: readonly Action[]
  size?: 'md' | 'sm'
}

/** "More": a menu under its button, and on phones a sheet for the thumb. Nothing without actions. */
export function ActionMenu({ about, actions, size = 'sm' }: ActionMenuProps) {
  const [open, setOpen] = useState(false)
  const [isReversed, setReversed] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  if (actions.length === 0) return null
  const close = () => setOpen(false)
  return (
    <>
      <Button
        size={size}
        variant="ghost"
        icon={<Ellipsis size={17} aria-hidden />}
        aria-label={t('More: {name}', { name: about })}
        aria-haspopup="dialog"
        aria-expanded={open}
        pending={actions.some(({ pending }) => pending)}
        onClick={({ clientY }) => {
          flushSync(() => {
            setReversed(false)
            setOpen(true)
          })
          setReversed(isDangerAt(list.current, clientY))
        }}
        className={cx('menu-button', size === 'sm' ? 'px-2.5!' : 'max-wide:-my-1')}
      >
        {t('More')}
      </Button>
      <Modal open={open} onClose={close} label={about} className="sheet menu">
        <p className="px-5 pt-4 text-sm font-semibold wrap-anywhere wide:hidden" aria-hidden>
          {about}
        </p>
        <ul ref={list} className="grid scroll-y p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
          {(isReversed ? actions.toReversed() : actions).map((action) => (
            <li key={action.label}>
              <ActionButton
                variant="ghost"
                wide
                // The menu is gone before the next dialog opens, so that the focus comes back here in the end.
                action={{ ...action, run: () => (flushSync(close), action.run?.()) }}
                className={cx(
                  'justify-start! font-medium!',
                  !action.disabled && !action.denied && (action.danger ? 'text-bad!' : 'text-fg!'),
                )}
              />
            </li>
          ))}
        </ul>
      </Modal>
    </>
  )
}

/** True if what destroys would come to lie at this height, where the finger is. A sheet is still on its way up. */
function isDangerAt(list: HTMLElement | null, y: number): boolean {
  const sheet = list?.closest('dialog')?.getBoundingClientRect()
  if (!list || !sheet) return false
  const onItsWay = matchMedia('(min-width: 56.3125rem)').matches ? 0 : Math.max(0, sheet.bottom - innerHeight)
  return [...list.querySelectorAll('[data-decides]')].some((line) => {
    const { top, bottom } = line.getBoundingClientRect()
    return y >= top - onItsWay && y <= bottom - onItsWay
  })
}
