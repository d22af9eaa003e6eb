/** Reads and writes the store's cookies. Reads only on demand, because most calls need none. */
import { parse, serialize } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Behind HTTPS their names get the __Host- prefix. */
type CookieName =
  | 'chaabi_session'
  | 'chaabi_admin'
  | 'chaabi_device'
  | 'chaabi_device_offer'
  | 'chaabi_language'
  | 'chaabi_panel_language'

/**
 * Values of one name that are read. A browser sends several if another program of this host, or of a host above it,
 * has set that name, too. Their order says nothing about which one is ours.
 */
const VALUES_MAX = 4

export interface Cookies {
  /** The first of them. */
  read(name: CookieName): string | undefined
  /** Different ones, as sent. */
  all(name: CookieName): string[]
  /**
   * Behind HTTPS, those that the host has set over plain HTTP. Anybody on the way can have set them, so they may
   * only confirm what the store has kept since then.
   */
  plain(name: CookieName): string[]
  write(name: CookieName, value: string, maxAgeMs: number): void
  clear(name: CookieName): void
}

/** Of a program with a token: whatever cookies it sends are not read, and it gets none. */
export const NO_COOKIES: Cookies = {
  read: () => undefined,
  all: () => [],
  plain: () => [],
  write: () => {},
  clear: () => {},
}

/** @param secure behind HTTPS */
export function cookiesOf(request: FastifyRequest, reply: FastifyReply, secure: boolean): Cookies {
  const full = (name: CookieName) => (secure ? `__Host-${name}` : name)
  /** By name, so that the last one written counts. */
  const written = new Map<CookieName, string>()
  const write = (name: CookieName, value: string, until: { maxAge: number; expires?: Date }) => {
    written.set(name, serialize(full(name), value, { path: '/', httpOnly: true, secure, sameSite: 'lax', ...until }))
    reply.removeHeader('set-cookie')
    reply.header('set-cookie', [...written.values()])
  }
  return {
    read: (name) => cookieIn(request, full(name)),
    all: (name) => cookiesIn(request, full(name)),
    plain: (name) => (secure ? cookiesIn(request, name) : []),
    write: (name, value, maxAgeMs) => write(name, value, { maxAge: Math.floor(maxAgeMs / 1000) }),
    clear: (name) => write(name, '', { maxAge: 0, expires: new Date(0) }),
  }
}

/** Returns the request's first cookie with this full name. Parses no others, because a stranger can send thousands. */
export const cookieIn = (request: FastifyRequest, name: string): string | undefined => cookiesIn(request, name, 1)[0]

function cookiesIn({ headers: { cookie = '' } }: FastifyRequest, name: string, most = VALUES_MAX): string[] {
  const start = `${name}=`
  const found: string[] = []
  for (let at = cookie.indexOf(start); at !== -1 && found.length < most; at = cookie.indexOf(start, at + 1)) {
    let before = at - 1
    while (cookie[before] === ' ' || cookie[before] === '\t') before--
    if (before >= 0 && cookie[before] !== ';') continue
    const end = cookie.indexOf(';', at)
    const value = parse(cookie.slice(at, end === -1 ? cookie.length : end))[name]
    if (value !== undefined && !found.includes(value)) found.push(value)
  }
  return found
}
