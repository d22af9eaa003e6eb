/** Lists every screen of the store, one per line. Those of the panel are declared in contract/panel-pages.ts. */
import type { ComponentType } from 'react'
import type { panelPages, PanelPath, PanelSearch } from '../contract/panel-pages.ts'
import { DashboardScreen } from './dashboard/dashboard-screen.tsx'
import type { Location, Screen, Target } from './platform/navigation/navigation.ts'
import { ownPath } from './platform/navigation/own-path.ts'
import { checkAdmin, getSession, isAdminFresh } from './platform/session/session.ts'
import { StoreShell } from './shell/store/store-shell.tsx'

/** The parameters of a link, by path. */
declare module './platform/navigation/navigation.ts' {
  interface Paths extends PanelPaths {
    '/': object
    '/terms-policy': object
    '/buy': BuySearch
    '/my-key': KeysSearch
    '/wallet-history': object
    '/add-balance': object
    '/account': object
    '/receipt': ReceiptSearch
    '/login': NextSearch
    '/signup': SignupSearch
    '/reset-password': object
    '/forgot-password': object
    '/confirm-email': object
    '/unsubscribe': object
    '/phone': object
    '/admin-login': NextSearch
    '/admin': object
  }
}

interface BuySearch {
  /** The product's name. */
  product?: string | undefined
  duration?: string | undefined
}
interface KeysSearch {
  /** The keys to show. Absent for all. */
  show?: 'active' | 'expiring' | undefined
  /** The id of a key. Only its order is shown. */
  key?: string | undefined
}
interface ReceiptSearch {
  /** The id of an order or an approved top-up request. */
  id?: string | undefined
}
interface NextSearch {
  /** A path of this site to open after login. */
  next?: string | undefined
}
interface SignupSearch extends NextSearch {
  /** A referral code from the link. */
  ref?: string | undefined
}
/** The parameters of the panel's pages, as each is declared in contract/panel-pages.ts. */
type PanelPaths = { [P in PanelPath]: Pick<PanelSearch, (typeof panelPages)[P]['search'][number]> }

/** Put in at build time, so that buyers don't fetch the rest. */
declare const __PANEL_PATHS__: readonly PanelPath[]

type Raw = Record<string, string>
const buySearch = ({ product, duration }: Raw): BuySearch => ({ product, duration })
const keysSearch = ({ show, key }: Raw): KeysSearch => ({
  show: show === 'active' || show === 'expiring' ? show : undefined,
  key,
})
const nextSearch = ({ next }: Raw): NextSearch => ({ next: next && ownPath(next) })
const signupSearch = ({ next, ref }: Raw): SignupSearch => ({ ...nextSearch({ ...(next && { next }) }), ref })
const day = (text: string | undefined) => (/^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? text : undefined)
const pageNumber = (text: string | undefined) => (/^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : undefined)
/** How parameters are read that are more than a text. */
const panelReaders: { [Name in keyof PanelSearch]?: (given: string | undefined) => PanelSearch[Name] } = {
  page: pageNumber,
  product: (id) => id || undefined,
  from: day,
  to: day,
  decided: day,
  request: (id) => (/^[\da-f-]{36}$/.test(id ?? '') ? id : undefined),
  next: (path) => path && ownPath(path),
}

/**
 * Guards a signed-in buyer's screen. Others sign up, or log in if their session just ended, and then come back. What is
 * behind the # stays there, because it may be a redeem code, and `next` is in addresses that servers see.
 */
function buyerOnly({ pathname, searchText, hash }: Location): Target | undefined {
  const { user, ended } = getSession()
  return user
    ? undefined
    : { to: ended ? '/login' : '/signup', search: { next: pathname + searchText }, hash: hash.slice(1) }
}

/** Asks the server on the way in. Inside the panel, the screens' own calls show when the session is over. */
function adminOnly(location: Location): Target | undefined | Promise<Target | undefined> {
  const isInside = getSession().admin !== null && document.getElementById('admin') !== null
  return isInside || isAdminFresh() ? enrolFirst(location) : askForAdmin(location)
}

async function askForAdmin(location: Location): Promise<Target | undefined> {
  return (await checkAdmin()) ? enrolFirst(location) : { to: '/admin-login', search: { next: location.href } }
}

/** If the store requires two-step verification, nothing else works before it is set up. */
function enrolFirst({ pathname, href }: Location): Target | undefined {
  const isOnTheWay = pathname === '/admin/security'
  return getSession().admin?.mustEnrol && !isOnTheWay ? { to: '/admin/security', search: { next: href } } : undefined
}

const store = { layout: StoreShell }
const buyer = { ...store, guard: buyerOnly, isAllowed: () => getSession().user !== null }
const loadPanel = () => import('./later-screens.ts').then((file) => file.loadPanel())
const loadAdminShell = () => loadPanel().then((file) => file.loadShell())
const admin = { loadLayout: loadAdminShell, guard: adminOnly, isAllowed: () => getSession().admin !== null }

const panelSearch = (raw: Raw): PanelSearch =>
  Object.fromEntries(
    Object.entries(raw).map(([name, given]) => {
      const read = panelReaders[name as keyof PanelSearch]
      return [name, read ? read(given) : given]
    }),
  )

/** The panel's frame knows its screens' files, so that buyers don't fetch their names. */
const panel = (path: PanelPath) => ({
  path,
  load: async () => (await loadPanel()).panelScreens[path].load(),
  search: panelSearch,
  ...admin,
})

const later = (path: keyof (typeof import('./later-screens.ts'))['laterScreens']) => async (): Promise<ComponentType> =>
  (await import('./later-screens.ts')).laterScreens[path]()

export const screens: readonly Screen[] = [
  { path: '/', component: DashboardScreen, ...store },
  { path: '/terms-policy', load: later('/terms-policy'), ...store },
  { path: '/buy', load: later('/buy'), search: buySearch, ...buyer },
  { path: '/my-key', load: later('/my-key'), search: keysSearch, ...buyer },
  { path: '/wallet-history', load: later('/wallet-history'), ...buyer },
  { path: '/add-balance', load: later('/add-balance'), ...buyer },
  { path: '/account', load: later('/account'), ...buyer },
  { path: '/receipt', load: later('/receipt') },
  { path: '/login', load: later('/login'), search: nextSearch },
  { path: '/signup', load: later('/signup'), search: signupSearch },
  { path: '/reset-password', load: later('/reset-password') },
  { path: '/forgot-password', load: later('/forgot-password') },
  { path: '/confirm-email', load: later('/confirm-email') },
  { path: '/unsubscribe', load: later('/unsubscribe') },
  { path: '/phone', load: later('/phone') },
  { path: '/admin-login', load: later('/admin-login'), search: nextSearch },
  { path: '/admin', load: panel('/admin/dashboard').load, ...admin },
  ...__PANEL_PATHS__.map(panel),
]
