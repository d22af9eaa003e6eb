// Uses the roles of the WAI-ARIA combobox, because HTML has no element for a searchable list. The keyboard moves
// through the list from the input, which keeps the focus.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events */
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import { Check, ChevronsUpDown } from 'lucide-react'
import { t } from '../platform/i18n.ts'
import { useFieldControl } from '../ui/fields/field-context.ts'
import { cx } from '../ui/cx.ts'

export interface ComboboxOption {
  value: string
  label: string
  /** Another name that finds it. */
  alias?: string
  /** Text at the right end of its line, such as stock or a price. */
  note?: string
  disabled?: boolean
}

interface ComboboxProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'role'> {
  options: readonly ComboboxOption[]
  /** The chosen option's value, or '' for none. */
  value: string
  onChange: (value: string) => void
  /** Shown if nothing matches the typed text. */
  emptyText?: string
}

/**
 * Picks from a long list by typing part of a name (the WAI-ARIA combobox with a list).
 * `<Combobox options value onChange placeholder emptyText />` in a Field.
 */
export function Combobox({ options, value, onChange, emptyText, className, ...rest }: ComboboxProps) {
  const listId = useId()
  const [open, shown, activeIndex, setActiveIndex, choose, control] = useCombobox(options, value, onChange)
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  usePopup(open, field, popup)
  useEffect(() => {
    if (open && activeIndex >= 0) list.current?.children[activeIndex]?.scrollIntoView({ block: 'nearest' })
  }, [open, activeIndex])
  const active = open ? shown[activeIndex] : undefined
  const isVain = open && shown.length === 0
  const optionId = (option: ComboboxOption) => `${listId}-${options.indexOf(option)}`

  return (
    <div ref={field} className={cx('relative', className)}>
      <input
        {...useFieldControl()}
        {...rest}
        type="text"
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active && optionId(active)}
        autoComplete="off"
        spellCheck={false}
        {...control}
        className="control truncate pr-10"
      />
      <ChevronsUpDown size={16} aria-hidden className="pointer-events-none absolute top-3.5 right-3.5 text-fg-3" />
      <div
        ref={popup}
        popover="manual"
        className="popup rounded-card border border-line-2 bg-raised text-fg shadow-raised"
      >
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label={t('Options')}
          className="min-h-0 flex-auto scroll-y overscroll-contain p-1"
        >
          {shown.map((option, index) => (
            <div
              key={option.value}
              id={optionId(option)}
              role="option"
              aria-selected={option.value === value}
              aria-disabled={option.disabled || undefined}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setActiveIndex(index)}
              onClick={() => choose(option)}
              className={cx(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-base',
                index === activeIndex && 'bg-hover',
                option.disabled && 'cursor-not-allowed text-fg-3',
              )}
            >
              <span className="flex min-w-0 flex-1 flex-col py-1.5 sm:flex-row sm:items-center sm:gap-3">
                <span className="min-w-0 truncate sm:flex-1">{option.label}</span>
                {option.note && <span className="tabular shrink-0 text-xs text-fg-2">{option.note}</span>}
              </span>
              <Check
                size={17}
                aria-hidden
                className={cx('shrink-0 text-brand', option.value !== value && 'invisible')}
              />
            </div>
          ))}
        </div>
        <output className={cx('block text-sm text-fg-2', isVain && 'px-4 py-3')}>
          {isVain && (emptyText ?? t('No match. Try another word.'))}
        </output>
      </div>
    </div>
  )
}

/** Holds what is typed and which option is active, and moves through the list. */
function useCombobox(options: readonly ComboboxOption[], value: string, onChange: (value: string) => void) {
  const chosen = options.find((option) => option.value === value)
  const [open, setOpen] = useState(false)
  // Undefined until something is typed. The whole list and the choice then show.
  const [typed, setTyped] = useState<string>()
  const [activeIndex, setActiveIndex] = useState(-1)
  const shown = search(options, typed ?? '')
  const active = open ? shown[activeIndex] : undefined

  const show = () => {
    if (open) return
    setOpen(true)
    setActiveIndex(chosen ? options.indexOf(chosen) : -1)
  }
  const hide = () => {
    setOpen(false)
    setTyped(undefined)
  }
  const choose = (option: ComboboxOption) => {
    if (option.disabled) return
    onChange(option.value)
    hide()
  }
  const move = (by: 1 | -1) => {
    if (open) setActiveIndex(nextIndex(shown, activeIndex, by))
    else show()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      const option = active ?? (shown.length === 1 ? shown[0] : undefined)
      if (option) choose(option)
    } else if (event.key === 'Escape' && open) {
      // Closes the list, but not the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      hide()
    } else if (event.key === 'Tab' && active && typed !== undefined) {
      choose(active)
    }
  }

  const control = {
    value: typed ?? chosen?.label ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const text = event.target.value
      setTyped(text)
      setOpen(true)
      setActiveIndex(text.trim() ? search(options, text).findIndex((option) => !option.disabled) : -1)
    },
    onClick: (event: MouseEvent<HTMLInputElement>) => {
      show()
      if (typed === undefined) event.currentTarget.select()
    },
    onKeyDown,
    onBlur: hide,
  }
  return [open, shown, activeIndex, setActiveIndex, choose, control] as const
}

/** Returns the next option that can be chosen, around the end of the list. */
function nextIndex(shown: readonly ComboboxOption[], from: number, by: 1 | -1): number {
  const count = shown.length
  for (let step = 1; step <= count; step++) {
    const next = (from + by * step + count * (step + 1)) % count
    if (!shown[next]?.disabled) return next
  }
  return from
}

const GAP_PX = 6
const EDGE_PX = 12
const HEIGHT_MIN_PX = 120
const HEIGHT_MAX_PX = 324
const ROOM_ENOUGH_PX = 220

/**
 * Opens the list in the top layer, over dialogs and clipping parents, and keeps it at the field: below, or above if
 * there is more room, as with a phone's keyboard up. Older browsers have no top layer for it.
 */
function usePopup(open: boolean, field: RefObject<HTMLElement | null>, popup: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const list = popup.current
    if (!open || !list) return undefined
    const place = () => {
      const box = field.current?.getBoundingClientRect()
      if (box) placeAt(list, box)
    }
    list.setAttribute('data-open', '')
    if ('showPopover' in list) list.showPopover()
    place()
    window.addEventListener('scroll', place, { capture: true, passive: true })
    window.addEventListener('resize', place)
    window.visualViewport?.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, { capture: true })
      window.removeEventListener('resize', place)
      window.visualViewport?.removeEventListener('resize', place)
      list.removeAttribute('data-open')
      if ('hidePopover' in list) list.hidePopover()
    }
  }, [open, field, popup])
}

function placeAt(list: HTMLElement, box: DOMRect): void {
  const view = window.visualViewport
  const top = view?.offsetTop ?? 0
  const bottom = top + (view?.height ?? window.innerHeight)
  const below = bottom - box.bottom - GAP_PX - EDGE_PX
  const above = box.top - top - GAP_PX - EDGE_PX
  const isBelow = below >= ROOM_ENOUGH_PX || below >= above
  Object.assign(list.style, {
    left: `${box.left}px`,
    width: `${box.width}px`,
    maxHeight: `${Math.min(HEIGHT_MAX_PX, Math.max(HEIGHT_MIN_PX, isBelow ? below : above))}px`,
    top: isBelow ? `${box.bottom + GAP_PX}px` : 'auto',
    bottom: isBelow ? 'auto' : `${window.innerHeight - box.top + GAP_PX}px`,
  })
}

/**
 * Returns the options that contain every typed word. Those with a word that begins with it come first. Nothing typed
 * finds all.
 */
function search(options: readonly ComboboxOption[], typed: string): ComboboxOption[] {
  const words = typed.trim().toLocaleLowerCase().split(/\s+/)
  const name = ({ label, alias }: ComboboxOption) => ` ${label} ${alias ?? ''}`.toLocaleLowerCase()
  const found = options.filter((option) => words.every((word) => name(option).includes(word)))
  const begins = (option: ComboboxOption) => name(option).includes(` ${words[0]}`)
  return [...found.filter(begins), ...found.filter((option) => !begins(option))]
}
