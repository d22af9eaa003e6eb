import {
  CreditCard,
  Gift,
  KeyRound,
  LayoutDashboard,
  Package,
  ScrollText,
  ShoppingBag,
  Ticket,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { t } from '../platform/i18n.ts'

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
  label: string
  Icon: LucideIcon
}

export function adminLinks(): AdminLink[] {
  return [
    { to: '/admin/dashboard', label: t('Dashboard'), Icon: LayoutDashboard },
    { to: '/admin/product-manager', label: t('Products'), Icon: Package },
    { to: '/admin/user-manager', label: t('Users'), Icon: Users },
    { to: '/admin/key-manager', label: t('Keys'), Icon: KeyRound },
    { to: '/admin/payment-manager', label: t('Payments'), Icon: CreditCard },
    { to: '/admin/purchases', label: t('Purchases'), Icon: ShoppingBag },
    { to: '/admin/topup-plan-manager', label: t('Top-up plans'), Icon: Gift },
    { to: '/admin/referral-manager', label: t('Referrals'), Icon: Ticket },
    { to: '/admin/audit', label: t('Audit log'), Icon: ScrollText },
  ]
}
