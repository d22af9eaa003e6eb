/**
 * The pages of the panel: what the address of each carries, and the calls that it begins with. The server answers these
 * with the page, and the browser finds them under the same keys. Their files and icons are in
 * web/shell/admin/panel-screens.ts.
 */
import type * as z from 'zod/mini'
import type { Api } from './api.ts'
import { REPORTED_REASONS } from './claim-reasons.ts'
import { dayAfter, dayOf, financialYear } from './india.ts'
import {
  ALARMS_SHOWN,
  AUDIT_PAGE_SIZE,
  BOOK_BATCHES_PAGE_SIZE,
  CLAIMS_PAGE_SIZE,
  NEXT_REQUESTS,
  OVERVIEW_DAYS,
  PAGE_SIZE_MAX,
  PAYMENTS_PAGE_SIZE,
  PURCHASES_PAGE_SIZE,
  SUPPLY_ORDERS_PAGE_SIZE,
  USERS_PAGE_SIZE,
} from './limits.ts'

/** What an address may carry, as web/routes.tsx reads it. It is kept over a reload, Back and a shared link. */
export interface PanelSearch {
  search?: string | undefined
  /** Counted from 0. Absent for the first. */
  page?: number | undefined
  status?: string | undefined
  /** The product's _id. */
  product?: string | undefined
  duration?: string | undefined
  /** The _id of a batch of keys. */
  batch?: string | undefined
  /** The last row of the page before: of keys their status and _id, of payments their _id. */
  after?: string | undefined
  /** The _id of the first payment of the page that follows. */
  before?: string | undefined
  /** A part of the page. Keys default to the stock, and with a product, duration or batch to its keys. */
  view?: string | undefined
  /** What the books are summed up by. */
  by?: string | undefined
  /** YYYY-MM in India. */
  month?: string | undefined
  /** 2026 for April 2026 to March 2027. */
  year?: string | undefined
  /** Days as in India, YYYY-MM-DD, both included. */
  from?: string | undefined
  to?: string | undefined
  /** Reviewed on this day in India. */
  decided?: string | undefined
  /** Buyers' top-up requests only, or changes by admins. For unspent credit, where it came from. */
  source?: string | undefined
  /** Payments whose money a bank holds. */
  bank?: string | undefined
  /** The outcome of a statement that another app has shared (web/public/sw.js). */
  shared?: string | undefined
  /** The _id of the payment that a proof is about. */
  id?: string | undefined
  /** The _id of the one request that a message is about. */
  request?: string | undefined
  reason?: string | undefined
  /** The _id of what the claims are about. */
  key?: string | undefined
  order?: string | undefined
  user?: string | undefined
  /** The _id of a group of buyers. */
  group?: string | undefined
  /** A path of this site to open then. */
  next?: string | undefined
}

type Feature = keyof Api
type Call<F extends Feature> = keyof Api[F] & string
type Part<F extends Feature, C extends Call<F>, P extends 'input' | 'output'> =
  Api[F][C] extends Record<P, infer Schema extends z.ZodMiniType>
    ? P extends 'input'
      ? z.input<Schema>
      : z.output<Schema>
    : never
type InputOf<F extends Feature, C extends Call<F>> = Part<F, C, 'input'>
export type AnswerTo<F extends Feature, C extends Call<F>> = Part<F, C, 'output'>

/** A call, and the key of the browser's query that holds its answer. */
export interface PanelQuery<F extends Feature = Feature, C extends string = string> {
  feature: F
  call: C
  input: object
  key: readonly (string | object)[]
  /** The query holds pages of which this is the first. */
  isPaged?: true
}

/** @param name the second part of the key, and more. Undefined for a name that is the call's */
export const ask = <F extends Feature, C extends Call<F>>(
  feature: F,
  call: C,
  input: InputOf<F, C>,
  ...name: string[]
): PanelQuery<F, C> => ({ feature, call, input: input as object, key: [feature, ...(name.length > 0 ? name : [call])] })

/** A query of a list. Its key ends in the input, because each input has an answer of its own. */
export const askFor = <F extends Feature, C extends Call<F>>(
  feature: F,
  call: C,
  input: InputOf<F, C>,
): PanelQuery<F, C> => {
  const query = ask(feature, call, input)
  return { ...query, key: [...query.key, query.input] }
}

/** A key of its own, because admins get list prices and all products. Buyers' cached products must not mix in. */
export const adminProducts = ask('catalogue', 'list', {}, 'admin')
export const stats = ask('reports', 'stats', {})
export const guide = ask('reports', 'guide', {}, 'overview', 'guide')
export const securityAlerts = ask('admins', 'alerts', {})
export const health = ask('reports', 'healthReport', {}, 'health')
export const overviewOf = (days: number) => askFor('reports', 'overview', { days })
export const forecast = ask('forecast', 'read', {})
export const demand = ask('waiting', 'demand', {})
export const buyerGroups = ask('groups', 'list', {})
export const referralCodes = ask('referrals', 'list', {})
export const referralStats = ask('referrals', 'stats', {})
export const inviters = ask('referrals', 'inviters', {})
export const inviteSettings = ask('referrals', 'inviteSettings', {})
export const referralsView = ({ view }: PanelSearch) => oneOf(view, 'invites') ?? ('codes' as const)
export const allPlans = ask('payments', 'plans', {}, 'plans', 'all')
const waiting = { status: 'pending', order: 'oldest', limit: NEXT_REQUESTS } as const
export const nextRequests = ask('payments', 'list', waiting, 'next')
export const pendingCount = ask('payments', 'list', { status: 'pending', limit: 1 }, 'pending-count')
export const openClaimCount = ask('claims', 'list', { status: 'open', limit: 1 }, 'open-count')
const confirmed = { bank: 'confirmed', limit: PAGE_SIZE_MAX } as const
export const confirmedRequests = ask('payments', 'list', confirmed, 'list', 'confirmed')
export const bankAccounts = ask('bank', 'accounts', {})
export const bankDevices = ask('bank', 'devices', {})
export const bankRules = ask('bank', 'rules', {})
export const openAlarms = ask('bank', 'alarms', { open: true, limit: ALARMS_SHOWN })
/** A request that waits has claimed its money. */
const UNCLAIMED = { state: 'unclaimed', claimed: false } as const
export const unclaimedCount = ask('bank', 'credits', { ...UNCLAIMED, limit: 1 }, 'unclaimed-count')
export const creditCount = ask('bank', 'credits', { limit: 1 }, 'credit-count')

const pageOf = (page: number | undefined, size: number) => ({ limit: size, skip: (page ?? 0) * size })
const oneOf = <T extends string>(text: string | undefined, ...these: readonly T[]) =>
  these.find((each) => each === text)

const anId = (text: string | undefined) => text !== undefined && /^[\da-f-]{36}$/.test(text)

/** Newest first, those with money or with credit that expires soon, or today's. */
export function usersOn({ search = '', page, status, group }: PanelSearch, now: number) {
  const holding = oneOf(status, 'money', 'lapsing', 'blocked')
  const joined = status === 'new' && { joined: dayOf(now) }
  const more = { ...(holding && { holding }), ...joined, ...(anId(group) && { group }) }
  return askFor('users', 'list', { search, ...pageOf(page, USERS_PAGE_SIZE), ...more })
}

/**
 * A list that begins with what waits looks everywhere for what is searched, until somebody chooses where. A request
 * opened from a message shows whatever its status is by now.
 */
export function paymentsShown({ search, status, request, bank }: PanelSearch) {
  if (request !== undefined || bank === 'held') return 'all'
  return oneOf(status, 'all', 'pending', 'approved', 'rejected') ?? (search ? 'all' : 'pending')
}

/** Pending requests are listed with the longest wait first. Everything else is looked up from the newest on. */
export function paymentsOn(address: PanelSearch) {
  const { search = '', page, after, before, decided, source, request: id, bank, from, to } = address
  const kind = oneOf(source, 'request', 'adjustment')
  // The first page begins at the end of the list, whatever it was reached from
  const beside = page ? { ...(anId(after) && { after }), ...(anId(before) && { before }) } : {}
  const filter = paymentsShown(address)
  return askFor('payments', 'list', {
    search,
    ...pageOf(page, PAYMENTS_PAGE_SIZE),
    ...beside,
    order: filter === 'pending' ? 'oldest' : 'newest',
    ...(filter !== 'all' && { status: filter }),
    ...(decided && { decidedOn: decided }),
    ...(kind && { source: kind }),
    ...(from && { from }),
    ...(to && { to }),
    ...(id && { id }),
    ...(bank === 'held' && { bank }),
  })
}

export const creditsShown = ({ search, status }: PanelSearch) =>
  oneOf(status, 'all', 'unclaimed', 'matched', 'set-aside', 'differs') ?? (search ? 'all' : 'unclaimed')
export function creditsOn({ search = '', page, status }: PanelSearch) {
  const state = creditsShown({ search, status })
  return askFor('bank', 'credits', {
    search,
    ...pageOf(page, PAYMENTS_PAGE_SIZE),
    ...(state === 'unclaimed' ? UNCLAIMED : state !== 'all' && { state }),
  })
}

export const purchasesOn = ({ search = '', page, product: productId, from, to }: PanelSearch) =>
  askFor('orders', 'purchases', { search, productId, from, to, ...pageOf(page, PURCHASES_PAGE_SIZE) })

export const codeBatches = ask('wallet', 'codes', {})
export const supplyLinks = ask('supply', 'links', {})
export const supplySources = ask('supply', 'sources', {})
export const supplyView = ({ view }: PanelSearch) => oneOf(view, 'sources', 'orders') ?? ('links' as const)
export const supplyState = ({ status }: PanelSearch) => oneOf(status, 'open', 'by-hand')
export const supplyOrdersOn = ({ page, status }: PanelSearch) =>
  askFor('supply', 'orders', { state: supplyState({ status }), ...pageOf(page, SUPPLY_ORDERS_PAGE_SIZE) })

function supplyBegins(address: PanelSearch): PanelQuery[] {
  const view = supplyView(address)
  return view === 'links'
    ? [supplyLinks]
    : view === 'sources'
      ? [supplyLinks, supplySources]
      : [supplyOrdersOn(address)]
}

/** Open claims first. Who searches, or comes from a key, a purchase or a user, sees answered ones, too. */
export function claimsShown({ search, status, batch, key, order, user, product }: PanelSearch) {
  const isAbout = [search || undefined, batch, key, order, user, product].some((each) => each !== undefined)
  return oneOf(status, 'open', 'replaced', 'refunded', 'rejected', 'withdrawn', 'all') ?? (isAbout ? 'all' : 'open')
}
export function claimsOn(address: PanelSearch) {
  const { search = '', page, reason, batch, key, order, user, product, from, to } = address
  const status = claimsShown(address)
  return askFor('claims', 'list', {
    search,
    ...pageOf(page, CLAIMS_PAGE_SIZE),
    status: status === 'all' ? undefined : status,
    reason: oneOf(reason, ...REPORTED_REASONS, 'recalled'),
    batchId: batch || undefined,
    keyId: key || undefined,
    orderId: order || undefined,
    userId: user || undefined,
    productId: product || undefined,
    from: from || undefined,
    to: to || undefined,
  })
}

const BOOK_VIEWS = ['profit', 'batches', 'liability', 'month', 'year', 'rows'] as const
const YEAR = /^20\d\d$/
/** What the books show at first, in days. */
const BOOK_DAYS = 30

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/
/** Before the store's first credit. */
const FIRST_DAY = '2000-01-01'

/** What an address of the books asks for. What it leaves out has its usual value. */
export function bookAddress(
  { view, by, from, to, month = '', year = '', status, product, source }: PanelSearch,
  now: number,
) {
  const today = dayOf(now)
  const of = oneOf(status, 'bonus', 'top-ups', 'taken-back', 'expired', 'returned', 'unspent') ?? ('bonus' as const)
  const first = of === 'unspent' ? FIRST_DAY : dayAfter(to ?? today, 1 - BOOK_DAYS)
  return {
    view: oneOf(view, ...BOOK_VIEWS) ?? ('profit' as const),
    by: oneOf(by, 'day', 'product', 'supplier') ?? ('product' as const),
    from: from ?? first,
    to: to ?? today,
    month: MONTH.test(month) ? month : today.slice(0, 7),
    year: YEAR.test(year) ? Number(year) : financialYear(today),
    show: oneOf(status, 'all', 'losing', 'unknown-cost', '0-30', '31-60', '61-90', '91+') ?? ('all' as const),
    of,
    product,
    /** Which unspent credit: by where it came from, and by when it expires. */
    source: oneOf(source, 'paid', 'bonus', 'referral', 'admin'),
    expires: MONTH.test(month) || month === 'never' ? month : undefined,
  }
}
export const booksOf = (period: { from: string; to: string; by: 'day' | 'product' | 'supplier' }) =>
  askFor('books', 'read', period)
export const bookBatchesOn = ({ search = '', page, status }: PanelSearch) =>
  askFor('books', 'batches', { search, show: bookAddress({ status }, 0).show, ...pageOf(page, BOOK_BATCHES_PAGE_SIZE) })
export function bookRowsOn({ page, ...address }: PanelSearch, now: number) {
  const { of, from, to, product, source, expires } = bookAddress(address, now)
  const which = of === 'unspent' ? { source, expires } : { productId: product || undefined }
  return askFor('books', 'rows', { of, from, to, ...which, ...pageOf(page, BOOK_BATCHES_PAGE_SIZE) })
}
export const liability = ask('books', 'liability', {})
export const yearOf = (year: number) => askFor('books', 'year', { year })
export const monthOf = (month: string) => askFor('books', 'month', { month })

function booksBegin(address: PanelSearch, now: number): PanelQuery[] {
  const { view, by, from, to, month, year } = bookAddress(address, now)
  if (view === 'batches') return [bookBatchesOn(address)]
  if (view === 'liability') return [liability]
  if (view === 'month') return [monthOf(month)]
  if (view === 'year') return [yearOf(year)]
  if (view === 'rows') return [bookRowsOn(address, now)]
  return [booksOf({ from, to, by }), booksOf({ from, to, by: 'day' })]
}

export const auditInput = ({ search = '', status: action, from, to }: PanelSearch) => ({
  search,
  action,
  from,
  to,
  limit: AUDIT_PAGE_SIZE,
})
export function auditOn(address: PanelSearch) {
  return { ...askFor('reports', 'audit', auditInput(address)), isPaged: true as const }
}

interface Circumstances {
  /** In ms. */
  now: number
}

interface PanelPage {
  search: readonly (keyof PanelSearch)[]
  /** Its own queries. Absent for a page that the browser draws alone. */
  begins?: (address: PanelSearch, circumstances: Circumstances) => PanelQuery[]
}

const LIST = ['search', 'page', 'status'] as const
const BOOK = [...LIST, 'from', 'to'] as const

export const panelPages = {
  '/admin/dashboard': { search: [], begins: () => [overviewOf(OVERVIEW_DAYS), stats, nextRequests, forecast] },
  '/admin/product-manager': { search: LIST, begins: () => [adminProducts] },
  '/admin/user-manager': { search: [...LIST, 'group'], begins: (address, { now }) => [usersOn(address, now)] },
  '/admin/groups': { search: LIST, begins: () => [buyerGroups] },
  '/admin/key-manager': {
    search: [...LIST, 'product', 'duration', 'batch', 'after', 'view'],
    begins: () => [adminProducts, demand],
  },
  '/admin/payment-manager': {
    search: [...BOOK, 'after', 'before', 'decided', 'source', 'shared', 'request', 'bank'],
    begins: (address) => [paymentsOn(address), confirmedRequests, bankAccounts, bankDevices, unclaimedCount],
  },
  '/admin/bank': { search: LIST, begins: (address) => [bankAccounts, creditCount, creditsOn(address)] },
  '/admin/purchases': { search: [...BOOK, 'product'], begins: (address) => [adminProducts, purchasesOn(address)] },
  '/admin/claims': {
    search: [...BOOK, 'reason', 'batch', 'key', 'order', 'user', 'product'],
    begins: (address) => [claimsOn(address)],
  },
  '/admin/books': {
    search: [...BOOK, 'view', 'by', 'month', 'year', 'product', 'source'],
    begins: (address, { now }) => booksBegin(address, now),
  },
  '/admin/suppliers': { search: [...LIST, 'view'], begins: supplyBegins },
  '/admin/codes': { search: LIST, begins: () => [codeBatches] },
  '/admin/topup-plan-manager': { search: LIST, begins: () => [allPlans] },
  '/admin/referral-manager': {
    search: [...LIST, 'view'],
    begins: (address) =>
      referralsView(address) === 'invites' ? [inviters, inviteSettings] : [referralCodes, referralStats],
  },
  '/admin/audit': { search: BOOK, begins: (address) => [auditOn(address)] },
  '/admin/admins': { search: [] },
  '/admin/guide': { search: [] },
  '/admin/proof': { search: ['id'] },
  '/admin/settings': { search: [] },
  '/admin/settings/face': { search: [] },
  '/admin/settings/messages': { search: [] },
  '/admin/settings/bank': { search: [] },
  '/admin/security': { search: ['next'] },
} as const satisfies Record<string, PanelPage>

export type PanelPath = keyof typeof panelPages

/** The data around every page of the panel. */
const FRAME: readonly PanelQuery[] = [
  openClaimCount,
  guide,
  health,
  securityAlerts,
  openAlarms,
  bankRules,
  pendingCount,
]

/** The pages that the server draws, `/admin` with its dashboard too. */
const drawn: ReadonlyMap<string, NonNullable<PanelPage['begins']>> = new Map(
  Object.entries<PanelPage>({ '/admin': panelPages['/admin/dashboard'], ...panelPages }).flatMap(([path, { begins }]) =>
    begins ? [[path, begins] as const] : [],
  ),
)
export const DRAWN_PANEL_PAGES: readonly string[] = [...drawn.keys()]

/** @returns what the page of this path begins with; undefined where the server does not draw it */
export function queriesOf(path: string, address: PanelSearch, circumstances: Circumstances): PanelQuery[] | undefined {
  const begins = drawn.get(path)
  return begins && [...FRAME, ...begins(address, circumstances)]
}
