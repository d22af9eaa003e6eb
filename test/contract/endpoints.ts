/**
 * Every endpoint, walked from the contract itself. The store runs in strict mode, so an answer that names more than its
 * schema, or a refusal that was not declared, is a 500 and fails here.
 */
import { api, type Api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { RefusalCode } from '../../contract/errors.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Places } from '../leaks/places.ts'
import { admins } from './features/admins.ts'
import { bank } from './features/bank.ts'
import { catalogue } from './features/catalogue.ts'
import { keys } from './features/keys.ts'
import { messages } from './features/messages.ts'
import { orders } from './features/orders.ts'
import { payments } from './features/payments.ts'
import { pictures } from './features/pictures.ts'
import { privacy } from './features/privacy.ts'
import { referrals } from './features/referrals.ts'
import { reports } from './features/reports.ts'
import { sessions } from './features/sessions.ts'
import { settings } from './features/settings.ts'
import { users } from './features/users.ts'
import { wallet } from './features/wallet.ts'
import type { Act, Walk } from './walk.ts'

const walks: { [F in keyof Api]: Walk<F> } = {
  sessions,
  privacy,
  admins,
  users,
  catalogue,
  pictures,
  keys,
  orders,
  wallet,
  payments,
  bank,
  referrals,
  messages,
  settings,
  reports,
}

/** Every endpoint with its name, and the path with plausible parameters in it. */
export const endpoints = Object.entries(api).flatMap(([feature, all]) => {
  // The types hold each feature to its own calls; here all of them are gone through by name
  const walk: { [Part in keyof Walk<never>]: Record<string, unknown> } = walks[feature as keyof Api]
  return Object.entries(all as Record<string, Endpoint>).map(([name, endpoint]) => ({
    name: `${endpoint.method} ${endpoint.path}`,
    endpoint,
    path: endpoint.path.replaceAll('{duration}', '10%20Days').replaceAll(/\{\w+\}/g, () => newId()),
    succeed: walk.succeed[name] as Act,
    provoke: Object.entries(walk.refuse[name] ?? {}) as [RefusalCode, Act][],
    shows: (walk.shows?.[name] ?? {}) as Places,
  }))
})
