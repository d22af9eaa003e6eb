import { useEffect } from 'react'
import { Search } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'

const QuickSearch = lazyPart(() => import('./quick-search.tsx').then((file) => file.QuickSearch))
const open = () => openDialog(QuickSearch, {})

/** Opens the quick search, as ⌘K, Ctrl+K and / do: a button in the bar, and on a desk with a field's look. */
export function SearchButton() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isHotkey = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyK'
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)
      if ((!isHotkey && !isSlash) || event.defaultPrevented || document.querySelector('dialog[open]')) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const shared = { 'aria-haspopup': 'dialog', 'aria-keyshortcuts': 'Control+K Meta+K /', onClick: open } as const
  return (
    <>
      <button
        type="button"
        {...shared}
        className={
          'flex h-9 w-52 items-center gap-2.5 rounded-control border border-line-2 bg-sunken px-3 text-sm text-fg-3 ' +
          'hover:text-fg max-wide:hidden'
        }
      >
        <Search size={16} aria-hidden />
        {t('Search')}
        <kbd aria-hidden className="ml-auto font-mono text-xs">
          /
        </kbd>
      </button>
      <IconButton {...shared} label={t('Search')} icon={<Search size={19} aria-hidden />} className="wide:hidden" />
    </>
  )
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
