/** What the page starts with: put into the HTML by the server, or fetched where no server has done so (dev server). */
import type { QueryClient } from '@tanstack/react-query'
import type { Product } from '../../contract/catalogue.ts'
import type { OwnedKey } from '../../contract/keys.ts'
import type { OwnTopUp, Plan } from '../../contract/payments.ts'
import { OVERVIEW_DAYS } from '../../contract/limits.ts'
import type { User } from '../../contract/users.ts'
import type { HistoryEntry } from '../../contract/wallet.ts'
import { client } from './client.ts'
import type { AdminCheck } from './session.ts'

export interface Boot {
  user: User | null
  admin: AdminCheck | null
  /** Where a buyer's account was taken to another device: SESSION_EXPIRED or DEVICE_MISMATCH. */
  refusal?: string
  site: { websiteName: string; websiteTitle: string; supportUrl: string }
  settingsVersion: number
  notice: string
  upi: { upiId: string; paymentEnabled: boolean; merchantVpa: boolean; topupMax: number }
  /** As this caller sees them. */
  products: Product[]
  /** Where the floating support link leads; empty for none. */
  supportUrl: string
  /** The server's time, ISO. */
  now: string
  /** What the screen of this address asks for first; only that, and of a buyer with very many keys none. */
  keys?: OwnedKey[]
  requests?: OwnTopUp[]
  history?: HistoryEntry[]
  plans?: Plan[]
  overview?: Answer<typeof client.reports.overview>
  stats?: Answer<typeof client.reports.stats>
  health?: Answer<typeof client.reports.healthReport>
  /** Where the page is drawn for somebody who is signed in: the time zone of its dates. */
  zone?: string
}

type Answer<Call extends (...input: never[]) => Promise<unknown>> = Awaited<ReturnType<Call>>

let boot: Boot | undefined

/** What the page was delivered with. Later changes are in the queries; this stays as it was. */
export function getBoot(): Boot {
  if (!boot) throw new Error('The page has not been started yet')
  return boot
}

export async function loadBoot(): Promise<Boot> {
  const text = document.getElementById('boot')?.textContent?.trim()
  // The build leaves the other way out: a page of the server's never needs it
  const given = import.meta.env.DEV && !text ? await fetchBoot() : (JSON.parse(text ?? '') as Boot)
  setBoot(given)
  return given
}

export function setBoot(given: Boot | undefined): void {
  boot = given
}

/** What came with the page need not be asked for again. */
export function fillQueries(queries: QueryClient, { site, notice, upi, products, ...page }: Boot): void {
  queries.setQueryData(['settings', 'site'], site)
  queries.setQueryData(['settings', 'notice'], { text: notice })
  queries.setQueryData(['settings', 'upi'], upi)
  queries.setQueryData(['catalogue', 'products'], products)
  if (page.keys) queries.setQueryData(['keys', 'mine'], page.keys)
  if (page.requests) queries.setQueryData(['payments', 'mine'], page.requests)
  if (page.history) queries.setQueryData(['wallet', 'history'], { pages: [page.history], pageParams: [''] })
  if (page.overview) queries.setQueryData(['reports', 'overview', { days: OVERVIEW_DAYS }], page.overview)
  if (page.stats) queries.setQueryData(['reports', 'stats'], page.stats)
  if (page.health) queries.setQueryData(['reports', 'health'], page.health)
  if (page.plans) queries.setQueryData(['payments', 'plans', 'active'], page.plans)
}

async function fetchBoot(): Promise<Boot> {
  const orElse = <T>(call: Promise<T>, fallback: T) => call.catch(() => fallback)
  const { sessions, settings, catalogue } = client
  const [me, check, site, version, notice, upi, products] = await Promise.all([
    orElse(sessions.me({}), null),
    orElse(sessions.adminCheck({}), null),
    orElse(settings.site({}), { websiteName: 'Chaabi', websiteTitle: 'Chaabi: licence keys, at once', supportUrl: '' }),
    orElse(settings.version({}), { settingsVersion: 0 }),
    orElse(settings.notice({}), { text: '' }),
    orElse(settings.upi({}), { upiId: '', paymentEnabled: true, merchantVpa: false, topupMax: 1_00_000 }),
    orElse(catalogue.list({}), []),
  ])
  return {
    user: me && !me.isAdmin ? me : null,
    admin: check,
    site,
    settingsVersion: version.settingsVersion,
    notice: notice.text,
    upi,
    products,
    supportUrl: site.supportUrl,
    now: new Date().toISOString(),
  }
}
