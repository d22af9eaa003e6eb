/**
 * What an endpoint is. All of it is plain data: the server registers and checks from it, the browser's
 * client is typed by it, and the OpenAPI document and the contract tests are walks over it.
 */
import type * as z from 'zod/mini'
import type { RefusalCode } from './errors.ts'
import type { LimitName } from './rate-limits.ts'

/**
 * Who may call. `anyone` differs from `public` in that a session that comes along is recognised, so
 * that the answer can be the caller's own; there is no default, so an endpoint without it does not compile.
 * An `operator` is a program of whoever runs the store: it shows METRICS_TOKEN, or calls from the machine itself.
 */
export type Access = 'public' | 'anyone' | 'user' | 'admin' | 'user-or-admin' | 'operator'

/** What an admin may do. An owner may do everything; the others what their endpoints name. */
export const ADMIN_ROLES = ['owner', 'payments', 'stock', 'support', 'read-only'] as const
export type AdminRole = (typeof ADMIN_ROLES)[number]

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /api; `{name}` is a path parameter, percent-decoded once. */
  path: `/${string}`
  access: Access
  /**
   * Which admins may call beside the owner, where `access` is "admin". When absent: all of them, where it only
   * reads (GET); the owner alone, where it changes something.
   */
  roles?: readonly AdminRole[]
  /** An admin who must enrol a second factor, and has not, may call this and nothing else. */
  beforeEnrolment?: true
  /** One sentence for the reader of the OpenAPI document. */
  summary: string
  /** The status of success; 200 when absent. */
  status?: 201
  /** Path parameters, then the query (GET, DELETE) or the body (POST, PUT), read as one object. Unknown fields are dropped. */
  input: z.ZodMiniType<Record<string, unknown>>
  output: z.ZodMiniType
  /** The refusals that the use case itself can give; those of every endpoint (bad input, no session, rate limit) are implied. */
  refusals: readonly RefusalCode[]
  /** Members that the body of every refusal carries here, those of bad input and of the rate limit included. */
  refusalDetails?: Record<string, unknown>
  /** One of contract/rate-limits.ts. */
  limit?: LimitName
  /** The largest body, in bytes, where the general 100 kB do not do. */
  bodyLimitBytes?: number
  /** Takes an Idempotency-Key header. */
  idempotent?: true
  /** Tells the browser to forget what it has cached of the store. */
  clearsSiteData?: true
  /** The answer is a file of this name, to be kept; its lists may be sent while they are read. */
  download?: string
  /** Answers with a stream of its own instead of one JSON document. */
  stream?: 'text/event-stream' | 'text/plain' | 'text/csv' | 'text/html'
}

export type Endpoints = Record<string, Endpoint>

/** Whether an admin of this role may call the endpoint. */
export function mayCall(endpoint: Pick<Endpoint, 'method' | 'roles'>, role: AdminRole): boolean {
  return role === 'owner' || (endpoint.roles === undefined ? endpoint.method === 'GET' : endpoint.roles.includes(role))
}
