import { Link, useNavigate } from '../platform/router.tsx'
import { Gift, LogIn, LogOut, Menu, UserRound, X } from 'lucide-react'
import { useState } from 'react'
import { getBoot } from '../platform/boot.ts'
import { t } from '../platform/i18n.ts'
import { signOut, useSession } from '../platform/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Brand } from './brand.tsx'
import { STORE_LINKS } from './store-links.ts'
import { ThemeToggle } from './theme-toggle.tsx'

const inlineLink =
  'inline-flex min-h-9 items-center rounded-control px-3 text-sm font-medium transition-colors hover:text-fg ' +
  'relative after:absolute after:inset-x-0 after:-inset-y-1'
const drawerLink =
  'flex min-h-12 w-full items-center gap-3 rounded-control px-3 font-medium transition-colors hover:bg-hover'

const active = { activeClassName: 'bg-hover text-fg', inactiveClassName: 'text-fg-2' }

export function StoreHeader() {
  const { hasOffers } = getBoot().upi
  const [menuOpen, setMenuOpen] = useState(false)
  const navigate = useNavigate()
  const logout = async () => {
    setMenuOpen(false)
    await signOut()
    await navigate({ to: '/login' })
  }

  return (
    <header className="bar sticky top-0 z-30 border-b border-line pt-[env(safe-area-inset-top)]">
      <div className="mx-auto flex h-16 max-w-store items-center gap-2 px-4 large-text:gap-0 large-text:px-2 sm:px-6">
        <Link to="/" className="mr-auto flex min-h-11 min-w-0 items-center rounded-control wide:mr-4">
          <Brand />
        </Link>
        <nav aria-label={t('Main')} className="mr-auto hidden gap-1 wide:flex">
          {STORE_LINKS.map(({ to, label }) => (
            <Link key={to} to={to} className={inlineLink} {...active}>
              {label()}
            </Link>
          ))}
        </nav>

        <Link to="/add-balance" className={buttonClass({ variant: hasOffers ? 'offer' : 'secondary', size: 'sm' })}>
          <Gift size={16} aria-hidden />
          {/* On a phone with double-size text only the mark fits. */}
          <span className="large-text:sr-only">{t('Offers')}</span>
        </Link>
        <ThemeToggle />
        <div className="hidden items-center wide:flex">
          <InlineAccount onLogout={logout} />
        </div>
        <IconButton
          label={t('Menu')}
          icon={<Menu size={20} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={menuOpen}
          onClick={() => setMenuOpen(true)}
          className="-mr-2 large-text:mr-0 wide:hidden"
        />
      </div>
      <MenuDrawer open={menuOpen} onClose={() => setMenuOpen(false)} onLogout={logout} />
    </header>
  )
}

interface AccountProps {
  onLogout: () => Promise<void>
}

/** An admin's way back to the panel. */
function PanelLink({ className }: { className: string }) {
  return (
    useSession().admin && (
      <Link to="/admin" className={className}>
        {t('Admin panel')}
      </Link>
    )
  )
}

function InlineAccount({ onLogout }: AccountProps) {
  const { user } = useSession()
  if (!user)
    return (
      <>
        <PanelLink className={`${inlineLink} text-fg-2`} />
        <Link to="/login" className={`${inlineLink} text-fg-2`}>
          {t('Login')}
        </Link>
      </>
    )
  return (
    <>
      <PanelLink className={`${inlineLink} text-fg-2`} />
      <Link to="/account" className={inlineLink} {...active}>
        <span className="max-w-32 truncate">{user.username}</span>
      </Link>
      <button type="button" onClick={() => void onLogout()} className={`${inlineLink} text-fg-2`}>
        {t('Logout')}
      </button>
    </>
  )
}

interface MenuDrawerProps extends AccountProps {
  open: boolean
  onClose: () => void
}

function MenuDrawer({ open, onClose, onLogout }: MenuDrawerProps) {
  const { user } = useSession()
  return (
    <Drawer open={open} onClose={onClose} label={t('Menu')}>
      <div className="flex h-16 items-center justify-between border-b border-line pr-2 pl-4">
        <Brand />
        <IconButton label={t('Close')} icon={<X size={20} aria-hidden />} onClick={onClose} />
      </div>
      <nav aria-label={t('Menu')} className="flex flex-1 flex-col gap-1 overflow-y-auto p-3">
        {STORE_LINKS.map(({ to, label, Icon }) => (
          <Link key={to} to={to} onClick={onClose} className={drawerLink} {...active}>
            <Icon size={19} aria-hidden />
            {label()}
          </Link>
        ))}
        <div className="mt-auto grid gap-1 border-t border-line pt-3 pb-[env(safe-area-inset-bottom)]">
          <PanelLink className={drawerLink} />
          {user ? (
            <>
              <Link to="/account" onClick={onClose} className={drawerLink} {...active}>
                <UserRound size={19} aria-hidden />
                <span className="min-w-0 truncate">{user.username}</span>
              </Link>
              <button type="button" onClick={() => void onLogout()} className={`${drawerLink} text-fg-2`}>
                <LogOut size={19} aria-hidden />
                {t('Logout')}
              </button>
            </>
          ) : (
            <Link to="/login" onClick={onClose} className={`${drawerLink} text-fg-2`}>
              <LogIn size={19} aria-hidden />
              {t('Login')}
            </Link>
          )}
        </div>
      </nav>
    </Drawer>
  )
}
