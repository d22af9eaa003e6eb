/**
 * Collects the data that a page of the panel starts with. The handlers of the screen's own calls answer, after the same
 * checks of role and input. Refused calls are left out.
 */
import * as z from 'zod/mini'
import { api } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import {
  ALARMS_SHOWN,
  AUDIT_PAGE_SIZE,
  AUDIT_PAGE_SIZE_PHONE,
  CLAIMS_PAGE_SIZE,
  NEXT_REQUESTS,
  OVERVIEW_DAYS,
  PAGE_SIZE_MAX,
  PAYMENTS_PAGE_SIZE,
  PURCHASES_PAGE_SIZE,
  USERS_PAGE_SIZE,
} from '../contract/limits.ts'
import type { PanelPage, PageQuery } from '../contract/page.ts'
import { refuseByRole } from './platform/http/admit.ts'
import type { Call, SessionAdmin } from './platform/http/http.ts'
import { dayOf } from '../contract/india.ts'
import { allOf, begin, rowsOf, type AllHandlers, type Beginning } from './page-queries.ts'

type AdminCall = Call & { admin: SessionAdmin }
type Rights = Parameters<typeof refuseByRole>[1]
type Asked = Pick<Endpoint, 'method' | 'roles' | 'beforeEnrolment'>
/** @returns the answer to one call, or undefined where it is refused or fails */
type Ask = <Input extends z.ZodMiniType, Answer>(
  endpoint: Asked & { input: Input },
  handler: (input: z.output<Input>, call: AdminCall) => Answer | Promise<Answer>,
  input?: Record<string, unknown>,
) => Promise<Answer | undefined>

interface Wanted {
  ask: Ask
  handlers: AllHandlers
  address: Address
  isWide: boolean
  now: Date
}

/** @returns the queries that the page of this path begins with, for this admin */
export async function readPanel(
  handlers: AllHandlers,
  call: AdminCall,
  { rights, path, search, isWide }: { rights: Rights; path: PanelPage; search: URLSearchParams; isWide: boolean },
): Promise<PageQuery[]> {
  const ask: Ask = async (endpoint, handler, input = {}) => {
    try {
      refuseByRole(endpoint, rights)
      const read = z.safeParse(endpoint.input, input)
      return read.success ? await handler(read.data, call) : undefined
    } catch (err) {
      // The screen asks for it itself and says what failed
      call.log.debug({ err }, 'a page of the panel comes without an answer')
      return undefined
    }
  }
  const wanted = { ask, handlers, address: readAddress(search), isWide, now: call.now }
  return allOf([...frame(wanted), ...PAGES[path](wanted)])
}

/** The data around every screen of the panel. */
const frame = ({ ask, handlers: { bank, claims, payments, reports } }: Wanted): Beginning[] => [
  begin('claims open-count', ask(api.claims.list, claims.list, { status: 'open', limit: 1 })),
  begin('reports overview guide', ask(api.reports.guide, reports.guide)),
  begin('reports health', ask(api.reports.healthReport, reports.healthReport)),
  begin('bank alarms', ask(api.bank.alarms, bank.alarms, { open: true, limit: ALARMS_SHOWN })),
  begin('bank rules', ask(api.bank.rules, bank.rules)),
  begin('payments pending-count', ask(api.payments.list, payments.list, { status: 'pending', limit: 1 })),
]

const dashboard = ({ ask, handlers: { forecast, payments, reports } }: Wanted): Beginning[] => {
  const days = { days: OVERVIEW_DAYS }
  const next = { status: 'pending', order: 'oldest', limit: NEXT_REQUESTS }
  return [
    begin('reports overview', ask(api.reports.overview, reports.overview, days), days),
    begin('reports stats', ask(api.reports.stats, reports.stats)),
    begin('payments next', ask(api.payments.list, payments.list, next)),
    begin('forecast read', rowsOf(ask(api.forecast.read, forecast.read))),
  ]
}

const products = ({ ask, handlers: { catalogue } }: Wanted): Beginning =>
  begin('catalogue admin', rowsOf(ask(api.catalogue.list, catalogue.list)))

/** A page of the panel without its data does not compile. */
const PAGES: Record<PanelPage, (wanted: Wanted) => Beginning[]> = {
  '/admin': dashboard,
  '/admin/dashboard': dashboard,
  '/admin/product-manager': (wanted) => [products(wanted)],
  '/admin/key-manager': (wanted) => [
    products(wanted),
    begin('waiting demand', wanted.ask(api.waiting.demand, wanted.handlers.waiting.demand)),
  ],
  '/admin/user-manager'({ ask, handlers: { users }, address: { search, page, status }, now }) {
    const holding = ['money', 'lapsing'].find((each) => each === status)
    const joined = status === 'new' && { joined: dayOf(now) }
    const input = { search, ...pageOf(page, USERS_PAGE_SIZE), ...(holding && { holding }), ...joined }
    return [begin('users list', ask(api.users.list, users.list, input), input)]
  },
  '/admin/payment-manager'({ ask, handlers: { bank, payments }, address }) {
    const input = queueOf(address)
    const confirmed = { bank: 'confirmed', limit: PAGE_SIZE_MAX }
    return [
      begin('payments list', ask(api.payments.list, payments.list, input), input),
      begin('payments list confirmed', ask(api.payments.list, payments.list, confirmed)),
      begin('bank accounts', ask(api.bank.accounts, bank.accounts)),
      begin('bank devices', ask(api.bank.devices, bank.devices)),
      begin('bank unclaimed-count', ask(api.bank.credits, bank.credits, { ...UNCLAIMED, limit: 1 })),
    ]
  },
  '/admin/bank'({ ask, handlers: { bank }, address: { search, page, status = '' } }) {
    const state = ['all', 'matched', 'set-aside', 'differs'].includes(status) ? { state: status } : UNCLAIMED
    const input = { search, ...pageOf(page, PAYMENTS_PAGE_SIZE), ...(status !== 'all' && state) }
    return [
      begin('bank accounts', ask(api.bank.accounts, bank.accounts)),
      begin('bank credits', ask(api.bank.credits, bank.credits, input), input),
    ]
  },
  '/admin/purchases'(wanted) {
    const { search, page, product: productId, from, to } = wanted.address
    const input = { search, productId, from, to, ...pageOf(page, PURCHASES_PAGE_SIZE) }
    const { ask, handlers } = wanted
    return [
      products(wanted),
      begin('orders purchases', ask(api.orders.purchases, handlers.orders.purchases, input), input),
    ]
  },
  '/admin/claims'({ ask, handlers: { claims }, address: { search, page, status = 'open' } }) {
    const shown = ['open', 'replaced', 'refunded', 'rejected', 'withdrawn'].find((each) => each === status)
    const input = { search, ...pageOf(page, CLAIMS_PAGE_SIZE), ...(shown && { status: shown }) }
    return [begin('claims list', ask(api.claims.list, claims.list, input), input)]
  },
  '/admin/topup-plan-manager': ({ ask, handlers: { payments } }) => [
    begin('payments plans all', rowsOf(ask(api.payments.plans, payments.plans))),
  ],
  '/admin/referral-manager': ({ ask, handlers: { referrals } }) => [
    begin('referrals list', rowsOf(ask(api.referrals.list, referrals.list))),
    begin('referrals stats', ask(api.referrals.stats, referrals.stats)),
  ],
  '/admin/audit': ({ ask, handlers: { reports }, address: { search, status: action, from, to }, isWide }) => {
    const input = { search, action, from, to, limit: isWide ? AUDIT_PAGE_SIZE : AUDIT_PAGE_SIZE_PHONE }
    const first = ask(api.reports.audit, reports.audit, input)
    return [
      begin(
        'reports audit',
        first.then((page) => page && { pages: [page], pageParams: [''] }),
        input,
      ),
    ]
  },
}

const UNCLAIMED = { state: 'unclaimed', claimed: false }

/** The search of an address, as the screens read it (web/routes.tsx). */
interface Address {
  search: string
  /** From 0. */
  page: number
  status?: string
  product?: string
  from?: string
  to?: string
  decided?: string
  source?: string
  request?: string
}

function readAddress(given: URLSearchParams): Address {
  const { page = '', search = '', ...rest } = Object.fromEntries(given)
  return { ...rest, search, page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 0 }
}

const pageOf = (page: number, size: number) => ({ limit: size, skip: page * size })

/** The input of the queue's call (web/payments/admin/queue/use-payment-list.ts). */
function queueOf({ search, page, status, decided: decidedOn, source, request: id }: Address) {
  const filter = ['all', 'approved', 'rejected'].find((each) => each === status) ?? 'pending'
  const isPending = filter === 'pending' && id === undefined
  return {
    search,
    ...pageOf(page, PAYMENTS_PAGE_SIZE),
    order: isPending ? 'oldest' : 'newest',
    ...(filter !== 'all' && id === undefined && { status: filter }),
    ...(decidedOn && { decidedOn }),
    ...(source === 'request' && { source }),
    ...(id && { id }),
  }
}
