/** Every endpoint of the store, on one page. */
import { admins } from './admins.ts'
import { catalogue } from './catalogue.ts'
import { keys } from './keys.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { privacy } from './privacy.ts'
import { referrals } from './referrals.ts'
import { reports } from './reports.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { users } from './users.ts'
import { wallet } from './wallet.ts'

export const api = {
  sessions,
  privacy,
  admins,
  users,
  catalogue,
  keys,
  orders,
  wallet,
  payments,
  referrals,
  settings,
  reports,
}
export type Api = typeof api
