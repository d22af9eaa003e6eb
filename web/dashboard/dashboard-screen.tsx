import { t } from '../platform/i18n.ts'
import { usePageTitle } from '../platform/navigation/page-title.ts'
import { useSession } from '../platform/session/session.ts'
import { Page } from '../ui/page/page.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { NextToExpire } from './next-to-expire.tsx'
import { NoticeBanner } from './notice-banner.tsx'
import { ProductsSection } from './products-section.tsx'
import { VisitorPanel } from './visitor-panel.tsx'

export function DashboardScreen() {
  const { user } = useSession()
  // The tab of the front page shows the site's title instead of the page's.
  usePageTitle()
  return (
    <Page title={t('Dashboard')} hideTitle className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:gap-4">
      {user ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:gap-4 wide:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
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
