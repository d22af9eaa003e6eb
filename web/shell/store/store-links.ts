import { History, KeyRound, LayoutGrid, ShoppingBag } from 'lucide-react'
import { t } from '../../platform/i18n.ts'

/** The user area's four screens, in the order of the specification's menu. */
export const STORE_LINKS = [
  { to: '/', label: () => t('Dashboard'), Icon: LayoutGrid },
  { to: '/buy', label: () => t('Buy Key'), Icon: ShoppingBag },
  { to: '/my-key', label: () => t('My Key'), Icon: KeyRound },
  { to: '/wallet-history', label: () => t('Wallet History'), Icon: History },
] as const

/** How a link looks on its own page, and on others. */
export const LINK_LOOK = { activeClassName: 'bg-hover text-fg', inactiveClassName: 'text-fg-2' }
