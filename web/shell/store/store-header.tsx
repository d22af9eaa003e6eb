import { Link, navigate } from '../../platform/navigation/router.tsx'
import { Gift, Menu, MessageCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getBoot } from '../../platform/calls/boot.ts'
import { t } from '../../platform/i18n.ts'
import { signOut, useSession } from '../../platform/session/session.ts'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Brand } from '../../ui/page/brand.tsx'
import { useSupport } from '../../ui/page/support-link.tsx'
import { PanelLink } from './panel-link.tsx'
import { LINK_LOOK, STORE_LINKS } from './store-links.ts'
import { ThemeToggle } from '../../ui/page/theme-toggle.tsx'

const bar = 'mx-auto flex h-16 max-w-store items-center gap-1 px-4 large-text:gap-0 large-text:px-2 sm:gap-2 sm:px-6'
const inlineLink =
  'inline-flex min-h-9 items-center rounded-control px-3 text-sm font-medium transition-colors hover:text-fg ' +
  'relative after:absolute after:inset-x-0 after:-inset-y-1'

/** Not needed for the first look. It is fetched right after, because it must also open without a network. */
const loadMenu = () => import('./store-menu.tsx').then((file) => file.StoreMenu)
const StoreMenu = lazyPart(loadMenu)

export function StoreHeader() {
  const { hasOffers } = getBoot().upi
  const support = useSupport()
  const [menuOpen, setMenuOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  useEffect(() => void loadMenu().catch(() => undefined), [])
  const logout = async () => {
    setMenuOpen(false)
    await signOut()
    await navigate({ to: '/login' })
  }

  return (
    <header className="bar sticky top-0 z-30 border-b border-line pt-[env(safe-area-inset-top)]">
      <div className={bar}>
        <Link to="/" className="mr-auto flex min-h-11 min-w-0 items-center rounded-control wide:mr-4">
          <Brand />
        </Link>
        <nav aria-label={t('Main')} className="mr-auto hidden gap-1 wide:flex">
          {STORE_LINKS.map(({ to, label }) => (
            <Link key={to} to={to} className={inlineLink} {...LINK_LOOK}>
              {label()}
            </Link>
          ))}
        </nav>

        <Link to="/add-balance" className={buttonClass({ variant: hasOffers ? 'offer' : 'secondary', size: 'sm' })}>
          <Gift size={16} aria-hidden />
          <span className="max-sm:sr-only">{t('Offers')}</span>
        </Link>
        <ThemeToggle />
        {support && (
          <a
            href={support.url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`${t('Contact support')} · ${support.place}`}
            className="support-link grid place-items-center text-brand hover:text-fg"
          >
            <MessageCircle size={20} aria-hidden />
          </a>
        )}
        <div className="hidden items-center wide:flex">
          <PanelLink className={`${inlineLink} text-fg-2`} />
          <InlineAccount onLogout={logout} />
        </div>
        <IconButton
          label={t('Menu')}
          icon={<Menu size={20} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={menuOpen}
          onClick={() => {
            setOpened(true)
            setMenuOpen(true)
          }}
          className="-mr-2 large-text:mr-0 wide:hidden"
        />
      </div>
      {wasOpened && <StoreMenu open={menuOpen} onClose={() => setMenuOpen(false)} onLogout={logout} />}
    </header>
  )
}

interface AccountProps {
  onLogout: () => Promise<void>
}

function InlineAccount({ onLogout }: AccountProps) {
  const { user } = useSession()
  if (!user)
    return (
      <Link to="/login" className={`${inlineLink} text-fg-2`}>
        {t('Login')}
      </Link>
    )
  return (
    <>
      <Link to="/account" className={inlineLink} {...LINK_LOOK}>
        <span translate="no" className="max-w-32 truncate">
          {user.username}
        </span>
      </Link>
      <button type="button" onClick={() => void onLogout()} className={`${inlineLink} text-fg-2`}>
        {t('Logout')}
      </button>
    </>
  )
}
