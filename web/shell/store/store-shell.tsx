import type { ReactNode } from 'react'
import { t } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session/session.ts'
import { cx } from '../../ui/cx.ts'
import { SkipLink } from '../../ui/page/skip-link.tsx'
import { StoreHeader } from './store-header.tsx'
import { Link } from '../../platform/navigation/router.tsx'
import { useSite } from '../../platform/calls/site.ts'
import { LanguageLinks } from '../../ui/page/language-links.tsx'
import { STORE_LINKS } from './store-links.ts'

/** Draws header, page and footer of the user area. */
export function StoreShell({ children }: { children: ReactNode }) {
  const { user } = useSession()
  return (
    <div className={cx('flex min-h-dvh flex-col', user && 'tabbed')}>
      <SkipLink />
      <StoreHeader />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-store flex-1 px-4 pt-4 pb-12 sm:px-6 sm:pt-8">
        {children}
      </main>
      <StoreFooter />
      {user && <StoreTabs />}
    </div>
  )
}

const link = 'inline-flex min-h-11 items-center hover:text-fg hover:underline'

function StoreFooter() {
  const { websiteName } = useSite()
  return (
    <footer className="border-t border-line">
      <div
        className={
          'mx-auto flex max-w-store flex-wrap items-center justify-between gap-x-6 px-4 py-3 ' +
          'pb-[max(0.75rem,env(safe-area-inset-bottom))] text-sm text-fg-2 sm:px-6'
        }
      >
        <p className="min-w-0 wrap-anywhere">{websiteName}</p>
        <Link to="/terms-policy" className={link}>
          {t('Terms and policy')}
        </Link>
        <LanguageLinks className={link} />
      </div>
    </footer>
  )
}

/** Holds the four screens under the thumb, where the header has no room for them. CSS hides it while a person types. */
function StoreTabs() {
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
