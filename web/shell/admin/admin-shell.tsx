import '../../styles/admin.css'
import '../../platform/admin/panel-calls.ts'
import { Link, useLocation, useNavigate } from '../../platform/router.tsx'
import { LogOut, Menu, PanelLeft, X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { SIDEBAR_BREAKPOINT_PX } from '../../../contract/limits.ts'
import { Boundary } from '../../platform/boundary.tsx'
import { client, onRefusal } from '../../platform/client.ts'
import { onLiveEvent } from '../../platform/events.ts'
import { t } from '../../platform/i18n.ts'
import { denied } from '../../platform/admin/roles.ts'
import { adminSignOut, refreshAdmin, useSession } from '../../platform/session.ts'
import { StoreHealth } from '../../reports/admin/store-health.tsx'
import { useMedia } from '../../platform/use-media.ts'
import { settleHeld } from '../../payments/admin/held-approvals.ts'
import { settingsPages } from '../../settings/admin/settings-pages.ts'
import { StepUpDialog } from '../../admins/admin/step-up-dialog.tsx'
import { declineStepUp, watchForStepUp } from '../../admins/admin/step-up.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { cx } from '../../ui/cx.ts'
import { adminLinks, type AdminLink } from './admin-links.ts'
import { Brand } from '../brand.tsx'
import { ForbiddenPage } from './forbidden-page.tsx'
import { SkipLink } from '../skip-link.tsx'
import { ThemeToggle } from '../theme-toggle.tsx'

export { panelScreens } from './panel-screens.ts'

const item =
  'flex min-h-11 w-full items-center gap-3.5 rounded-control px-3 text-sm font-medium transition-colors ' +
  'hover:bg-hover hover:text-fg'

/** Sidebar of 240 px, or 68 with icons alone; at 900 px and below a top bar with a drawer. */
export function AdminShell({ children }: { children: ReactNode }) {
  const isWide = useMedia(`(width > ${SIDEBAR_BREAKPOINT_PX}px)`)
  const [narrow, setNarrow] = useState(false)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const navigate = useNavigate()
  const { admin } = useSession()
  const { pathname, href } = useLocation()
  const links = adminLinks()
  // A page of a setting belongs to Settings. `/admin` is the dashboard too.
  const here = links.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`)) ?? links[0]
  const reason = here?.call && denied(here.call)
  const mustEnrol = admin?.mustEnrol && pathname !== '/admin/security'
  useWhatHolds()
  useActivity(href)

  const isLeaving = useRef(false)
  // Signed out by the server, while a screen is open.
  useEffect(() => {
    if (!admin && !isLeaving.current) void navigate({ to: '/admin-login', search: { next: href }, replace: true })
  }, [admin, href, navigate])

  // The store has begun to demand a second factor, while a screen is open.
  useEffect(() => {
    if (mustEnrol) void navigate({ to: '/admin/security', search: { next: href }, replace: true })
  }, [mustEnrol, href, navigate])

  const logout = async () => {
    setDrawerOpen(false)
    isLeaving.current = true
    await settleHeld()
    await adminSignOut()
    await navigate({ to: '/admin-login', replace: true })
  }

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
            <Link to="/admin/dashboard" className="min-w-0 rounded-control">
              <Brand hideName={narrow} />
            </Link>
          </div>
          <AdminNav here={here} narrow={narrow} onLogout={logout} />
        </aside>
      )}
      {isWide !== true && (
        <Drawer open={drawerOpen} onClose={() => setDrawerOpen(false)} side="left" label={t('Menu')}>
          <div className="flex h-16 shrink-0 items-center justify-between border-b border-line pr-2 pl-4">
            <Brand />
            <IconButton label={t('Close')} icon={<X size={20} aria-hidden />} onClick={() => setDrawerOpen(false)} />
          </div>
          <AdminNav here={here} onLogout={logout} onFollow={() => setDrawerOpen(false)} />
        </Drawer>
      )}
      <div className="min-w-0 flex-1">
        <header
          className={
            'sticky top-0 z-30 flex h-16 items-center gap-3 border-b border-line bg-bg/95 px-4 backdrop-blur-md ' +
            'sm:px-6'
          }
        >
          {isWide !== false && (
            <IconButton
              label={narrow ? t('Expand sidebar') : t('Collapse sidebar')}
              aria-expanded={!narrow}
              icon={<PanelLeft size={18} aria-hidden />}
              onClick={() => setNarrow(!narrow)}
              className="max-wide:hidden"
            />
          )}
          {isWide !== true && (
            <IconButton
              label={t('Menu')}
              aria-haspopup="dialog"
              aria-expanded={drawerOpen}
              icon={<Menu size={20} aria-hidden />}
              onClick={() => setDrawerOpen(true)}
              className="-ml-2 wide:hidden"
            />
          )}
          <p className="mr-auto truncate font-semibold">
            {settingsPages().find(({ to }) => pathname === to)?.label ?? here?.label}
          </p>
          {admin && (
            <Link
              to="/admin/security"
              className={
                'hidden min-h-11 items-center rounded-control px-2 text-sm text-fg-3 hover:text-fg sm:inline-flex'
              }
            >
              <span className="max-w-40 truncate">{admin.username}</span>
            </Link>
          )}
          <ThemeToggle />
        </header>
        <main id="main" tabIndex={-1} className="mx-auto w-full max-w-admin px-4 pt-2 pb-8 sm:px-6 sm:pt-6 sm:pb-16">
          {admin && !reason && <StoreHealth />}
          {reason ? <ForbiddenPage reason={reason} /> : children}
        </main>
      </div>
      <Boundary onError={answerUnshown}>
        <StepUpDialog />
      </Boundary>
    </div>
  )
}

/** Keeps up with what the server says the admin is and may do. */
function useWhatHolds(): void {
  useEffect(watchForStepUp, [])
  useEffect(
    () =>
      onRefusal(({ code }) => {
        if (code === 'FORBIDDEN_ROLE' || code === 'ENROLMENT_REQUIRED') void refreshAdmin()
      }),
    [],
  )
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (event === 'session-ended') void refreshAdmin()
      }),
    [],
  )
}

/** The server writes a session's last use down no more often. */
const ACTIVE_EVERY_MS = 60_000

/** Tells the server when a person opens another page; the first one was asked for from there. Polls tell nothing. */
function useActivity(href: string): void {
  const told = useRef({ href, at: 0 })
  useEffect(() => {
    const now = Date.now()
    if (told.current.href === href || now - told.current.at < ACTIVE_EVERY_MS) return
    told.current = { href, at: now }
    // The next page tries again. An expired session is noticed elsewhere, by its refusals
    client.admins.active({}).catch(() => {})
  }, [href])
}

/** Treats a dialog that cannot be loaded as no proof. The waiting call then reports it. */
function answerUnshown(retry: () => void): void {
  declineStepUp()
  retry()
}

interface AdminNavProps {
  /** `/admin` is the dashboard too. */
  here: AdminLink | undefined
  narrow?: boolean
  onLogout: () => Promise<void>
  onFollow?: () => void
}

function AdminNav({ here, narrow, onLogout, onFollow }: AdminNavProps) {
  const { admin } = useSession()
  // A link that the server would answer with a no is not there.
  const links = adminLinks().filter(({ to, call }) =>
    admin?.mustEnrol ? to === '/admin/security' : !call || !denied(call),
  )
  return (
    <nav
      aria-label={t('Admin')}
      className="flex flex-1 flex-col gap-0.5 overflow-x-hidden overflow-y-auto p-3 [scrollbar-width:thin]"
    >
      {links.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          onClick={onFollow}
          aria-label={narrow ? label : undefined}
          title={narrow ? label : undefined}
          className={cx(item, to === here?.to ? 'bg-hover text-fg' : 'text-fg-2')}
          aria-current={to === here?.to ? 'page' : undefined}
        >
          <Icon size={18} aria-hidden className="shrink-0" />
          {!narrow && label}
        </Link>
      ))}
      <button
        type="button"
        onClick={() => void onLogout()}
        aria-label={narrow ? t('Logout') : undefined}
        title={narrow ? t('Logout') : undefined}
        className={cx(item, 'mt-auto text-fg-2')}
      >
        <LogOut size={18} aria-hidden className="shrink-0" />
        {!narrow && t('Logout')}
      </button>
    </nav>
  )
}
