import type { ComponentType } from 'react'
import {
  BookOpen,
  CreditCard,
  Gift,
  KeyRound,
  Landmark,
  LayoutDashboard,
  ListChecks,
  MessageSquareWarning,
  Package,
  QrCode,
  Percent,
  ScrollText,
  Settings,
  ShieldCheck,
  ShoppingBag,
  Ticket,
  UserCog,
  Truck,
  Users,
  type LucideIcon,
} from 'lucide-react'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { PanelPath } from '../../../contract/panel-pages.ts'
import { t } from '../../platform/i18n.ts'
import type { SettingsPath } from '../../settings/admin/settings-pages.ts'
import { calls } from '../../platform/admin/roles.ts'

/** Pages of a setting are reached from the Settings screen (settings/admin/settings-pages.ts). */
type LinkedPath = Exclude<PanelPath, SettingsPath | Unlinked>
/** It is about one payment, and is reached from that. */
type Unlinked = '/admin/proof'

export const MENU_GROUPS = ['sell', 'money', 'people', 'store'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

interface PanelScreen {
  load: () => Promise<ComponentType>
}
interface LinkedScreen extends PanelScreen {
  label: () => string
  Icon: LucideIcon
  /** Its part of the menu. The dashboard is above them all. */
  group?: MenuGroup
  /** The call behind the screen. Roles that may not make it get no link. */
  call?: Pick<Endpoint, 'method' | 'roles'>
}
export interface AdminLink extends Omit<LinkedScreen, 'label'> {
  to: LinkedPath
  label: string
}

/**
 * In the order of the menu, within each group. A missing screen does not compile. Kept out of routes.tsx, so that
 * buyers don't fetch the names of its files.
 */
export const panelScreens: Record<LinkedPath, LinkedScreen> & Record<SettingsPath | Unlinked, PanelScreen> = {
  '/admin/dashboard': {
    load: () => import('../../reports/admin/admin-dashboard-screen.tsx').then((file) => file.AdminDashboardScreen),
    label: () => t('Dashboard'),
    Icon: LayoutDashboard,
  },
  '/admin/product-manager': {
    load: () => import('../../catalogue/admin/product-manager-screen.tsx').then((file) => file.ProductManagerScreen),
    label: () => t('Products'),
    group: 'sell',
    Icon: Package,
  },
  '/admin/user-manager': {
    load: () => import('../../users/admin/user-manager-screen.tsx').then((file) => file.UserManagerScreen),
    label: () => t('Users'),
    group: 'people',
    Icon: Users,
    call: calls.users.list,
  },
  '/admin/key-manager': {
    load: () => import('../../keys/admin/manager/key-manager-screen.tsx').then((file) => file.KeyManagerScreen),
    label: () => t('Keys'),
    group: 'sell',
    Icon: KeyRound,
    call: calls.keys.list,
  },
  '/admin/payment-manager': {
    load: () =>
      import('../../payments/admin/queue/payment-manager-screen.tsx').then((file) => file.PaymentManagerScreen),
    label: () => t('Payments'),
    group: 'money',
    Icon: CreditCard,
    call: calls.payments.list,
  },
  '/admin/bank': {
    load: () => import('../../bank/admin/money/money-screen.tsx').then((file) => file.MoneyScreen),
    label: () => t('Bank'),
    group: 'money',
    Icon: Landmark,
    call: calls.bank.credits,
  },
  '/admin/purchases': {
    load: () => import('../../orders/admin/purchases-screen.tsx').then((file) => file.PurchasesScreen),
    label: () => t('Purchases'),
    group: 'sell',
    Icon: ShoppingBag,
    call: calls.orders.purchases,
  },
  '/admin/claims': {
    load: () => import('../../claims/admin/claims-screen.tsx').then((file) => file.ClaimsScreen),
    label: () => t('Claims'),
    group: 'sell',
    Icon: MessageSquareWarning,
    call: calls.claims.list,
  },
  '/admin/suppliers': {
    load: () => import('../../supply/admin/suppliers-screen.tsx').then((file) => file.loadSuppliers()),
    label: () => t('Suppliers'),
    group: 'sell',
    Icon: Truck,
    call: calls.supply.links,
  },
  '/admin/codes': {
    load: () => import('../../wallet/admin/codes-screen.tsx').then((file) => file.loadCodes()),
    label: () => t('Codes'),
    group: 'sell',
    Icon: QrCode,
    call: calls.wallet.codes,
  },
  '/admin/groups': {
    load: () => import('../../groups/admin/groups-screen.tsx').then((file) => file.loadGroups()),
    label: () => t('Buyer groups'),
    group: 'sell',
    Icon: Percent,
    call: calls.groups.list,
  },
  '/admin/books': {
    load: () => import('../../books/admin/books-screen.tsx').then((file) => file.BooksScreen),
    label: () => t('Books'),
    group: 'money',
    Icon: BookOpen,
    call: calls.books.read,
  },
  '/admin/topup-plan-manager': {
    load: () =>
      import('../../payments/admin/plans/topup-plan-manager-screen.tsx').then((file) => file.TopupPlanManagerScreen),
    label: () => t('Top-up plans'),
    group: 'money',
    Icon: Gift,
    call: calls.payments.plans,
  },
  '/admin/referral-manager': {
    load: () => import('../../referrals/admin/referral-manager-screen.tsx').then((file) => file.loadReferrals()),
    label: () => t('Referrals'),
    group: 'people',
    Icon: Ticket,
    call: calls.referrals.list,
  },
  '/admin/audit': {
    load: () => import('../../audit/admin/audit-screen.tsx').then((file) => file.AuditScreen),
    label: () => t('Audit log'),
    group: 'store',
    Icon: ScrollText,
    call: calls.reports.audit,
  },
  '/admin/admins': {
    load: () => import('../../admins/admin/admins-screen.tsx').then((file) => file.AdminsScreen),
    label: () => t('Admins'),
    group: 'people',
    Icon: UserCog,
    call: calls.admins.list,
  },
  '/admin/settings': {
    load: () => import('../../settings/admin/settings-screen.tsx').then((file) => file.SettingsScreen),
    label: () => t('Settings'),
    group: 'store',
    Icon: Settings,
  },
  '/admin/guide': {
    load: () => import('../../reports/admin/guide/guide-screen.tsx').then((file) => file.GuideScreen),
    label: () => t('Setup guide'),
    group: 'store',
    Icon: ListChecks,
  },
  '/admin/security': {
    load: () => import('../../admins/admin/security-screen.tsx').then((file) => file.SecurityScreen),
    label: () => t('Account & security'),
    group: 'store',
    Icon: ShieldCheck,
  },
  '/admin/settings/face': {
    load: () => import('../../settings/admin/face-screen.tsx').then((file) => file.FaceScreen),
  },
  '/admin/proof': { load: () => import('../../proofs/admin/proof-screen.tsx').then((file) => file.ProofScreen) },
  '/admin/settings/messages': {
    load: () => import('../../messages/admin/messages-screen.tsx').then((file) => file.MessagesScreen),
  },
  '/admin/settings/bank': {
    load: () => import('../../bank/admin/settings/bank-settings-screen.tsx').then((file) => file.BankSettingsScreen),
  },
}

export function adminLinks(): AdminLink[] {
  return Object.entries(panelScreens).flatMap(([to, screen]) =>
    'label' in screen ? [{ ...screen, to: to as LinkedPath, label: screen.label() }] : [],
  )
}
