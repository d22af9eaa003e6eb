/**
 * An endpoint as plain data. The server registers it and checks with it, and the browser's client is typed by it.
 * The OpenAPI document and the contract tests are made from it.
 */
import type * as z from 'zod/mini'
import type { RefusalCode } from './errors.ts'
import type { Nothing } from './fields.ts'
import type { LimitName } from './rate-limits.ts'

/**
 * Access level. `anyone` also reads the session if there is one; `public` ignores it. There is no default, so an
 * endpoint without it doesn't compile. An `operator` is a program of the store's operator: it shows METRICS_TOKEN,
 * or calls from the same machine. A `device` is a phone that an owner has connected: it shows its token.
 */
export type Access = 'public' | 'anyone' | 'user' | 'admin' | 'user-or-admin' | 'operator' | 'device'

/** An admin's role. An owner may do everything; the others only what their endpoints name. */
export const ADMIN_ROLES = ['owner', 'payments', 'stock', 'support', 'read-only'] as const
export type AdminRole = (typeof ADMIN_ROLES)[number]

/** Who may give buyers money or keys without a ceiling for the day. */
export const answersForMoney = (role: AdminRole): boolean => role === 'owner' || role === 'payments'

export type TokenScope = 'look' | 'buy'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint {
  method: Method
  /** Below /api; `{name}` is a path parameter, percent-decoded once. */
  path: `/${string}`
  access: Access
  /**
   * The admins who may call besides the owner, where `access` is "admin". If absent: all of them for a read (GET),
   * only the owner for a change. Where users may call too, an admin without the role is treated as none.
   */
  roles?: readonly AdminRole[]
  /** True if an admin may call this before a two-step verification that is still missing. */
  beforeEnrolment?: true
  /**
   * True if clients that others wrote call this and know no proofs. It asks for none where the admin has no second
   * factor and the session was opened without `canProve`. The audit log marks what it then does (`withoutProof`), and
   * the owners get a message.
   */
  forOldClients?: true
  /** Fields of an admin's form that buyers read. Where one names an address, a UPI ID or a phone, it needs step-up. */
  saysToBuyers?: readonly string[]
  /** Sentences for the reader of the OpenAPI document. */
  summary: string
  /** The status of success; 200 when absent. */
  status?: 201
  /**
   * Path parameters, then the query (GET, DELETE) or the body (POST, PUT), as one object. Unknown fields are
   * dropped.
   */
  input: z.ZodMiniType<Record<string, unknown>>
  output: z.ZodMiniType
  /**
   * The refusals of the use case itself; none when absent. Those of every endpoint (bad input, no session, rate limit)
   * are implied.
   */
  refusals?: readonly RefusalCode[]
  /** Members that the body of every refusal has here, also for bad input and the rate limit. */
  refusalDetails?: Record<string, unknown>
  /** One of contract/rate-limits.ts. */
  limit?: LimitName
  /**
   * A program's token may call this: one that may `look`, or only one that may `buy`. Without it every token is
   * refused, whatever the access, so that a new endpoint is closed to programs until it says otherwise.
   */
  scope?: TokenScope
  /** The largest body, in bytes, if it is above the general 100 kB. */
  bodyLimitBytes?: number
  /** The body may be JSON, a form or plain text. */
  takesText?: true
  /** The field with a file's text. It is read and not kept, so it may hold what the database cannot store. */
  fileField?: string
  /** Takes an Idempotency-Key header. */
  idempotent?: true
  /** Tells the browser to delete its cached data of the store. */
  clearsSiteData?: true
  /** The answer is a file to download, with this name. Its lists may be sent while they are read. */
  download?: string
  /** Answers with a stream of its own instead of one JSON document. */
  stream?: 'text/event-stream' | 'text/plain' | 'text/csv' | 'text/html' | 'application/octet-stream'
}

export type Endpoints = Record<string, Endpoint>

/** An endpoint as its feature writes it: `PUT /claims/{id}/refund`, and no input where it takes none. */
export interface Declaration extends Omit<Endpoint, 'method' | 'path' | 'input'> {
  route: `${Method} ${Endpoint['path']}`
  input?: Endpoint['input']
}

export type Declarations = Record<string, Declaration>

/** The schema of what an endpoint takes. */
export type InputOf<E> = E extends { input: infer Schema extends Endpoint['input'] } ? Schema : typeof Nothing

/** The endpoint of a declaration. */
export type Declared<D extends Declaration> = Omit<D, 'route' | 'input'> & {
  [Input in 'input']: InputOf<D>
} & (D['route'] extends `${infer M extends Method} ${infer P extends Endpoint['path']}`
    ? { method: M; path: P }
    : never)

/** True if an admin of this role may call the endpoint. */
export function mayCall(endpoint: Pick<Endpoint, 'method' | 'roles'>, role: AdminRole): boolean {
  return role === 'owner' || (endpoint.roles === undefined ? endpoint.method === 'GET' : endpoint.roles.includes(role))
}
