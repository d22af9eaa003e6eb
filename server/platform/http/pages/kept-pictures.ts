/**
 * Serves the store's pictures to anyone who has their address. A name is a hash, so nobody can guess one, and a browser
 * may keep its picture forever. The pictures that were asked for last are kept in memory, up to a limit.
 */
import type { FastifyInstance } from 'fastify'

export interface PictureSource {
  /** True if the store shows a picture of this name now. */
  has(name: string): Promise<boolean>
  read(name: string): Promise<Buffer | undefined>
}

const FOLDER = '/pictures/'
const TYPES: Record<string, string> = { webp: 'image/webp', jpg: 'image/jpeg' }
const KEPT_BYTES_MAX = 16 * 1024 * 1024
const YEAR_S = 31_536_000

/** @returns the address of a picture; empty for none */
export const picturePath = (name: string): string => (name === '' ? '' : FOLDER + name)

export function servePictures(app: FastifyInstance, { has, read }: PictureSource): void {
  const kept = new Map<string, Buffer>()
  let keptBytes = 0
  const keep = (name: string, bytes: Buffer) => {
    kept.set(name, bytes)
    keptBytes += bytes.length
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= KEPT_BYTES_MAX) return
      kept.delete(oldest)
      keptBytes -= length
    }
  }
  const reading = new Map<string, Promise<Buffer | undefined>>()
  const find = (name: string): Promise<Buffer | undefined> => {
    const known = kept.get(name)
    if (known) return Promise.resolve(known)
    let asked = reading.get(name)
    if (!asked) {
      asked = read(name).finally(() => reading.delete(name))
      reading.set(name, asked)
      void asked.then(
        (bytes) => bytes && keep(name, bytes),
        () => {},
      )
    }
    return asked
  }

  app.get<{ Params: { name: string } }>(`${FOLDER}:name`, { compress: false }, async (request, reply) => {
    const { name } = request.params
    const type = TYPES[/^[\da-f]{40}\.(webp|jpg)$/.exec(name)?.[1] ?? '']
    if (type === undefined || !(await has(name))) return reply.callNotFound()
    const bytes = await find(name)
    if (!bytes) return reply.callNotFound()
    const etag = `"${name}"`
    void reply.headers({
      etag,
      'cache-control': `public, max-age=${YEAR_S}, immutable`,
      // Other sites may show the picture of a shared link. Every answer has nosniff already
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    return reply.type(type).send(bytes)
  })
}
