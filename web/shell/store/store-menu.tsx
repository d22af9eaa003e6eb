import { LogIn, LogOut, MessageCircle, UserRound, X } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { useSession } from '../../platform/session/session.ts'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { LanguageLinks } from '../../ui/page/language-links.tsx'
import { Brand } from '../../ui/page/brand.tsx'
import { SupportLink } from '../../ui/page/support-link.tsx'
import { PanelLink } from './panel-link.tsx'
import { LINK_LOOK, STORE_LINKS } from './store-links.ts'

const drawerLink =
  'flex min-h-12 w-full items-center gap-3 rounded-control px-3 font-medium transition-colors hover:bg-hover'

interface StoreMenuProps {
  open: boolean
  onClose: () => void
  onLogout: () => Promise<void>
}

/** Holds every link of the header, where it has no room for them. */
export function StoreMenu({ open, onClose, onLogout }: StoreMenuProps) {
  const { user } = useSession()
  return (
    <Drawer open={open} onClose={onClose} label={t('Menu')}>
      <div className="flex h-16 items-center justify-between border-b border-line pr-2 pl-4">
        <Brand />
        <IconButton label={t('Close')} icon={<X size={20} aria-hidden />} onClick={onClose} />
      </div>
      <nav aria-label={t('Menu')} className="flex flex-auto flex-col gap-1 scroll-y p-3">
        {STORE_LINKS.map(({ to, label, Icon }) => (
          <Link key={to} to={to} onClick={onClose} className={drawerLink} {...LINK_LOOK}>
            <Icon size={19} aria-hidden />
            {label()}
          </Link>
        ))}
        <div className="mt-auto grid gap-1 border-t border-line pt-3 pb-[env(safe-area-inset-bottom)]">
          <SupportLink className={drawerLink}>
            <MessageCircle size={19} aria-hidden />
            {t('Contact support')}
          </SupportLink>
          <LanguageLinks className={`${drawerLink} text-fg-2`} />
          <PanelLink className={drawerLink} />
          {user ? (
            <>
              <Link to="/account" onClick={onClose} className={drawerLink} {...LINK_LOOK}>
                <UserRound size={19} aria-hidden />
                <span translate="no" className="min-w-0 truncate">
                  {user.username}
                </span>
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
