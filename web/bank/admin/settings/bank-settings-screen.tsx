import { t } from '../../../platform/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { Loading, Skeleton } from '../../../ui/page/skeleton.tsx'
import { bankRules } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { useBankAccounts, useDevices } from '../bank-queries.ts'
import { AccountsSection } from './accounts-section.tsx'
import { PhonesSection } from './phones-section.tsx'
import { RulesSection } from './rules-section.tsx'
import { StatementsSection } from './statements-section.tsx'
import { UnreadSection } from './unread-section.tsx'

const TrialsSection = lazyPart(() => import('./trials-section.tsx').then((file) => file.TrialsSection), {
  missing: 'nothing',
})

/** The store's bank accounts, phones that forward alerts, and what is approved automatically. */
export function BankSettingsScreen() {
  const isPending = [useBankAccounts(), useDevices(), usePanel(bankRules)].some((query) => query.isPending)
  return (
    <Page title={t('Bank')} hideTitle>
      <div className="mx-auto grid max-w-180 grid-cols-1 gap-4 sm:gap-6">
        {isPending ? (
          <Loading>
            <Skeleton className="h-60" />
          </Loading>
        ) : (
          <>
            <AccountsSection />
            <PhonesSection />
            <RulesSection />
            <StatementsSection />
            <UnreadSection />
            <TrialsSection />
          </>
        )}
      </div>
    </Page>
  )
}
