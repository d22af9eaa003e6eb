/**
 * Sends pages that differ only in their last bytes. The front is compressed once, and the last bytes follow
 * uncompressed, because compressing a whole page costs ten times as much as all else about it.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BROTLI_OPTIONS, encodingFor, type Encoding } from '../responses.ts'

/** All of a page but its end. */
interface Front {
  /** The texts that it was made of. */
  source: readonly string[]
  body: Buffer
  crc32: number
  compressed: Map<Encoding, Promise<Buffer>>
}

/** The last front of each name, so that memory is bounded by the names. */
export type Fronts = Map<string, Front>

/**
 * Sends a page.
 * @param parts.source all that the front is made of, apart from the name. The front is kept while this is the same
 * @param parts.front all of the page but its end
 * @param parts.end its last bytes, at most 64 kB
 */
export async function sendPage(
  { request, reply, fronts }: { request: FastifyRequest; reply: FastifyReply; fronts: Fronts },
  name: string,
  parts: { source: readonly string[]; front: string; end: string },
): Promise<FastifyReply> {
  const end = Buffer.from(parts.end)
  let front = fronts.get(name)
  if (!front || !isSame(front.source, parts.source)) {
    const made = Buffer.from(parts.front)
    fronts.set(name, (front = { source: parts.source, body: made, crc32: crc32(made), compressed: new Map() }))
  }
  const { body, compressed } = front
  const encoding = encodingFor(request)
  if (!encoding) return reply.send(Buffer.concat([body, end]))
  let smaller = compressed.get(encoding)
  if (!smaller) {
    compressed.set(encoding, (smaller = COMPRESS_FRONT[encoding](body)))
    // Only the callers that wait get an error. The next one tries again
    smaller.catch(() => compressed.delete(encoding))
  }
  return reply.header('content-encoding', encoding).send(Buffer.concat([await smaller, ...END[encoding](end, front)]))
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each, n) => each === other[n])

const brotliInBackground = promisify(brotliCompress)
const gzipInBackground = promisify(gzip) as (body: Buffer, options: { finishFlush: number }) => Promise<Buffer>

/** Compresses up to a whole byte and leaves the stream open. */
const COMPRESS_FRONT: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => brotliInBackground(body, { ...BROTLI_OPTIONS, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: (body) => gzipInBackground(body, { finishFlush: constants.Z_SYNC_FLUSH }),
}

const END: Record<Encoding, (end: Buffer, front: Front) => Buffer[]> = {
  // RFC 7932, 9.2: an uncompressed meta-block with 16 bits of length, then an empty last one
  br: (end) => {
    const head = Buffer.alloc(3)
    head.writeUIntLE(((end.length - 1) << 3) | (1 << 19), 0, 3)
    return [head, end, Buffer.of(3)]
  },
  // RFC 1951, 3.2.4: an uncompressed last block; RFC 1952, 2.3.1: checksum and length of the whole
  gzip: (end, front) => {
    const head = Buffer.of(1, 0, 0, 0, 0)
    head.writeUInt16LE(end.length, 1)
    head.writeUInt16LE(0xffff - end.length, 3)
    const foot = Buffer.alloc(8)
    foot.writeUInt32LE(crc32(end, front.crc32), 0)
    foot.writeUInt32LE(front.body.length + end.length, 4)
    return [head, end, foot]
  },
}
