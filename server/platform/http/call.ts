/** A call as its handler sees it, and the handlers' types. */
import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type * as z from 'zod/mini'
import type { Access, AdminRole, Declaration, Endpoint, InputOf } from '../../../contract/endpoint.ts'
import { Refusal, type RefusalCode } from '../../../contract/errors.ts'
import { STEP_UP_LASTS_MS } from '../../../contract/limits.ts'
import { msSince } from '../clock.ts'
import type { CachedReads } from '../database/snapshot-cache.ts'
import type { Turn } from '../passwords/turns.ts'
import type { Cookies } from './cookies.ts'
import { addressOf, logOf, noteCaller, type SentText } from './requests.ts'

export interface SessionUser {
  id: string
  username: string
  /** The SHA-256 of the session's token, which names the session but cannot open it. */
  sessionHash: Buffer
}

export interface SessionAdmin {
  id: string
  username: string
  role: AdminRole
  sessionHash: Buffer
}

/** An admin's session with its rights at this moment. */
export interface AuthenticatedAdmin extends SessionAdmin {
  hasSecondFactor: boolean
  /** True if the store asks every admin for two-step verification, and for a proof before sensitive actions. */
  secondFactorRequired: boolean
  /** True if the client that opened this session asks its admin for proofs. */
  canProve: boolean
  /** When this session last proved who holds it, other than by logging in. */
  provenAt: Date | null
  /** True if the token was replaced a moment ago. Such a session may read, but not change anything. */
  isReplaced: boolean
}

/** A phone that shows its token. */
export interface CallingDevice {
  id: string
  isPaused: boolean
}

/** A token of a reseller's program, which acts for its user. */
export interface CallingToken {
  id: string
  userId: string
  username: string
  canBuy: boolean
  expiresAt: Date
}

/** All that a handler may know of a request, apart from its input. */
export interface Call<A extends Access = Access> {
  readonly user: A extends 'user' ? SessionUser : SessionUser | null
  readonly admin: A extends 'admin' ? SessionAdmin : SessionAdmin | null
  /** The phone of a call that only phones may make. */
  readonly device: CallingDevice | null
  /** The token of a program that acts for `user`; null for a person. */
  readonly token: CallingToken | null
  /** The body of an endpoint that takes text; empty for every other. */
  readonly sent: SentText
  /** The reason why the buyer's cookie is no longer valid, if there is one. */
  readonly refusal: RefusalCode | undefined
  readonly now: Date
  readonly address: string
  readonly userAgent: string
  readonly idempotencyKey: string | undefined
  readonly cookies: Cookies
  /** Reads that are kept for as long as the database does not change. */
  readonly cached: CachedReads
  readonly log: Logger
  /** The caller's place in the queue for password hashing. Undefined if the endpoint has no limit. */
  readonly turn?: Turn | undefined
  /** True if the session gave a recent proof. */
  readonly isProven: boolean
  /**
   * Protects actions that an intruder at an open admin session must not do.
   * @throws Refusal STEP_UP_REQUIRED when the session gave no recent proof, unless the call is one `forOldClients`
   */
  requireProof(): void
  /** True once `requireProof` has let this call pass without a proof. */
  passedUnproven(): boolean
  /**
   * Answers 304 to a caller who has this version of the answer, before the answer is worked for.
   * @param version reads what tells this answer from every other one at this address
   * @returns true if the caller has it. Then nothing of the output is sent
   */
  knows(version: () => Promise<string>): Promise<boolean>
  /** Answers 200 instead of 201, because nothing was made. */
  madeNothing(): void
  /** Takes the answer over, for `stream` endpoints. Nothing else is sent. */
  takeOver(): ServerResponse
}

/** A list may be answered row by row, so that a long one is never in memory as a whole. */
type Rows<Output> = Output extends readonly (infer Row)[] ? Output | AsyncIterable<Row> : Output
type Answered = Pick<Endpoint | Declaration, 'access' | 'output'>

/** The lists of a download may be answered row by row, too. */
type Answer<E extends Answered, Output = z.output<E['output']>> = E extends { download: string }
  ? { [K in keyof Output]: Rows<Output[K]> }
  : Rows<Output>

export type Handler<E extends Answered> = (
  input: z.output<InputOf<E>>,
  call: Call<E['access']>,
) => Promise<Answer<E>> | Answer<E>

/** One handler for each endpoint of a feature; a missing one does not compile. */
export type Handlers<F extends Record<string, Answered>> = { readonly [K in keyof F]: Handler<F[K]> }

/** The sessions of the cookies. Each is a session, the reason of its refusal, or null. */
export interface Authenticated {
  user: SessionUser | RefusalCode | null
  admin: AuthenticatedAdmin | RefusalCode | null
}

export interface Caller {
  user: SessionUser | null
  admin: AuthenticatedAdmin | null
  device?: CallingDevice | null
  token?: CallingToken
  /** The reason why the buyer's cookie is no longer valid, if there is one. */
  refusal?: RefusalCode | undefined
}

export function callOf(
  request: FastifyRequest,
  seen: Pick<Call, 'cookies' | 'cached' | 'now'>,
  caller: Caller,
  own: Partial<Pick<Call, 'idempotencyKey' | 'knows' | 'madeNothing' | 'sent' | 'takeOver' | 'turn'>> &
    Pick<Endpoint, 'forOldClients'> = {},
): Call {
  const { user, admin, refusal } = caller
  if (user) noteCaller(request, { user: user.id })
  else if (admin) noteCaller(request, { admin: admin.id })
  const { cookies, cached, now } = seen
  let passed = false
  // Names each member, because spreading costs a fifteenth of a read and every request does this
  return {
    user,
    admin,
    device: caller.device ?? null,
    token: caller.token ?? null,
    sent: own.sent ?? NOTHING_SENT,
    refusal,
    cookies,
    cached,
    now,
    address: addressOf(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    idempotencyKey: own.idempotencyKey,
    turn: own.turn,
    log: request.method === 'GET' ? (request.log as Logger) : logOf(request),
    isProven: isProven(admin, now),
    requireProof: () => {
      if (isProven(admin, now)) return
      if (!own.forOldClients || !knowsNoProofs(admin)) throw new Refusal('STEP_UP_REQUIRED')
      passed = true
    },
    passedUnproven: () => passed,
    knows: own.knows ?? knowsNone,
    madeNothing: own.madeNothing ?? (() => {}),
    takeOver: own.takeOver ?? noTakeOver,
  }
}

const NOTHING_SENT: SentText = { text: '', contentType: '', sender: '' }

const knowsNone = () => Promise.resolve(false)

function noTakeOver(): never {
  throw new Error('Only a stream endpoint takes the answer over')
}

function isProven(admin: AuthenticatedAdmin | null, now: Date): boolean {
  return !admin || (admin.provenAt !== null && msSince(admin.provenAt, now) < STEP_UP_LASTS_MS)
}

const knowsNoProofs = (admin: AuthenticatedAdmin | null): boolean =>
  admin !== null && !admin.hasSecondFactor && !admin.secondFactorRequired && !admin.canProve
