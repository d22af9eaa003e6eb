import { ArrowRight } from 'lucide-react'
import type { ComponentType } from 'react'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { BackupSection } from '../../backup/admin/backup-section.tsx'
import { WaitingSection } from './waiting-section.tsx'
import { settingsPages } from './settings-pages.ts'
import { RefundRulesSection, SupportSection, TopUpRulesSection, WalletChangesSection } from './store-sections.tsx'

/** Rows in the order of the screen. A feature adds its own row with one line, and a page in settings-pages.ts. */
const sections: readonly ComponentType[] = [
  SupportSection,
  TopUpRulesSection,
  RefundRulesSection,
  WalletChangesSection,
  WaitingSection,
  BackupSection,
]

/** Settings of the store. The notice, the name, the UPI ID and the payments switch are on the dashboard. */
export function SettingsScreen() {
  const pages = settingsPages().filter(({ call }) => !denied(call))
  return (
    <Page title={t('Settings')} hideTitle>
      <div className="mx-auto grid max-w-180 grid-cols-1 gap-3 sm:gap-6">
        {pages.length > 0 && (
          <Panel aria-label={t('More settings')}>
            <ul className="-my-2 divide-y divide-line">
              {pages.map(({ to, label, hint, Icon, call }) => (
                <li key={to} className="py-1">
                  <AllowedLink
                    call={call}
                    to={to}
                    className="-mx-2 flex min-h-14 items-center gap-3 rounded-control px-2 py-1.5"
                    linkClassName="hover:bg-hover"
                  >
                    <Icon size={18} aria-hidden className="shrink-0 text-fg-3" />
                    <span className="min-w-0 flex-1">
                      <span className="block font-medium">{label}</span>
                      <span className="block text-xs text-fg-3">{hint}</span>
                    </span>
                    <ArrowRight size={16} aria-hidden className="shrink-0 text-fg-3" />
                  </AllowedLink>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        <Panel aria-label={t('Store rules')} className="py-1! sm:py-2!">
          <div className="divide-y divide-line">
            {sections.map((Section, place) => (
              <Section key={place} />
            ))}
          </div>
        </Panel>
        <p className="px-1 text-sm text-fg-3">
          {textWith('For developers: {link}', {
            link: (
              <a href="/api/docs" className="font-semibold text-fg-2 underline">
                {t('Developer reference (API)')}
              </a>
            ),
          })}
        </p>
      </div>
    </Page>
  )
}
