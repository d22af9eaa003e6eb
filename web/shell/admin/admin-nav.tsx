import { LogOut, Store } from 'lucide-react'
import { useOpenClaims } from '../../claims/admin/claims-queries.ts'
import { denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { useSession } from '../../platform/session/session.ts'
import { cx } from '../../ui/cx.ts'
import { adminLinks, MENU_GROUPS, type AdminLink, type MenuGroup } from './panel-screens.ts'

const item =
  'flex min-h-11 w-full items-center gap-3.5 rounded-control px-3 text-sm font-medium transition-colors ' +
  'hover:bg-hover hover:text-fg wide:min-h-7.5'

const QUEUE = '/admin/payment-manager'
const DESK = '/admin/claims'

/** At the right end of a link. */
function Count({ count }: { count: number }) {
  return (
    <span
      className={
        'tabular ml-auto grid h-5 min-w-5 place-items-center rounded-full bg-solid px-1.5 text-xs font-semibold ' +
        'text-on-solid'
      }
    >
      {formatCount(count)}
      <span className="sr-only"> {t('pending')}</span>
    </span>
  )
}

/** A dot instead of the number, if there is no room for it. */
export function Dot() {
  return <span aria-hidden className="absolute -top-0.5 -right-0.5 size-2.5 rounded-full bg-solid ring-2 ring-bg" />
}

interface AdminNavProps {
  /** The payments that wait. */
  waiting: number
  /** `/admin` is the dashboard too. */
  here: AdminLink | undefined
  narrow?: boolean
  onLogout: () => Promise<void>
  onFollow?: () => void
}

const groupName = (group: MenuGroup): string =>
  ({ sell: t('Sell'), money: t('Money'), people: t('People'), store: t('Store') })[group]

/** Links of the panel in groups, and under them, always in sight, the way to the store and Logout. */
export function AdminNav({ here, waiting, narrow, onLogout, onFollow }: AdminNavProps) {
  const { admin } = useSession()
  const claims = useOpenClaims().count
  // A link that the server would answer with a no is not there.
  const links = adminLinks().filter(({ to, call }) =>
    admin?.mustEnrol ? to === '/admin/security' : !call || !denied(call),
  )
  const linksOf = (group: MenuGroup | undefined) =>
    links
      .filter((link) => link.group === group)
      .map((link) => (
        <NavLink
          key={link.to}
          link={link}
          isHere={link.to === here?.to}
          waiting={link.to === QUEUE ? waiting : link.to === DESK ? claims : 0}
          narrow={narrow}
          onFollow={onFollow}
        />
      ))
  return (
    <nav aria-label={t('Admin')} className="flex min-h-0 flex-auto flex-col">
      <div ref={toHere} className="fades min-h-0 flex-auto overflow-x-hidden scroll-y px-3 py-2 [scrollbar-width:thin]">
        {linksOf(undefined)}
        {MENU_GROUPS.filter((group) => links.some((link) => link.group === group)).map((group) => (
          <div key={group} role="group" aria-label={groupName(group)} className="mt-2 wide:mt-1">
            {narrow ? (
              <hr className="mx-3 mb-2 border-line" />
            ) : (
              <p aria-hidden className="px-3 pb-0.5 text-xs font-medium text-fg-3">
                {groupName(group)}
              </p>
            )}
            {linksOf(group)}
          </div>
        ))}
      </div>
      <div className="border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        {/* Loads the page again, because the store has a language of its own */}
        <a href="/" aria-label={narrow ? t('Open store') : undefined} className={cx(item, 'text-fg-2')}>
          <Store size={18} aria-hidden className="shrink-0" />
          {!narrow && t('Open store')}
        </a>
        <button
          type="button"
          onClick={() => void onLogout()}
          aria-label={narrow ? t('Logout') : undefined}
          title={narrow ? t('Logout') : undefined}
          className={cx(item, 'text-fg-2')}
        >
          <LogOut size={18} aria-hidden className="shrink-0" />
          {!narrow && t('Logout')}
        </button>
      </div>
    </nav>
  )
}

/** Shows the link of this page, which a low window may have further down. */
const toHere = (list: HTMLElement | null) => list?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

interface NavLinkProps {
  link: AdminLink
  isHere: boolean
  /** Number at its end. */
  waiting: number
  narrow: boolean | undefined
  onFollow: (() => void) | undefined
}

function NavLink({ link: { to, label, Icon }, isHere, waiting, narrow, onFollow }: NavLinkProps) {
  return (
    <Link
      to={to}
      onClick={onFollow}
      aria-label={narrow ? label : undefined}
      title={narrow ? label : undefined}
      className={cx(item, isHere ? 'bg-hover text-fg' : 'text-fg-2')}
      aria-current={isHere ? 'page' : undefined}
    >
      <span className="relative shrink-0">
        <Icon size={18} aria-hidden />
        {narrow && waiting > 0 && <Dot />}
      </span>
      {!narrow && label}
      {!narrow && waiting > 0 && <Count count={waiting} />}
    </Link>
  )
}
