// Uses the roles of the WAI-ARIA combobox, whose keyboard stays in the input.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Search, X } from 'lucide-react'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { cx } from '../../ui/cx.ts'
import { Modal } from '../../ui/overlays/modal.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { useFound, type FoundGroup, type FoundRow } from './quick-search-rows.ts'

/** Between the last letter and the question to the store. */
const PAUSE_MS = 200

/** One field for users, payments, keys, products, pages and actions: a combobox whose list is always open. */
export function QuickSearch({ open, onClose }: DialogProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const { groups, isAsking, error } = useFound(typed.trim(), usePaused(typed.trim()))
  const rows = groups.flatMap((group) => group.rows)
  const [activeId, setActiveId] = useState<string>()
  const active = rows.find(({ id }) => id === activeId) ?? rows[0]
  const choose = (row: FoundRow) => {
    onClose()
    row.run()
  }
  const setHurried = useHurry(isAsking, () => active && choose(active))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by && active) {
      event.preventDefault()
      const next = rows[(rows.indexOf(active) + by + rows.length) % rows.length] ?? active
      setActiveId(next.id)
      document.getElementById(idOf(listId, next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // While the answer is on its way, the first row is not yet the one that is meant
      if (isAsking && !(active && active.id === activeId)) setHurried(true)
      else if (active) choose(active)
    }
  }
  return (
    <Modal
      open={open}
      onClose={onClose}
      label={t('Search')}
      className="sheet sm:mt-[15dvh]!"
      data={{ 'data-size': 'wide' }}
    >
      <div className="flex items-center gap-3 border-b border-line pr-2 pl-4">
        <Search size={18} aria-hidden className="shrink-0 text-fg-3" />
        <input
          data-autofocus
          type="text"
          role="combobox"
          aria-label={t('Search users, payments, keys, products and pages')}
          placeholder={t('Search')}
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active && idOf(listId, active)}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setActiveId(undefined)
            setHurried(false)
          }}
          onKeyDown={onKeyDown}
          className="h-14 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-fg-3"
        />
        <IconButton label={t('Close')} icon={<X size={18} aria-hidden />} onClick={onClose} />
      </div>
      {/* A phone's sheet grows upwards, so it keeps its height */}
      <div className="flex h-[min(50dvh,26rem)] flex-col pb-[env(safe-area-inset-bottom)] sm:h-auto">
        {/* Another word begins at the top */}
        <Results key={typed} id={listId} groups={groups} active={active} onPoint={setActiveId} onChoose={choose} />
        <output className={cx('px-5 text-sm text-fg-2', rows.length > 0 && !error ? 'sr-only' : 'py-4')}>
          {error ? errorMessage(error) : isAsking ? t('Searching…') : countText(rows.length)}
        </output>
      </div>
    </Modal>
  )
}

const idOf = (listId: string, row: FoundRow) => `${listId}-${row.id}`

const countText = (count: number): string =>
  count > 0
    ? t('{count, plural, one {# result} other {# results}}', { count })
    : t('Nothing found. Try a name, a UTR, a key or a product.')

interface ResultsProps {
  id: string
  groups: readonly FoundGroup[]
  active: FoundRow | undefined
  onPoint: (id: string) => void
  onChoose: (row: FoundRow) => void
}

function Results({ id, groups, active, onPoint, onChoose }: ResultsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('Results')}
      className={cx(
        'max-h-[min(50dvh,26rem)] min-h-0 scroll-y overscroll-contain px-2',
        groups.length > 0 && 'flex-auto py-2',
      )}
    >
      {groups.map(({ name, rows }) => (
        <div key={name} role="group" aria-label={name} className="pb-2">
          <p aria-hidden className="px-3 py-1 text-xs font-medium text-fg-3">
            {name}
          </p>
          {rows.map((row) => (
            <div
              key={row.id}
              id={idOf(id, row)}
              role="option"
              aria-selected={row === active}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => onPoint(row.id)}
              onClick={() => onChoose(row)}
              className={cx(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-sm',
                row === active && 'bg-hover',
              )}
            >
              <span className="min-w-0 flex-1 truncate font-medium">{row.label}</span>
              {row.note && <span className="tabular max-w-1/2 truncate text-xs text-fg-2">{row.note}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** @returns to be called with true when Enter comes before the answer: `choose` is then called with it */
function useHurry(isAsking: boolean, choose: () => void): (on: boolean) => void {
  const isHurried = useRef(false)
  useEffect(() => {
    if (!isHurried.current || isAsking) return
    isHurried.current = false
    choose()
  })
  return (on) => {
    isHurried.current = on
  }
}

/** @returns what was typed, once typing pauses */
function usePaused(typed: string): string {
  const [asked, setAsked] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return asked
}
