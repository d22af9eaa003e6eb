import {
  CreditCard,
  Gift,
  KeyRound,
  Landmark,
  LayoutDashboard,
  ListChecks,
  Package,
  ScrollText,
  Settings,
  ShieldCheck,
  ShoppingBag,
  Ticket,
  UserCog,
  Users,
  type LucideIcon,
} from 'lucide-react'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { Path } from '../../platform/navigation.ts'
import { t } from '../../platform/i18n.ts'
import type { SettingsPath } from '../../settings/admin/settings-pages.ts'
import { calls } from '../../platform/admin/roles.ts'

/** Pages of a setting are reached from the Settings screen (settings/admin/settings-pages.ts). */
type PanelPath = Exclude<Extract<Path, `/admin/${string}`>, SettingsPath>

interface Entry {
  label: string
  Icon: LucideIcon
  /** The call that the screen is made of; whose role does not allow it has no link to it. */
  call?: Pick<Endpoint, 'method' | 'roles'>
}
export type AdminLink = Entry & { to: PanelPath }

/** In the order of the menu. A screen of the panel that is forgotten here does not compile. */
export function adminLinks(): AdminLink[] {
  const entries: Record<PanelPath, Entry> = {
    '/admin/dashboard': { label: t('Dashboard'), Icon: LayoutDashboard },
    '/admin/product-manager': { label: t('Products'), Icon: Package },
    '/admin/user-manager': { label: t('Users'), Icon: Users, call: calls.users.list },
    '/admin/key-manager': { label: t('Keys'), Icon: KeyRound, call: calls.keys.list },
    '/admin/payment-manager': { label: t('Payments'), Icon: CreditCard, call: calls.payments.list },
    '/admin/bank': { label: t('Bank'), Icon: Landmark, call: calls.bank.credits },
    '/admin/purchases': { label: t('Purchases'), Icon: ShoppingBag, call: calls.orders.purchases },
    '/admin/topup-plan-manager': { label: t('Top-up plans'), Icon: Gift, call: calls.payments.plans },
    '/admin/referral-manager': { label: t('Referrals'), Icon: Ticket, call: calls.referrals.list },
    '/admin/audit': { label: t('Audit log'), Icon: ScrollText, call: calls.reports.audit },
    '/admin/admins': { label: t('Admins'), Icon: UserCog, call: calls.admins.list },
    '/admin/settings': { label: t('Settings'), Icon: Settings },
    '/admin/guide': { label: t('Setup guide'), Icon: ListChecks },
    '/admin/security': { label: t('Account & security'), Icon: ShieldCheck },
  }
  return Object.entries(entries).map(([to, entry]) => ({ to: to as PanelPath, ...entry }))
}
