/** Reads parts of a ZIP file. A file that unpacks to more than it should is given up while it unpacks. */
import { t } from '../../../platform/i18n.ts'
import { FileFault } from '../../../platform/files/file-fault.ts'
import { damagedExcel, joined } from './ole.ts'

const UNPACKED_MAX = 32 * 1024 * 1024
const PARTS_MAX = 200
const SLICE = 2_048
const END_LENGTH = 22
const COMMENT_MAX = 0xff_ff
const ENTRY_LENGTH = 46
const LOCAL_LENGTH = 30
const [END, ENTRY, LOCAL] = [0x06_05_4b_50, 0x02_01_4b_50, 0x04_03_4b_50]
const [STORED, DEFLATED] = [0, 8]
/** Sizes and places in ZIP64 files look like this. */
const ELSEWHERE = 0xff_ff_ff_ff

interface Part {
  method: number
  packed: number
  unpacked: number
  at: number
}

/** Returns a part's text; undefined when there is none of that name. */
type Unzip = (name: string) => Promise<string | undefined>

const tooLarge = () => new FileFault(t('This Excel file is too large. Choose a shorter period.'))

/** @throws FileFault for a file that is damaged, has a password, or has too many parts */
export function openZip(file: Uint8Array<ArrayBuffer>): Unzip {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const parts = partsOf(file, view)
  let left = UNPACKED_MAX
  return async (name) => {
    const part = parts.get(name)
    if (!part) return undefined
    if (part.unpacked > left) throw tooLarge()
    const bytes = await unpacked(file, view, part, left)
    left -= bytes.length
    return new TextDecoder().decode(bytes)
  }
}

function partsOf(file: Uint8Array, view: DataView): Map<string, Part> {
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  const parts = new Map<string, Part>()
  if (count > PARTS_MAX) throw tooLarge()
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_LENGTH > end || view.getUint32(at, true) !== ENTRY) throw damagedExcel()
    const flags = view.getUint16(at + 8, true)
    if ((flags & 1) !== 0) throw new FileFault(t('This Excel file has a password. Save it without one.'))
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true))
    const name = new TextDecoder().decode(file.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + (nameLength ?? 0)))
    const part = {
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    }
    if ([part.packed, part.unpacked, part.at].includes(ELSEWHERE)) throw damagedExcel()
    // With two parts of one name, programs differ in which one they show
    if (parts.has(name)) throw damagedExcel()
    parts.set(name, part)
    at += ENTRY_LENGTH + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return parts
}

/** Where the list of parts ends. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_LENGTH
  for (let at = last; at >= Math.max(0, last - COMMENT_MAX); at--) if (view.getUint32(at, true) === END) return at
  throw damagedExcel()
}

async function unpacked(file: Uint8Array<ArrayBuffer>, view: DataView, part: Part, limit: number) {
  const { at, packed, method } = part
  if (at + LOCAL_LENGTH > file.length || view.getUint32(at, true) !== LOCAL) throw damagedExcel()
  const start = at + LOCAL_LENGTH + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  if (start + packed > file.length) throw damagedExcel()
  const bytes = file.subarray(start, start + packed)
  if (method === STORED) return bytes
  if (method !== DEFLATED) throw damagedExcel()
  return inflated(bytes, limit)
}

/** Writes in slices. A slice is unpacked at once, and can hold a thousand times its size. */
async function feed(writer: WritableStreamDefaultWriter<BufferSource>, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  for (let at = 0; at < bytes.length; at += SLICE) {
    await writer.ready
    await writer.write(bytes.subarray(at, at + SLICE))
  }
  await writer.close()
}

/** Stops in the middle when there is more than the file may hold, whatever size it claims. */
async function inflated(bytes: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const reader = readable.getReader()
  // Reading reports the same fault, or was cancelled
  feed(writable.getWriter(), bytes).catch(() => undefined)
  const pieces: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw damagedExcel()
    })
    if (done) break
    length += value.length
    if (length > limit) {
      await reader.cancel().catch(() => undefined)
      throw tooLarge()
    }
    pieces.push(value)
  }
  return joined(pieces)
}
