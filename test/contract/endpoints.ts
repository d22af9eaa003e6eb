/**
 * Every endpoint, walked from the contract itself. The tables beside this are typed by it: an endpoint without a
 * success, or a declared refusal without a provocation, does not compile; the store runs in strict mode, so an
 * answer that names more than its schema, or a refusal that was not declared, is a 500 and fails here.
 */
import { api, type Api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { RefusalCode } from '../../contract/errors.ts'
import { newId } from '../../server/platform/ids.ts'
import { refusalsOfAccounts, type Provocations } from './refusals-of-accounts.ts'
import { refusalsOfTrade } from './refusals-of-trade.ts'
import { successes, type Act } from './successes.ts'

const provocations: Provocations = { ...refusalsOfAccounts, ...refusalsOfTrade }

/** Every endpoint with its name, and the path with plausible parameters in it. */
export const endpoints = Object.entries(api).flatMap(([feature, all]) =>
  Object.entries(all as Record<string, Endpoint>).map(([name, endpoint]) => ({
    name: `${endpoint.method} ${endpoint.path}`,
    endpoint,
    path: endpoint.path.replaceAll('{duration}', '10%20Days').replaceAll(/\{\w+\}/g, () => newId()),
    succeed: (successes[feature as keyof Api] as Record<string, Act>)[name] as Act,
    provoke: Object.entries(
      (provocations[feature as keyof Api] as Record<string, Record<string, Act>>)[name] ?? {},
    ) as [RefusalCode, Act][],
  })),
)
