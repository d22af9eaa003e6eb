/** Lists every screen of the store, one per line. */
import { DashboardScreen } from './dashboard/dashboard-screen.tsx'
import type { Location, Screen, Target } from './platform/navigation/navigation.ts'
import { ownPath } from './platform/navigation/own-path.ts'
import { checkAdmin, getSession, isAdminFresh } from './platform/session/session.ts'
import type { panelScreens as PanelScreens } from './shell/admin/panel-screens.ts'
import { StoreShell } from './shell/store/store-shell.tsx'

/** The parameters of a link, by path. */
declare module './platform/navigation/navigation.ts' {
  interface Paths {
    '/': object
    '/terms-policy': object
    '/buy': BuySearch
    '/my-key': KeysSearch
    '/wallet-history': object
    '/add-balance': object
    '/account': object
    '/login': NextSearch
    '/signup': SignupSearch
    '/reset-password': object
    '/forgot-password': object
    '/confirm-email': object
    '/unsubscribe': object
    '/phone': object
    '/admin-login': NextSearch
    '/admin': object
    '/admin/dashboard': object
    '/admin/product-manager': ListSearch
    '/admin/user-manager': ListSearch
    '/admin/key-manager': KeySearch
    '/admin/payment-manager': PaymentSearch
    '/admin/bank': ListSearch
    '/admin/purchases': PurchaseSearch
    '/admin/claims': ClaimSearch
    '/admin/topup-plan-manager': ListSearch
    '/admin/referral-manager': ListSearch
    '/admin/audit': AuditSearch
    '/admin/admins': object
    '/admin/guide': object
    '/admin/settings': object
    '/admin/settings/face': object
    '/admin/settings/messages': object
    '/admin/settings/bank': object
    '/admin/security': NextSearch
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
  /** One of the keys of the only order to show. */
  key?: string | undefined
}
interface NextSearch {
  /** A path of this site to open after login. */
  next?: string | undefined
}
interface SignupSearch extends NextSearch {
  /** A referral code from the link. */
  ref?: string | undefined
}
/** State of an admin list in the address, kept over a reload, the Back button and a shared link. */
interface ListSearch {
  search?: string | undefined
  /** Counted from 0. Absent for the first. */
  page?: number | undefined
  status?: string | undefined
}
interface KeySearch extends ListSearch {
  /** The product's _id. */
  product?: string | undefined
  duration?: string | undefined
  /** The _id of the keys' batch. */
  batch?: string | undefined
  /** The status and _id of the last key on the previous page. */
  after?: string | undefined
  /** Defaults to the stock, and with a product, duration or batch to its keys. */
  view?: 'stock' | 'keys' | 'batches' | undefined
}

interface PaymentSearch extends ListSearch {
  /** Reviewed on this day in India, YYYY-MM-DD. */
  decided?: string | undefined
  /** True for buyers' top-up requests only. */
  source?: 'request' | undefined
  /** The outcome of a statement that another app has shared (web/public/sw.js). */
  shared?: string | undefined
  /** The _id of the one request that a message is about. */
  request?: string | undefined
}
interface AuditSearch extends ListSearch {
  /** Days as in India, YYYY-MM-DD, both included. */
  from?: string | undefined
  to?: string | undefined
}
interface ClaimSearch extends ListSearch {
  reason?: string | undefined
  /** The _id of what the claims are about. */
  batch?: string | undefined
  key?: string | undefined
  order?: string | undefined
  user?: string | undefined
}
interface PurchaseSearch extends AuditSearch {
  /** The product's _id. */
  product?: string | undefined
}

type Raw = Record<string, string>
const buySearch = ({ product, duration }: Raw): BuySearch => ({ product, duration })
const keysSearch = ({ show, key }: Raw): KeysSearch => ({
  show: show === 'active' || show === 'expiring' ? show : undefined,
  key,
})
const nextSearch = ({ next }: Raw): NextSearch => ({ next: next && ownPath(next) })
const signupSearch = ({ next, ref }: Raw): SignupSearch => ({ ...nextSearch({ ...(next && { next }) }), ref })
const listSearch = ({ search, page, status }: Raw): ListSearch => ({ search, page: pageNumber(page), status })
const KEY_VIEWS = ['stock', 'keys', 'batches'] as const
const keySearch = (raw: Raw): KeySearch => ({
  ...listSearch(raw),
  ...buySearch(raw),
  batch: raw['batch'],
  after: raw['after'],
  view: KEY_VIEWS.find((view) => view === raw['view']),
})
const paymentSearch = (raw: Raw): PaymentSearch => ({
  ...listSearch(raw),
  decided: day(raw['decided']),
  source: raw['source'] === 'request' ? 'request' : undefined,
  shared: raw['shared'],
  request: /^[\da-f-]{36}$/.test(raw['request'] ?? '') ? raw['request'] : undefined,
})
const auditSearch = (raw: Raw): AuditSearch => ({ ...listSearch(raw), from: day(raw['from']), to: day(raw['to']) })
const purchaseSearch = (raw: Raw): PurchaseSearch => ({ ...auditSearch(raw), product: raw['product'] || undefined })
const claimSearch = (raw: Raw): ClaimSearch => ({ ...raw, ...listSearch(raw) })
const day = (text: string | undefined) => (/^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? text : undefined)
const pageNumber = (text: string | undefined) => (/^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : undefined)

/** Guards a signed-in buyer's screen. Others sign up, or log in if their session just ended, and then come back. */
function buyerOnly(location: Location): Target | undefined {
  const { user, ended } = getSession()
  return user ? undefined : { to: ended ? '/login' : '/signup', search: { next: location.href } }
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
const loadPanel = () => import('./shell/admin/admin-shell.tsx')
const loadAdminShell = () => loadPanel().then((file) => file.AdminShell)
const admin = { loadLayout: loadAdminShell, guard: adminOnly, isAllowed: () => getSession().admin !== null }

/** The panel's frame knows its screens' files, so that buyers don't fetch their names. */
const panel = (path: keyof typeof PanelScreens, search?: Screen['search']) => ({
  path,
  load: async () => (await loadPanel()).panelScreens[path].load(),
  ...(search && { search }),
  ...admin,
})

const terms = () => import('./settings/terms-screen.tsx').then((file) => file.TermsScreen)
const buy = () => import('./orders/buy-screen.tsx').then((file) => file.BuyScreen)
const myKey = () => import('./keys/my-key-screen.tsx').then((file) => file.MyKeyScreen)
const walletHistory = () => import('./wallet/wallet-history-screen.tsx').then((file) => file.WalletHistoryScreen)
const addBalance = () => import('./payments/add-balance-screen.tsx').then((file) => file.AddBalanceScreen)
const account = () => import('./sessions/account/account-screen.tsx').then((file) => file.AccountScreen)
const login = () => import('./sessions/login-screen.tsx').then((file) => file.LoginScreen)
const signup = () => import('./sessions/sign-up/signup-screen.tsx').then((file) => file.SignupScreen)
const forgotPassword = () =>
  import('./sessions/links/forgot-password-screen.tsx').then((file) => file.ForgotPasswordScreen)
const unsubscribe = () => import('./sessions/links/unsubscribe-screen.tsx').then((file) => file.UnsubscribeScreen)
const confirmEmail = () => import('./sessions/links/confirm-email-screen.tsx').then((file) => file.ConfirmEmailScreen)
const resetPassword = () =>
  import('./sessions/links/reset-password-screen.tsx').then((file) => file.ResetPasswordScreen)
const phone = () => import('./bank/phone-screen.tsx').then((file) => file.PhoneScreen)
const adminLogin = () => import('./sessions/admin-login-screen.tsx').then((file) => file.AdminLoginScreen)
export const screens: readonly Screen[] = [
  { path: '/', component: DashboardScreen, ...store },
  { path: '/terms-policy', load: terms, ...store },
  { path: '/buy', load: buy, search: buySearch, ...buyer },
  { path: '/my-key', load: myKey, search: keysSearch, ...buyer },
  { path: '/wallet-history', load: walletHistory, ...buyer },
  { path: '/add-balance', load: addBalance, ...buyer },
  { path: '/account', load: account, ...buyer },
  { path: '/login', load: login, search: nextSearch },
  { path: '/signup', load: signup, search: signupSearch },
  { path: '/reset-password', load: resetPassword },
  { path: '/forgot-password', load: forgotPassword },
  { path: '/confirm-email', load: confirmEmail },
  { path: '/unsubscribe', load: unsubscribe },
  { path: '/phone', load: phone },
  { path: '/admin-login', load: adminLogin, search: nextSearch },
  { path: '/admin', load: panel('/admin/dashboard').load, ...admin },
  panel('/admin/dashboard'),
  panel('/admin/product-manager', listSearch),
  panel('/admin/user-manager', listSearch),
  panel('/admin/key-manager', keySearch),
  panel('/admin/payment-manager', paymentSearch),
  panel('/admin/bank', listSearch),
  panel('/admin/purchases', purchaseSearch),
  panel('/admin/claims', claimSearch),
  panel('/admin/topup-plan-manager', listSearch),
  panel('/admin/referral-manager', listSearch),
  panel('/admin/audit', auditSearch),
  panel('/admin/admins'),
  panel('/admin/guide'),
  panel('/admin/settings'),
  panel('/admin/settings/face'),
  panel('/admin/settings/messages'),
  panel('/admin/settings/bank'),
  panel('/admin/security', nextSearch),
]
