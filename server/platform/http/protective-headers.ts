/** Sets the headers of every answer. Pages have a content policy of their own. Nothing else is ever drawn. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type { Clock } from '../clock.ts'

const YEAR_S = 31_536_000

/**
 * @param secure behind HTTPS
 * @returns a function that sets the headers of an answer
 */
export function protector(secure: boolean): (request: FastifyRequest, reply: FastifyReply) => void {
  const [plain, overHttps] = [headersFor(false), headersFor(true)]
  return (request, reply) => {
    const headers = isSecure(request, secure) ? overHttps : plain
    for (const [name, value] of headers) reply.header(name, value)
  }
}

/** Returns a function that writes the time as a header does. Each second is written once. */
export function httpDates(clock: Clock): () => string {
  let [second, text] = [NaN, '']
  return () => {
    const now = clock.now()
    const own = Math.floor(now.getTime() / 1_000)
    if (own !== second) [second, text] = [own, now.toUTCString()]
    return text
  }
}

/** True behind HTTPS. The framework takes X-Forwarded-Proto only from a trusted proxy. */
export function isSecure(request: FastifyRequest, secure: boolean): boolean {
  return secure || request.protocol === 'https'
}

/** Returns Helmet's headers and the store's own. Made once, because they are the same for every answer. */
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
