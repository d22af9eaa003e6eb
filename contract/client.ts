/** Turns the contract into functions: `client.orders.place({...})`, typed by the object that the server checks with. */
import type * as z from 'zod/mini'
import type { Endpoint, Endpoints } from './endpoint.ts'

type Api = Record<string, Endpoints>
type Result<E extends Endpoint> = Promise<z.output<E['output']>>
/** Allows a call without arguments where no field is required. */
type Arguments<E extends Endpoint> =
  Record<string, never> extends z.input<E['input']>
    ? [input?: z.input<E['input']>, options?: CallOptions]
    : [input: z.input<E['input']>, options?: CallOptions]

export type Client<A extends Api> = {
  readonly [F in keyof A]: { readonly [N in keyof A[F]]: (...args: Arguments<A[F][N]>) => Result<A[F][N]> }
}

export interface CallOptions {
  signal?: AbortSignal
  /** Makes a repeated order one order. See `idempotent` in the endpoint. */
  idempotencyKey?: string
  /** Sent also if the page closes now. */
  keepalive?: boolean
}

/** Method and path of every endpoint, without its schemas. A browser needs no more. */
export type EndpointTable = Record<string, Record<string, readonly [method: string, path: string]>>

type Which = (feature: string, endpoint: Endpoint, name: string) => boolean

function tableOf<T>(api: Api, which: Which, of: (endpoint: Endpoint) => T): Record<string, Record<string, T>> {
  return Object.fromEntries(
    Object.entries(api).flatMap(([feature, endpoints]) => {
      const listed = Object.entries(endpoints).filter(([name, endpoint]) => which(feature, endpoint, name))
      const calls = listed.map(([name, endpoint]) => [name, of(endpoint)] as const)
      return calls.length > 0 ? [[feature, Object.fromEntries(calls)]] : []
    }),
  )
}

/** @param which the endpoints to list; all by default */
export const endpointTable = (api: Api, which: Which = () => true): EndpointTable =>
  tableOf(api, which, ({ method, path }) => [method, path])

const ADMINS_MAY = ['admin', 'user-or-admin'] as const satisfies Endpoint['access'][]

/** Method and roles of the endpoints that are for admins, as `mayCall` needs them. No other one compiles. */
export type AdminEndpoints<A extends Api> = {
  readonly [F in keyof A]: {
    readonly [N in keyof A[F] as A[F][N]['access'] extends (typeof ADMINS_MAY)[number] ? N : never]: Pick<
      Endpoint,
      'method' | 'roles'
    >
  }
}

export const adminEndpoints = (api: Api): Record<string, Record<string, Pick<Endpoint, 'method' | 'roles'>>> =>
  tableOf(
    api,
    (_, { access }) => (ADMINS_MAY as readonly string[]).includes(access),
    ({ method, roles }) => ({ method, ...(roles && { roles }) }),
  )

export interface Call {
  method: string
  /** Path and query below the API's base. */
  url: string
  /** JSON text, where the call has a body. */
  body?: string
  options: CallOptions
}

/**
 * @param table may gain calls later
 * @param send carries a call out and returns the parsed body; throws for any status but a 2xx
 * @param addRest adds the calls that the table lacks, before the first of them is made
 */
export function createClient<A extends Api>(
  table: EndpointTable,
  send: (call: Call) => Promise<unknown>,
  addRest?: () => Promise<unknown>,
): Client<A> {
  const call =
    (method: string, path: string) =>
    (input: Record<string, unknown> = {}, options: CallOptions = {}) => {
      const rest = { ...input }
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const value = String(rest[name])
        delete rest[name]
        return encodeURIComponent(value)
      })
      const given = Object.entries(rest).filter(([, value]) => value !== undefined)
      if (method === 'GET' || method === 'DELETE') {
        const query = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
        return send({ method, url: query ? `${filled}?${query}` : filled, options })
      }
      if (given.length === 0) return send({ method, url: filled, options })
      return send({ method, url: filled, body: JSON.stringify(Object.fromEntries(given)), options })
    }
  const known = (feature: string, name: string) => {
    const endpoint = table[feature]?.[name]
    return endpoint && call(...endpoint)
  }
  const later =
    (feature: string, name: string) =>
    async (...given: Parameters<ReturnType<typeof call>>) => {
      await addRest?.()
      return (known(feature, name) ?? unknownCall(feature, name))(...given)
    }
  const callsOf = (feature: string) =>
    new Proxy({}, { get: (_, name: string) => known(feature, name) ?? later(feature, name) })
  // Asserts the type, because the table is JSON text made from A's own endpoints.
  const client: unknown = new Proxy({}, { get: (_, feature: string) => callsOf(feature) })
  return client as Client<A>
}

function unknownCall(feature: string, name: string): never {
  throw new Error(`No call ${feature}.${name}`)
}
