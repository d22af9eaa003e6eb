import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { STORE_LINKS } from './store-links.ts'

/** Holds the four screens under the thumb, where the header has no room for them. CSS hides it while a person types. */
export function StoreTabs() {
  return (
    <nav aria-label={t('Main')} className="tabs bar fixed inset-x-0 bottom-0 z-20 grid grid-cols-4 wide:hidden">
      {STORE_LINKS.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          className="grid h-14 content-center justify-items-center gap-1 text-center text-xs font-medium"
          activeClassName="text-brand"
          inactiveClassName="text-fg-2"
        >
          <Icon size={20} aria-hidden />
          <span className="large-text:sr-only">{label()}</span>
        </Link>
      ))}
    </nav>
  )
}
