import { Fragment, type ReactNode } from 'react'
import { cx } from '../../cx.ts'
import { IconButton } from '../../buttons/icon-button.tsx'
import { ActionButton, ActionLink, ActionMenu, type Action } from './action-menu.tsx'

/** A record as a phone shows it: what it is, its main figure and state, and what can be done. */
export interface RecordFace {
  /** What the record is called, also in its menu. */
  name: string
  /** The name as it is shown, such as with a link; the name itself by default. */
  title?: ReactNode
  /** Under the name, small: an email. */
  caption?: ReactNode
  /** Before the name, 44 px: a cover, a checkbox, a handle. */
  picture?: ReactNode
  /** Top right: an amount, a count. */
  figure?: ReactNode
  /** What the figure is, where the list does not say it: "Profit". */
  figureName?: string
  /** Under the figure: a Chip. */
  state?: ReactNode
  /** Less important facts, on one or two lines with dots between. Empty ones are left out. */
  facts?: readonly ReactNode[]
  /** Under the facts, for what needs lines of its own. */
  children?: ReactNode
  /** At the right end of the buttons: a Switch with its label. */
  aside?: ReactNode
}

/** Actions that a card shows as buttons, beside a switch or alone. The rest is in its menu. */
const BUTTONS = { beside: 1, alone: 2 }
const ICONS_MAX = 4

interface RecordCardProps {
  face: RecordFace
  actions?: readonly Action[] | undefined
  /** Under what is under the facts. */
  controls?: ReactNode
  /** As buttons, without a switch beside them. */
  most?: number | undefined
}

export function RecordCard({ face, actions = [], controls, most = BUTTONS.alone }: RecordCardProps) {
  const { name, title, caption, picture, figure, figureName, state, facts = [], children, aside } = face
  const said = facts.filter(Boolean)
  return (
    <>
      {/* A figure or a chip that leaves less than twelve letters to the name has a line of its own. */}
      <div className={cx('flex flex-wrap gap-x-3 gap-y-1.5', picture ? 'items-center' : 'items-start')}>
        {picture}
        <div className="min-w-0 flex-1 basis-[12ch]">
          <div data-name className="font-semibold wrap-anywhere">
            {title ?? name}
          </div>
          {caption && <div className="text-xs wrap-anywhere text-fg-3">{caption}</div>}
        </div>
        {(figure || state) && (
          <div className="ml-auto grid max-w-full shrink-0 justify-items-end gap-1 text-right">
            {figure && (
              <div className="tabular text-lg font-semibold">
                <span className="text-xs font-normal text-fg-3">{figureName}</span> {figure}
              </div>
            )}
            {state}
          </div>
        )}
      </div>
      {said.length > 0 && (
        <div className="mt-1.5 text-sm wrap-anywhere text-fg-2">
          {said.map((fact, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- facts have no names, and keep their order
            <Fragment key={at}>
              {at > 0 && <span aria-hidden>{'\u00a0· '}</span>}
              <span>{fact}</span>
            </Fragment>
          ))}
        </div>
      )}
      {(children || controls) && (
        <div className="mt-1.5">
          {children}
          {controls}
        </div>
      )}
      {(actions.length > 0 || aside) && (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <NamedActions about={name} actions={actions} most={aside ? BUTTONS.beside : most} />
          {aside && <div className="ml-auto">{aside}</div>}
        </div>
      )}
    </>
  )
}

interface NamedActionsProps {
  about: string
  actions: readonly Action[]
  /** As buttons. */
  most: number
}

function NamedActions({ about, actions, most }: NamedActionsProps) {
  const buttons = actions.filter(({ danger }) => !danger).slice(0, most)
  const rest = actions.filter((action) => !buttons.includes(action))
  // Two buttons and the menu share one line of a phone where their labels speak alone
  const isTight = buttons.length > 1 && rest.length > 0
  return (
    <>
      {buttons.map((action) => (
        <ActionButton
          key={action.label}
          action={isTight ? { ...action, icon: null } : action}
          size="sm"
          variant="secondary"
          className="px-2.5!"
        />
      ))}
      <ActionMenu about={about} actions={rest} />
    </>
  )
}

interface RowActionsProps {
  about: string
  actions: readonly Action[]
  most?: number | undefined
  /** True where another row has too many for icons. */
  isNamed?: boolean | undefined
}

const fitsIcons = (actions: readonly Action[]): boolean => actions.length <= ICONS_MAX
/** True for a single harmless action, which gets a word instead of an icon. */
const isOne = ([first, ...others]: readonly Action[]): boolean => others.length === 0 && !first?.danger

/** True for rows whose actions have words: too many for icons, or one that is what the list is for. */
export const needsNames = (rows: readonly (readonly Action[])[]): boolean =>
  rows.some((actions) => !fitsIcons(actions)) || rows.every(isOne)

/** Actions in a table's last cell: a few as icons with tooltips, more as on a card. */
export function RowActions({ about, actions, most = BUTTONS.alone, isNamed }: RowActionsProps) {
  if (!isNamed && fitsIcons(actions)) return <RowIcons actions={actions} />
  return (
    <div className="flex items-center justify-end gap-2">
      <NamedActions about={about} actions={actions} most={most} />
    </div>
  )
}

export function RowIcons({ actions }: { actions: readonly Action[] }) {
  return (
    <div className="flex items-center justify-end gap-1">
      {actions.map(({ label, name = label, run, link, danger, ...rest }) =>
        link && !rest.denied ? (
          <ActionLink
            key={label}
            to={link}
            aria-label={name}
            title={name}
            className={
              'relative inline-grid size-10 shrink-0 place-items-center rounded-control text-fg-2 ' +
              'transition-colors after:absolute after:-inset-1 hover:bg-hover hover:text-fg'
            }
          >
            {rest.icon}
          </ActionLink>
        ) : (
          <IconButton key={label} label={name} {...rest} onClick={run} variant={danger ? 'danger' : undefined} />
        ),
      )}
    </div>
  )
}
