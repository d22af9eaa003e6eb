import { useEffect, useRef, useState } from 'react'
import { Search, X } from 'lucide-react'
import { SEARCH_DEBOUNCE_MS } from '../../../contract/limits.ts'
import { t } from '../../platform/i18n.ts'
import { cx } from '../cx.ts'

interface SearchInputProps {
  /** Its name: "Search name or email". A phone would cut it, so the field itself says less. */
  label: string
  value: string
  /** Called when typing pauses, and at once on Enter or clearing. */
  onChange: (value: string) => void
  /** 400 ms by default. 0 for lists searched in the browser. */
  debounceMs?: number
  className?: string
}

/** `<SearchInput label value onChange debounceMs />` */
export function SearchInput({ label, value, onChange, debounceMs = SEARCH_DEBOUNCE_MS, className }: SearchInputProps) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [known, setKnown] = useState(value)
  // Changed from outside, by a link or the Back button.
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  const say = (text: string) => {
    clearTimeout(timer.current)
    setKnown(text)
    onChange(text)
  }
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    if (debounceMs === 0) say(text)
    else timer.current = setTimeout(() => say(text.trim()), debounceMs)
  }
  return (
    <search className={cx('relative block', className)}>
      <Search size={17} aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 text-fg-3" />
      <input
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={t('Search')}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && (event.key !== 'Escape' || !typed)) return
          // Neither submits the form around it nor closes the dialog
          event.preventDefault()
          if (event.key === 'Enter') say(typed.trim())
          else {
            setTyped('')
            say('')
          }
        }}
        className="control px-10"
      />
      {typed && (
        <button
          type="button"
          aria-label={t('Clear search')}
          onClick={() => {
            setTyped('')
            say('')
          }}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-fg-3 hover:text-fg"
        >
          <X size={16} aria-hidden />
        </button>
      )}
    </search>
  )
}
