/**
 * Every endpoint, walked from the contract itself. The store runs in strict mode, so an answer that names more than its
 * schema, or a refusal that was not declared, is a 500 and fails here.
 */
import { api } from '../../contract/api.ts'
import type { Endpoints } from '../../contract/endpoint.ts'
import type { RefusalCode } from '../../contract/errors.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Places } from '../leaks/places.ts'
import type { Act, Walk } from './walk.ts'

/** The types hold each feature to its own calls. Here all of them are gone through by name. */
type AnyWalk = { [Part in 'succeed' | 'refuse' | 'shows']: Record<string, unknown> } & Pick<Walk<never>, 'plants'>

/** A feature without its file is an error here, in each test that walks. */
const walkOf = async (feature: string): Promise<AnyWalk> =>
  ((await import(`./features/${feature}.ts`)) as Record<string, AnyWalk>)[feature] as AnyWalk

const features = await Promise.all(
  Object.entries<Endpoints>(api).map(async ([feature, all]) => ({ all, walk: await walkOf(feature) })),
)

/** Texts that features let people give to the store. */
export const plants = features.flatMap(({ walk }) => walk.plants ?? [])

/** Every endpoint with its name, and the path with plausible parameters in it. */
export const endpoints = features.flatMap(({ all, walk }) =>
  Object.entries(all).map(([name, endpoint]) => ({
    name: `${endpoint.method} ${endpoint.path}`,
    endpoint,
    path: endpoint.path.replaceAll('{duration}', '10%20Days').replaceAll(/\{\w+\}/g, () => newId()),
    succeed: walk.succeed[name] as Act,
    provoke: Object.entries(walk.refuse[name] ?? {}) as [RefusalCode, Act][],
    shows: (walk.shows?.[name] ?? {}) as Places,
  })),
)
