import { crc32, deflateRawSync } from 'node:zlib'

export interface Part {
  name: string
  text: string | Buffer
  /** The unpacked size that the file claims. */
  claims?: number
  flags?: number
}

/** @returns a ZIP file, such as Excel's */
export function zip(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const bodies: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const { name, text, claims, flags = 0 } of parts) {
    const raw = Buffer.from(text)
    const packed = deflateRawSync(raw, { level: 9 })
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(flags, 2)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(raw), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(claims ?? raw.length, 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), packed])
    const entry = Buffer.alloc(46)
    entry.write('PK\u0001\u0002')
    head.copy(entry, 6)
    entry.writeUInt32LE(at, 42)
    entries.push(entry, Buffer.from(name))
    bodies.push(local)
    at += local.length
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...bodies, list, end]))
}
