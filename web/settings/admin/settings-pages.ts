import { Bell, Landmark, Palette, type LucideIcon } from 'lucide-react'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { calls } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import type { Path } from '../../platform/navigation/navigation.ts'

export type SettingsPath = Extract<Path, `/admin/settings/${string}`>

interface SettingsPage {
  to: SettingsPath
  label: string
  hint: string
  Icon: LucideIcon
  /** The call that the page is made of. Roles that may not make it get no link. */
  call: Pick<Endpoint, 'method' | 'roles'>
}

/** Pages of one setting, as links on the Settings screen. Their paths are in routes.tsx. */
export const settingsPages = (): SettingsPage[] => [
  {
    to: '/admin/settings/face',
    label: t('Branding'),
    hint: t('Logo, colour and headline'),
    Icon: Palette,
    call: calls.settings.saveFace,
  },
  {
    to: '/admin/settings/messages',
    label: t('Notifications'),
    hint: t('Notifications to you and to buyers: phone, Telegram, email'),
    Icon: Bell,
    call: calls.messages.channels,
  },
  {
    to: '/admin/settings/bank',
    label: t('Bank accounts and rules'),
    hint: t('Where money comes in, and what is approved automatically'),
    Icon: Landmark,
    call: calls.bank.accounts,
  },
]
