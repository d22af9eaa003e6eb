/** Picture files made by hand, honest and hostile. None of them draws anything. */

export const base64 = (file: Buffer): string => file.toString('base64')

export function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)])
}

export const riff = (...chunks: Buffer[]): Buffer => chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))

/** The picture itself, lossy, with so many bytes of content. */
export function frame(width: number, height: number, content = 40): Buffer {
  const data = Buffer.alloc(10 + content, 7)
  data.writeUIntLE(16 << 5, 0, 3)
  data.writeUIntBE(0x9d012a, 3, 3)
  data.writeUInt16LE(width & 0x3fff, 6)
  data.writeUInt16LE(height & 0x3fff, 8)
  return chunk('VP8 ', data)
}

export function lossless(width: number, height: number): Buffer {
  const data = Buffer.alloc(40, 7)
  data[0] = 0x2f
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
  return chunk('VP8L', data)
}

export const FLAGS = { icc: 0x20, alpha: 0x10, exif: 0x08, xmp: 0x04, moving: 0x02 }

export function extended(flags: number, width: number, height: number): Buffer {
  const data = Buffer.alloc(10)
  data[0] = flags
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return chunk('VP8X', data)
}

export const webp = (width: number, height: number, content?: number): Buffer => riff(frame(width, height, content))

function segment(code: number, data: Buffer): Buffer {
  const head = Buffer.of(0xff, code, 0, 0)
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

export const jpegSegment = segment

/** @param extra segments before the frame */
export function jpeg(width: number, height: number, ...extra: Buffer[]): Buffer {
  const size = Buffer.of(8, 0, 0, 0, 0, 1, 1, 0x11, 0)
  size.writeUInt16BE(height, 1)
  size.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    ...extra,
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, size),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.of(1, 1, 0, 0, 0x3f, 0)),
    Buffer.of(0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56),
    Buffer.of(0xff, 0xd9),
  ])
}
