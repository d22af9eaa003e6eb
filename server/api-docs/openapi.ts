/**
 * Makes the contract's OpenAPI 3.1 document from the schemas that the server checks with, so that the document is
 * always true.
 */
import * as z from 'zod/mini'
import { api, SECTIONS } from '../../contract/api.ts'
import type { Access, Endpoint, Endpoints, TokenScope } from '../../contract/endpoint.ts'
import { refusalCode, refusalMessage, refusalStatus, REFUSAL_CODES, type RefusalCode } from '../../contract/errors.ts'
import { freeze } from '../platform/database/snapshot-cache.ts'
import { exampleOf } from './examples.ts'

type Json = Record<string, unknown>

const SECURITY: Record<Access, Json[]> = {
  public: [],
  anyone: [{}, { userSession: [] }, { adminSession: [] }],
  user: [{ userSession: [] }],
  admin: [{ adminSession: [] }],
  'user-or-admin': [{ userSession: [] }, { adminSession: [] }],
  operator: [{ operatorToken: [] }, {}],
  device: [{ deviceToken: [] }],
}

const WHO: Record<Access, string> = {
  public: 'Open to everyone.',
  anyone: 'Open to everyone. Logged-in users get their own answer.',
  user: 'For logged-in users.',
  admin: 'For admins.',
  'user-or-admin': 'For logged-in users and admins.',
  operator: 'For the person who runs the server: with METRICS_TOKEN, or from the machine itself without a proxy.',
  device: 'For a phone that an owner has connected, with its token.',
}

const SCOPES: Record<TokenScope, string> = {
  look: 'Also for a program, with any token of its user.',
  buy: 'Also for a program, with a token that may buy.',
}

/** Explains parameters whose own schema has no description. */
const PARAMETERS: Record<string, string> = {
  id: 'The `_id` of the item',
  userId: 'The `_id` of a user',
  sessionId: 'The `_id` of a session',
  holding: 'Only users with a balance, with money that expires soon, or who are blocked',
  order: 'The newest or the oldest first',
  decidedOn: 'Only requests reviewed on this day in India',
  productId: 'The `_id` of a product',
  duration: 'A whole number and a unit, such as "10 Days"; percent-encoded in a path',
  code: 'A referral code, in letters of any case',
  limit: 'The most entries to answer with',
  skip: 'How many entries to pass over',
  search: 'A text anywhere in the searched fields, in letters of any case; % and _ mean themselves',
  batchId: 'The `_id` of a batch: only its keys',
  keyId: 'The `_id` of a key',
  orderId: 'The `_id` of a purchase',
  priceId: 'The `_id` of a duration',
  linkId: 'The `_id` of a supplier',
  reason: 'Only those with this reason',
  status: 'Only those of this status',
  type: 'Only those of this type',
  from: 'From this day (India time) or moment on, ISO-8601',
  to: 'Up to the end of this day (India time), or to this moment, ISO-8601',
  days: 'How many days, up to today, in India time',
  by: 'What the figures are summed up by',
  of: 'The figure of the books',
  month: 'A month in India, such as "2026-11"',
  show: 'All batches, those with a loss, without a known cost, or with unsold keys that came so many days ago',
  action: 'A kind of change such as "payment.approve", or a group of them such as "payment"',
  before: 'The `_id` of the last entry received: what follows is older',
  since: 'From this moment on, ISO-8601',
  cursor: 'The `_id` of the last key received: what follows came later',
}

let made: Json | undefined

/** Makes the document at the first call only, because the contract does not change while the server runs. */
export function openApiDocument(version: string): Json {
  made ??= freeze({
    openapi: '3.1.1',
    info: {
      title: 'Chaabi',
      version,
      summary: 'An online store for time-limited digital licence keys.',
      description:
        'Money is a JSON number of rupees with at most two decimals; dates are ISO-8601 in UTC; ' +
        'ids are opaque UUIDs. Every error is `{message, code, fields?}`. Calls that change something are refused ' +
        'when a browser says that they come from another site.',
      license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: '/api' }],
    tags: Object.entries(SECTIONS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(api),
    components: {
      securitySchemes: {
        userSession: cookieScheme('chaabi_session', 'Set by /auth/login.'),
        adminSession: cookieScheme('chaabi_admin', 'Set by /admin/login.'),
        bearerToken: { type: 'http', scheme: 'bearer', description: 'A token that a reseller has made: `chaabi_…`.' },
        operatorToken: { type: 'http', scheme: 'bearer', description: 'METRICS_TOKEN of the server’s settings.' },
        deviceToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that a phone got when it was connected.',
        },
      },
      schemas: { Error: ERROR },
      headers: {
        RetryAfter: { description: 'Seconds until it is worth trying again', schema: { type: 'integer', minimum: 1 } },
      },
    },
  })
  return made
}

const ERROR = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'Fit to be shown to a person' },
    code: { type: 'string', enum: REFUSAL_CODES },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Field name to what is wrong with it',
    },
  },
}

function cookieScheme(name: string, description: string): Json {
  return { type: 'apiKey', in: 'cookie', name, description: `${description} Behind HTTPS the name is __Host-${name}.` }
}

function pathsOf(features: Record<string, Endpoints>): Json {
  const paths: Record<string, Json> = {}
  for (const [feature, endpoints] of Object.entries(features)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const path = (paths[endpoint.path] ??= {})
      path[endpoint.method.toLowerCase()] = operationOf(feature, name, endpoint)
    }
  }
  return paths
}

function operationOf(feature: string, name: string, endpoint: Endpoint): Json {
  const { parameters, requestBody } = requestOf(endpoint)
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: endpoint.summary,
    description: WHO[endpoint.access] + (endpoint.scope ? ` ${SCOPES[endpoint.scope]}` : ''),
    security: [...SECURITY[endpoint.access], ...(endpoint.scope ? [{ bearerToken: [] }] : [])],
    ...(endpoint.scope && { 'x-scope': endpoint.scope }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...successOf(endpoint), ...refusalsOf(endpoint) },
  }
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  // The result of a transform has no schema, so its source is described, which is what is sent
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** Splits the input as the server reads it: path parameters first, the rest from the query or the body. */
function requestOf(endpoint: Endpoint): { parameters: Json[]; requestBody?: Json } {
  const { properties = {}, required = [] } = schemaOf(endpoint.input, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  const inPath = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
  const parameters: Json[] = Object.entries(properties)
    .filter(([name]) => inPath.has(name))
    .map(([name, schema]) => parameterOf('path', name, schema, true))
  const rest = Object.entries(properties).filter(([name]) => !inPath.has(name))
  if (endpoint.idempotent) parameters.push(IDEMPOTENCY_KEY)
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') {
    parameters.push(...rest.map(([name, schema]) => parameterOf('query', name, schema, required.includes(name))))
    return { parameters }
  }
  if (rest.length === 0) return { parameters }
  const stillRequired = required.filter((name) => !inPath.has(name))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(rest),
    ...(stillRequired.length > 0 ? { required: stillRequired } : {}),
  }
  return {
    parameters,
    requestBody: { required: stillRequired.length > 0, content: jsonContent(schema) },
  }
}

function parameterOf(place: 'path' | 'query', name: string, schema: Json, required: boolean): Json {
  const { description = PARAMETERS[name], ...rest } = schema
  const example = exampleOf(schema, name)
  return { name, in: place, required, description, schema: rest, ...(example === undefined ? {} : { example }) }
}

function jsonContent(schema: Json): Json {
  const example = exampleOf(schema)
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes a repeated call one call: the same key gets the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '3f0c5a52-6f5d-4d0e-9a77-2f6a0f1f7c11',
}

function successOf(endpoint: Endpoint): Json {
  const content = endpoint.stream
    ? { [endpoint.stream]: { schema: { type: 'string' } } }
    : jsonContent(schemaOf(endpoint.output, 'output'))
  const success = { [endpoint.status ?? 200]: { description: 'Done', content } }
  if (endpoint.method !== 'GET' || endpoint.stream) return success
  return { ...success, 304: { description: 'As the ETag in If-None-Match says' } }
}

/** Lists the refusals of an endpoint by status, with those that every call of its kind can get. */
function refusalsOf(endpoint: Endpoint): Json {
  const byStatus = new Map<number, Set<RefusalCode>>()
  for (const code of [...impliedRefusals(endpoint), ...(endpoint.refusals ?? [])]) {
    const status = refusalStatus(code)
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusalResponse(status, [...codes])]))
}

function impliedRefusals({ access, method, limit, scope }: Endpoint): RefusalCode[] {
  const user = access === 'user' || access === 'user-or-admin'
  return [
    'INVALID_INPUT',
    ...(method === 'GET' ? [] : (['CROSS_SITE'] as const)),
    ...(method === 'POST' || method === 'PUT'
      ? (['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      : []),
    ...(user || access === 'admin' ? (['NO_SESSION'] as const) : []),
    ...(user ? (['SESSION_EXPIRED', 'DEVICE_MISMATCH'] as const) : []),
    ...(access === 'admin' ? (['ADMIN_REQUIRED'] as const) : []),
    ...(scope ? (['TOKEN_INVALID', 'TOKEN_REFUSED'] as const) : []),
    ...(limit || scope ? (['RATE_LIMITED'] as const) : []),
    'INTERNAL',
    'SERVICE_UNAVAILABLE',
  ]
}

function refusalResponse(status: number, codes: readonly RefusalCode[]): Json {
  const again = status === 429 || status === 503
  return {
    description: codes.map((code) => `${refusalCode(code)}: ${refusalMessage(code)}`).join('\n\n'),
    ...(again ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } } : {}),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { code: { enum: codes.map(refusalCode) } } },
          ],
        },
        example: { message: codes[0] && refusalMessage(codes[0]), code: codes[0] && refusalCode(codes[0]) },
      },
    },
  }
}
