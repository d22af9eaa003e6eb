import { t } from '../../platform/i18n.ts'
import { Page } from '../../ui/page.tsx'
import { AccountsSection } from './accounts-section.tsx'
import { RulesSection } from './rules-section.tsx'

/** The store's bank accounts, and what is approved by itself. */
export function BankSettingsScreen() {
  return (
    <Page title={t('Bank')} hideTitle>
      <div className="mx-auto grid max-w-180 gap-4 sm:gap-6">
        <AccountsSection />
        <RulesSection />
      </div>
    </Page>
  )
}
