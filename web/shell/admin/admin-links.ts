import {
  CreditCard,
  Gift,
  KeyRound,
  LayoutDashboard,
  Package,
  ScrollText,
  ShieldCheck,
  ShoppingBag,
  Ticket,
  UserCog,
  Users,
  type LucideIcon,
} from 'lucide-react'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { t } from '../../platform/i18n.ts'
import { calls } from '../../platform/admin/roles.ts'

export interface AdminLink {
  to:
    | '/admin/dashboard'
    | '/admin/product-manager'
    | '/admin/user-manager'
    | '/admin/key-manager'
    | '/admin/payment-manager'
    | '/admin/purchases'
    | '/admin/topup-plan-manager'
    | '/admin/referral-manager'
    | '/admin/audit'
    | '/admin/admins'
    | '/admin/security'
  label: string
  Icon: LucideIcon
  /** The call that the screen is made of; whose role does not allow it has no link to it. */
  call?: Pick<Endpoint, 'method' | 'roles'>
}

export function adminLinks(): AdminLink[] {
  return [
    { to: '/admin/dashboard', label: t('Dashboard'), Icon: LayoutDashboard },
    { to: '/admin/product-manager', label: t('Products'), Icon: Package },
    { to: '/admin/user-manager', label: t('Users'), Icon: Users, call: calls.users.list },
    { to: '/admin/key-manager', label: t('Keys'), Icon: KeyRound, call: calls.keys.list },
    { to: '/admin/payment-manager', label: t('Payments'), Icon: CreditCard, call: calls.payments.list },
    { to: '/admin/purchases', label: t('Purchases'), Icon: ShoppingBag, call: calls.orders.purchases },
    { to: '/admin/topup-plan-manager', label: t('Top-up plans'), Icon: Gift, call: calls.payments.plans },
    { to: '/admin/referral-manager', label: t('Referrals'), Icon: Ticket, call: calls.referrals.list },
    { to: '/admin/audit', label: t('Audit log'), Icon: ScrollText, call: calls.reports.audit },
    { to: '/admin/admins', label: t('Admins'), Icon: UserCog, call: calls.admins.list },
    { to: '/admin/security', label: t('Account & security'), Icon: ShieldCheck },
  ]
}
