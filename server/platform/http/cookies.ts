/** Reads and writes the store's cookies. Reads only on demand, because most calls need none. */
import { parse, serialize } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Behind HTTPS their names get the __Host- prefix. */
type CookieName = 'chaabi_session' | 'chaabi_admin' | 'chaabi_device' | 'chaabi_language' | 'chaabi_panel_language'

export interface Cookies {
  read(name: CookieName): string | undefined
  write(name: CookieName, value: string, maxAgeMs: number): void
  clear(name: CookieName): void
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
    write: (name, value, maxAgeMs) => write(name, value, { maxAge: Math.floor(maxAgeMs / 1000) }),
    clear: (name) => write(name, '', { maxAge: 0, expires: new Date(0) }),
  }
}

/** Returns the request's first cookie with this full name. Parses no others, because a stranger can send thousands. */
export function cookieIn({ headers: { cookie = '' } }: FastifyRequest, name: string): string | undefined {
  const start = `${name}=`
  for (let at = cookie.indexOf(start); at !== -1; at = cookie.indexOf(start, at + 1)) {
    const before = cookie.slice(0, at).trimEnd()
    if (before !== '' && !before.endsWith(';')) continue
    const end = cookie.indexOf(';', at)
    return parse(cookie.slice(at, end === -1 ? cookie.length : end))[name]
  }
  return undefined
}
