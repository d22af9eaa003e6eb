import '../../styles/admin.css'
import '../../platform/admin/panel-calls.ts'
import { Menu, PanelLeft, X, Ban } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode, useEffect } from 'react'
import { SIDEBAR_BREAKPOINT_PX } from '../../../contract/limits.ts'
import { SecurityAlerts } from '../../admins/admin/security-alerts.tsx'
import { declineStepUp } from '../../admins/admin/step-up.ts'
import { BankAlarms } from '../../bank/admin/queue/alarm-bar.tsx'
import { StepUpDialog } from '../../admins/admin/step-up-dialog.tsx'
import { denied } from '../../platform/admin/roles.ts'
import { Boundary } from '../../platform/navigation/boundary.tsx'
import { loadWords } from '../../platform/catalogues.ts'
import { t } from '../../platform/i18n.ts'
import { Link, useLocation } from '../../platform/navigation/router.tsx'
import { useSession } from '../../platform/session/session.ts'
import { useFace } from '../../platform/calls/site.ts'
import { useMedia } from '../../platform/use-media.ts'
import { GuideBar } from '../../reports/admin/guide/guide-bar.tsx'
import { StoreHealth } from '../../reports/admin/store-health.tsx'
import { settingsPages } from '../../settings/admin/settings-pages.ts'
import { cx } from '../../ui/cx.ts'
import { Dialogs } from '../../ui/overlays/dialogs.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Brand } from '../../ui/page/brand.tsx'
import { SkipLink } from '../../ui/page/skip-link.tsx'
import { ThemeToggle } from '../../ui/page/theme-toggle.tsx'
import { AdminNav, Dot } from './admin-nav.tsx'
import { adminLinks } from './panel-screens.ts'
import { SearchButton } from './search-button.tsx'
import { useActivity, useDoor, useWhatHolds } from './use-panel.ts'
import { usePanelManifest, useWaiting } from './use-waiting.ts'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { accentRules, type Accent } from '../../../contract/accents.ts'

export { panelScreens } from './panel-screens.ts'

/** Fetches the words of the panel with its frame. */
export const loadShell = () => loadWords('-panel').then(() => AdminShell)

/** The paper of one payment lies under Payments, and has no link of its own. */
const placeOf = (pathname: string) => (pathname === '/admin/proof' ? '/admin/payment-manager' : pathname)

/** Sidebar of 240 px, or 68 with icons alone; at 900 px and below a top bar with a drawer. */
function AdminShell({ children }: { children: ReactNode }) {
  const isWide = useMedia(`(min-width: ${SIDEBAR_BREAKPOINT_PX + 1}px)`)
  const [narrow, setNarrow] = useState(false)
  const { admin } = useSession()
  const { pathname, href } = useLocation()
  const { logout } = useDoor()
  const waiting = useWaiting()
  useWhatHolds()
  useActivity(href)
  usePanelManifest()
  usePanelAccent(useFace().accent)

  const links = adminLinks()
  // A page of a setting belongs to Settings. `/admin` is the dashboard too.
  const here = links.find(({ to }) => `${placeOf(pathname)}/`.startsWith(`${to}/`)) ?? links[0]
  const reason = here?.call && denied(here.call)
  return (
    <div id="admin" className="flex min-h-dvh">
      <SkipLink />
      {isWide !== false && (
        <aside
          className={cx(
            'sticky top-0 flex max-wide:hidden h-dvh shrink-0 flex-col border-r border-line bg-sunken ' +
              'transition-[width] duration-300 ease-out',
            narrow ? 'w-17' : 'w-60',
          )}
        >
          <div className="flex h-16 shrink-0 items-center overflow-hidden px-4.5">
            <Link to="/admin" className="min-w-0 rounded-control">
              <Brand hideName={narrow} />
            </Link>
          </div>
          <AdminNav here={here} waiting={waiting} narrow={narrow} onLogout={logout} />
        </aside>
      )}
      <div className="min-w-0 flex-1">
        <Bar
          title={settingsPages().find(({ to }) => pathname === to)?.label ?? here?.label}
          isWide={isWide}
          narrow={narrow}
          onNarrow={setNarrow}
          menu={<MenuDrawer here={here} waiting={waiting} logout={logout} />}
        />
        <main id="main" tabIndex={-1} className="mx-auto w-full max-w-admin px-4 pt-2 pb-8 sm:px-6 sm:pt-6 sm:pb-16">
          {admin && !admin.mustEnrol && <SecurityAlerts />}
          {admin && !reason && <GuideBar />}
          {admin && !reason && <StoreHealth />}
          {admin && !admin.mustEnrol && <BankAlarms />}
          {reason ? <ForbiddenPage reason={reason} /> : children}
        </main>
      </div>
      <Dialogs />
      <Boundary onError={answerUnshown}>
        <StepUpDialog />
      </Boundary>
    </div>
  )
}

interface BarProps {
  title: string | undefined
  /** Undefined until the width is known. */
  isWide: boolean | undefined
  narrow: boolean
  onNarrow: (narrow: boolean) => void
  menu: ReactNode
}

function Bar({ title, isWide, narrow, onNarrow, menu }: BarProps) {
  const { admin } = useSession()
  return (
    <header className="bar sticky top-0 z-30 flex h-16 items-center gap-3 border-b border-line px-4 sm:px-6">
      {isWide !== false && (
        <IconButton
          label={narrow ? t('Expand sidebar') : t('Collapse sidebar')}
          aria-expanded={!narrow}
          icon={<PanelLeft size={18} aria-hidden />}
          onClick={() => onNarrow(!narrow)}
          className="max-wide:hidden"
        />
      )}
      {isWide !== true && menu}
      <p className="mr-auto truncate font-semibold">{title}</p>
      {admin && !admin.mustEnrol && <SearchButton />}
      {admin && (
        <Link
          to="/admin/security"
          className={'hidden min-h-11 items-center rounded-control px-2 text-sm text-fg-3 hover:text-fg sm:inline-flex'}
        >
          <span className="max-w-40 truncate">{admin.username}</span>
        </Link>
      )}
      <ThemeToggle />
    </header>
  )
}

type NavProps = ComponentProps<typeof AdminNav>

interface MenuDrawerProps extends Pick<NavProps, 'here' | 'waiting'> {
  logout: NavProps['onLogout']
}

/** A phone's menu behind its button. The tap on it draws this alone again, not the frame around the screen. */
function MenuDrawer({ here, waiting, logout }: MenuDrawerProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <IconButton
        label={t('Menu')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        icon={
          <span className="relative">
            <Menu size={20} aria-hidden />
            {waiting > 0 && <Dot />}
          </span>
        }
        onClick={() => setOpen(true)}
        className="-ml-2 wide:hidden"
      />
      <Drawer open={isOpen} onClose={close} side="left" label={t('Menu')}>
        <div className="flex h-16 shrink-0 items-center justify-between border-b border-line pr-2 pl-4">
          <Link to="/admin" onClick={close} className="flex min-h-11 min-w-0 items-center rounded-control">
            <Brand />
          </Link>
          <IconButton label={t('Close')} icon={<X size={20} aria-hidden />} onClick={close} />
        </div>
        <AdminNav
          here={here}
          waiting={waiting}
          onLogout={() => {
            close()
            return logout()
          }}
          onFollow={close}
        />
      </Drawer>
    </>
  )
}

/** Treats a dialog that cannot be loaded as no proof. The waiting call then reports it. */
function answerUnshown(retry: () => void): void {
  declineStepUp()
  retry()
}

/** Shown instead of a screen that the admin's role does not include. */
function ForbiddenPage({ reason }: { reason: string }) {
  return (
    <Page title={t('You don’t have access')} hideTitle>
      <EmptyState
        icon={<Ban size={22} />}
        title={t('You don’t have access')}
        text={reason}
        action={
          <Link to="/admin/dashboard" className={buttonClass({ variant: 'secondary' })}>
            {t('Go to the dashboard')}
          </Link>
        }
        className="py-24"
      />
    </Page>
  )
}

let sheet: CSSStyleSheet | undefined

/** Shows the panel in this accent, also when it changes after the page was sent. */
function usePanelAccent(accent: Accent): void {
  useEffect(() => {
    if (!sheet) {
      // Older browsers show it from the next page on
      if (!('adoptedStyleSheets' in document)) return
      sheet = new CSSStyleSheet()
      document.adoptedStyleSheets.push(sheet)
    }
    sheet.replaceSync(accentRules(accent))
  }, [accent])
}
