/**
 * Reads WebP and JPEG files as far as their headers, and keeps only what draws the picture. Places, cameras, profiles
 * and anything hidden beside it are dropped. Nothing is decoded here, so no file costs more than its own length.
 */
import { Refusal } from '../../contract/errors.ts'
import type { Values } from '../../contract/words.ts'
import type { PictureRule } from '../../contract/pictures.ts'

export interface Picture {
  type: 'webp' | 'jpg'
  width: number
  height: number
  /** The file without what was dropped. */
  bytes: Buffer
}

/** @throws Refusal INVALID_INPUT that says what is wrong with the file */
export function checkPicture(file: Buffer, { bytesMax, width: [least, most], ratio, shape }: PictureRule): Picture {
  if (file.length > bytesMax)
    throw refused('This picture is too large. The limit is {most} kB.', { most: bytesMax / 1024 })
  const read = READERS.find(({ isOne }) => isOne(file))?.read
  if (!read) throw refused('Choose a WebP or JPEG picture.')
  const picture = read(file)
  if (!picture) throw refused('This picture is damaged or has other data in it. Choose another one.')
  const { width, height } = picture
  if (width < least || width > most || height !== Math.round(width * ratio))
    throw refused('This picture is {size} pixels. It must be {shape}.', { size: `${width} × ${height}`, shape })
  return picture
}

function refused(message: string, values?: Values): Refusal {
  return new Refusal('INVALID_INPUT', { ...(values ? { say: [message, values] } : { message }), field: 'data' })
}

const READERS = [
  { isOne: (file: Buffer) => ascii(file, 0) === 'RIFF' && ascii(file, 8) === 'WEBP', read: readWebp },
  { isOne: (file: Buffer) => file.length > 2 && file.readUInt16BE(0) === 0xffd8, read: readJpeg },
]

const ascii = (file: Buffer, at: number) => file.toString('latin1', at, at + 4)

interface Size {
  width: number
  height: number
}

/** Reads a file as in RFC 9649. @returns undefined for a broken one */
function readWebp(file: Buffer): Picture | undefined {
  if (file.readUInt32LE(4) !== file.length - 8) return undefined
  const chunks = new Map<string, Buffer>()
  for (let at = 12; at < file.length;) {
    if (at + 8 > file.length) return undefined
    const [name, length] = [ascii(file, at), file.readUInt32LE(at + 4)]
    const end = at + 8 + length
    if (end + (length % 2) > file.length || chunks.has(name)) return undefined
    chunks.set(name, file.subarray(at + 8, end))
    at = end + (length % 2)
  }
  const extended = chunks.get('VP8X')
  const isMoving = ((extended?.[0] ?? 0) & 0x02) !== 0 || chunks.has('ANIM') || chunks.has('ANMF')
  if (isMoving) throw refused('Animated pictures aren’t supported. Choose another one.')
  const [lossy, lossless, alpha] = [chunks.get('VP8 '), chunks.get('VP8L'), chunks.get('ALPH')]
  const size = lossy && !lossless ? sizeOfLossy(lossy) : !lossy && lossless ? sizeOfLossless(lossless) : undefined
  if (!size || (extended && !isCanvas(extended, size))) return undefined
  const kept = Buffer.concat([
    ...(alpha && lossy ? [chunk('VP8X', canvasWithAlpha(size)), chunk('ALPH', alpha)] : []),
    ...(lossy ? [chunk('VP8 ', lossy)] : []),
    ...(lossless ? [chunk('VP8L', lossless)] : []),
  ])
  return { type: 'webp', ...size, bytes: chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), kept])) }
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}....`)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** RFC 6386, 9.1: a key frame whose first partition lies within the chunk. */
function sizeOfLossy(data: Buffer): Size | undefined {
  if (data.length <= 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  const tag = data.readUIntLE(0, 3)
  if ((tag & 1) === 1 || tag >> 5 > data.length - 10) return undefined
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

/** RFC 9649, 3.4. */
function sizeOfLossless(data: Buffer): Size | undefined {
  if (data.length <= 5 || data[0] !== 0x2f) return undefined
  const bits = data.readUInt32LE(1)
  return bits >>> 29 === 0 ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined
}

const isCanvas = (data: Buffer, { width, height }: Size) =>
  data.length === 10 && data.readUIntLE(4, 3) + 1 === width && data.readUIntLE(7, 3) + 1 === height

function canvasWithAlpha({ width, height }: Size): Buffer {
  const data = Buffer.alloc(10)
  data[0] = 0x10
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return data
}

/** Segments that a decoder needs: quantisation, Huffman tables, restart intervals, frames and scans. */
const NEEDED = new Set([0xdb, 0xc4, 0xdd, 0xc0, 0xc1, 0xc2, 0xda])

/** Reads a file as in ITU-T T.81, annex B. @returns undefined for a broken one */
function readJpeg(file: Buffer): Picture | undefined {
  const kept = [file.subarray(0, 2)]
  let size: Size | undefined
  for (let at = 2; at + 4 <= file.length;) {
    const [code = 0, length] = [file[at + 1], file.readUInt16BE(at + 2)]
    const end = at + 2 + length
    if (file[at] !== 0xff || length < 2 || end > file.length) return undefined
    const segment = file.subarray(at, end)
    if (NEEDED.has(code)) kept.push(segment)
    else if (code < 0xe0 || code > 0xfe) return undefined
    if (code >= 0xc0 && code <= 0xc2) {
      if (size || length < 8) return undefined
      size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) }
    }
    at = end
    if (code !== 0xda) continue
    at = endOfScan(file, end)
    kept.push(file.subarray(end, at))
    if (file.readUInt16BE(Math.min(at, file.length - 2)) !== 0xffd9) continue
    if (!size || at + 2 !== file.length) return undefined
    return { type: 'jpg', ...size, bytes: Buffer.concat([...kept, file.subarray(at)]) }
  }
  return undefined
}

/** @returns where the next marker is, other than those within a scan */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return file.length
}
