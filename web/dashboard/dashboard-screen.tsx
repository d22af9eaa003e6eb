import { t, own } from '../platform/i18n.ts'
import { usePageTitle } from '../platform/navigation/page-title.ts'
import { useSession } from '../platform/session/session.ts'
import { Page } from '../ui/page/page.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { NextToExpire } from './next-to-expire.tsx'
import { ProductsSection } from './products-section.tsx'
import { VisitorPanel } from './visitor-panel.tsx'
import { ChevronDown } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { client } from '../platform/calls/client.ts'
import { usePollInterval } from '../platform/calls/events.ts'

export function DashboardScreen() {
  const { user } = useSession()
  // The tab of the front page shows the site's title instead of the page's.
  usePageTitle()
  return (
    <Page title={t('Dashboard')} hideTitle className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:gap-4">
      {user ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:gap-4 wide:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
          <BalancePanel user={user} />
          <NextToExpire />
        </div>
      ) : (
        <VisitorPanel />
      )}
      <NoticeBanner />
      <ProductsSection />
    </Page>
  )
}

const POLL_INTERVAL_MS = 30_000
/** Letters that a phone shows of a notice before it is opened. */
const ONE_LINE = 35

/** Shows the admin's notice, or nothing without one. */
function NoticeBanner() {
  const notice = useQuery({
    queryKey: ['settings', 'notice'],
    queryFn: ({ signal }) => client.settings.notice({}, { signal }),
    staleTime: Infinity,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
  const text = notice.data && own({ notice: notice.data.text, ...notice.data }, 'notice').trim()
  if (!text) return null
  return (
    <aside aria-label={t('Notice')} className="rounded-card border border-info/25 bg-info/8 text-sm">
      <details className="group">
        <summary className="flex gap-3 px-4 py-1.5 wrap-break-word large-text:flex-wrap sm:py-3">
          <p className="shrink-0 font-semibold text-info">{t('Notice')}</p>
          <p className="min-w-0 whitespace-pre-line text-fg-2 max-sm:line-clamp-1 group-open:line-clamp-none">{text}</p>
          {text.length > ONE_LINE && (
            <ChevronDown size={16} aria-hidden className="mt-0.5 ml-auto shrink-0 group-open:rotate-180 sm:hidden" />
          )}
        </summary>
      </details>
    </aside>
  )
}
