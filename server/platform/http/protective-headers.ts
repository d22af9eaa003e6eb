/** What every answer carries. Pages bring a content policy of their own; nothing else is ever drawn. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'

const YEAR_S = 31_536_000

/**
 * @param secure behind HTTPS
 * @returns puts the headers on an answer
 */
export function protector(secure: boolean): (request: FastifyRequest, reply: FastifyReply) => void {
  const [plain, overHttps] = [headersFor(false), headersFor(true)]
  return (request, reply) => {
    const headers = isSecure(request, secure) ? overHttps : plain
    for (const [name, value] of headers) reply.header(name, value)
  }
}

/** A stranger's X-Forwarded-Proto is not looked at: the framework takes it from a trusted proxy alone. */
export function isSecure(request: FastifyRequest, secure: boolean): boolean {
  return secure || request.protocol === 'https'
}

/** Helmet's headers and the store's own, which are the same for every answer: so they are asked for once. */
function headersFor(secure: boolean): [name: string, value: string][] {
  const headers: Record<string, string> = {
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  }
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: secure ? { maxAge: YEAR_S, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })
  const answer = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  }
  protect({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return Object.entries(headers)
}
