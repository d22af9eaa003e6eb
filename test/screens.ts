/** Every screen of the store and whose it is, for tests that visit them all: one that is forgotten here does not compile. */
import type { Path } from '../web/platform/navigation.ts'

export const SCREENS: Record<Path, 'anyone' | 'buyer' | 'admin'> = {
  '/': 'anyone',
  '/terms-policy': 'anyone',
  '/login': 'anyone',
  '/signup': 'anyone',
  '/reset-password': 'anyone',
  '/admin-login': 'anyone',
  '/buy': 'buyer',
  '/my-key': 'buyer',
  '/wallet-history': 'buyer',
  '/add-balance': 'buyer',
  '/account': 'buyer',
  '/admin': 'admin',
  '/admin/dashboard': 'admin',
  '/admin/product-manager': 'admin',
  '/admin/user-manager': 'admin',
  '/admin/key-manager': 'admin',
  '/admin/payment-manager': 'admin',
  '/admin/purchases': 'admin',
  '/admin/topup-plan-manager': 'admin',
  '/admin/referral-manager': 'admin',
  '/admin/audit': 'admin',
  '/admin/admins': 'admin',
  '/admin/security': 'admin',
}

/** The screens that somebody can open who is this. */
export const screensOf = (...whose: ('anyone' | 'buyer' | 'admin')[]): Path[] =>
  (Object.keys(SCREENS) as Path[]).filter((path) => whose.includes(SCREENS[path]))
