/** Loads the page's first data: put into the HTML by the server, or fetched from the dev server. */
import type { QueryClient } from '@tanstack/react-query'
import type { PageData } from '../../../contract/page.ts'
import { client } from './client.ts'

let boot: PageData | undefined

/** Data delivered with the page. It never changes, because later data goes to the queries. */
export function getBoot(): PageData {
  if (!boot) throw new Error('Not started')
  return boot
}

export async function loadBoot(): Promise<PageData> {
  const text = document.getElementById('boot')?.textContent?.trim()
  // Only the dev server sends pages without data, so the build drops that branch.
  const given = import.meta.env.DEV && !text ? await fetchBoot() : (JSON.parse(text ?? '') as PageData)
  setBoot(given)
  return given
}

export function setBoot(given: PageData | undefined): void {
  boot = given
}

/** Fills the queries with data that came with the page. */
export function fillQueries(
  queries: QueryClient,
  { site, notice, upi, products, queries: given = [] }: PageData,
): void {
  queries.setQueryData(['settings', 'site'], site)
  queries.setQueryData(['settings', 'notice'], notice)
  queries.setQueryData(['settings', 'upi'], upi)
  queries.setQueryData(['catalogue', 'products'], products)
  for (const [key, data] of given) queries.setQueryData(key, data)
}

async function fetchBoot(): Promise<PageData> {
  const orElse = <T>(call: Promise<T>, fallback: T) => call.catch(() => fallback)
  const { sessions, settings, catalogue } = client
  const [me, check, site, version, notice, upi, products] = await Promise.all([
    orElse(sessions.me({}), null),
    orElse(sessions.adminCheck({}), null),
    orElse(settings.site({}), {
      websiteName: 'Chaabi',
      websiteTitle: 'Chaabi: licence keys, delivered instantly',
      supportUrl: '',
      accent: 'lime' as const,
      heroLine: '',
    }),
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
    notice,
    upi,
    products,
    supportUrl: site.supportUrl,
    now: new Date().toISOString(),
  }
}
