/**
 * Reads streams of an OLE file: old Excel keeps its sheets in one, and newer Excel what a password locks. Any place
 * that such a file names may lie, so each is checked, and no chain is longer than the file.
 */
import { t } from '../../../platform/i18n.ts'
import { FileFault } from '../../../platform/files/file-fault.ts'

export const OLE_MARK = [0xd0, 0xcf, 0x11, 0xe0]

const HEADER = 512
const ENTRY = 128
const FATS_IN_HEADER = 109
const SMALL_SECTOR = 64
/** Above it stand marks for free sectors and the ends of chains. */
const SECTOR_MAX = 0xff_ff_ff_fa
const NONE = 0xff_ff_ff_ff
const STREAM = 2

export const damagedExcel = () => new FileFault(t('This Excel file is damaged. Download it again.'))

/** Returns a stream of the file's first level; undefined when there is none of that name. */
export type Streams = (name: string) => Uint8Array<ArrayBuffer> | undefined

/** @throws FileFault for a file that is cut, or that points outside itself */
export function openOle(file: Uint8Array<ArrayBuffer>): Streams {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const header = (at: number) => (at + 4 <= HEADER && HEADER <= file.length ? view.getUint32(at, true) : fail())
  const shift = header(0x1e) & 0xff_ff
  if (shift !== 9 && shift !== 12) fail()
  const size = 1 << shift
  const sectorsMax = Math.ceil(file.length / size)
  const sector = (number: number) => {
    const start = (number + 1) * size
    if (number >= SECTOR_MAX || start >= file.length) fail()
    return file.subarray(start, start + size)
  }
  const fat = numbersOf(fatSectors(header, sector, sectorsMax).map(sector))
  const chain = (start: number) => joined(chainOf(fat, start, sectorsMax).map(sector))
  const entries = entriesOf(chain(header(0x30)))
  const root = entries[0] ?? fail()
  const smallFat = header(0x3c) < SECTOR_MAX ? numbersOf([chain(header(0x3c))]) : []
  const small = root.start < SECTOR_MAX ? chain(root.start) : new Uint8Array()
  const smallSectors = (start: number) =>
    chainOf(smallFat, start, small.length / SMALL_SECTOR).map((number) =>
      small.subarray(number * SMALL_SECTOR, (number + 1) * SMALL_SECTOR),
    )
  return (name) => {
    const entry = childrenOf(entries, root.child).find((one) => one.type === STREAM && one.name === name)
    if (!entry) return undefined
    const bytes = entry.size < header(0x38) ? joined(smallSectors(entry.start)) : chain(entry.start)
    return bytes.length < entry.size ? fail() : bytes.slice(0, entry.size)
  }
}

function fail(): never {
  throw damagedExcel()
}

/** Where the table of sectors stands: in the header, and for large files in a chain of its own. */
function fatSectors(header: (at: number) => number, sector: (at: number) => Uint8Array, sectorsMax: number): number[] {
  const found: number[] = []
  for (let index = 0; index < FATS_IN_HEADER; index++) found.push(header(0x4c + index * 4))
  let next = header(0x44)
  for (let count = 0; next < SECTOR_MAX; count++) {
    if (count >= sectorsMax) fail()
    const numbers = numbersOf([sector(next)])
    next = numbers.pop() ?? NONE
    found.push(...numbers)
  }
  const sectors = found.filter((number) => number < SECTOR_MAX)
  return sectors.length > sectorsMax ? fail() : sectors
}

function numbersOf(parts: readonly Uint8Array[]): number[] {
  return parts.flatMap((part) => {
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
    return Array.from({ length: Math.floor(part.length / 4) }, (_, index) => view.getUint32(index * 4, true))
  })
}

function chainOf(next: readonly number[], start: number, longest: number): number[] {
  const chain: number[] = []
  for (let at = start; at < SECTOR_MAX; at = next[at] ?? fail()) {
    chain.push(at)
    if (chain.length > longest) fail()
  }
  return chain
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

interface Entry {
  name: string
  type: number
  left: number
  right: number
  child: number
  start: number
  size: number
}

function entriesOf(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(bytes.length / ENTRY) }, (_, index) => {
    const at = index * ENTRY
    const length = Math.min(Math.max(view.getUint16(at + 0x40, true) - 2, 0), 62)
    return {
      name: new TextDecoder('utf-16le').decode(bytes.subarray(at, at + length)),
      type: view.getUint8(at + 0x42),
      left: view.getUint32(at + 0x44, true),
      right: view.getUint32(at + 0x48, true),
      child: view.getUint32(at + 0x4c, true),
      start: view.getUint32(at + 0x74, true),
      size: view.getUint32(at + 0x78, true),
    }
  })
}

/** What lies in the root. A sheet within a sheet has streams of the same names. */
function childrenOf(entries: readonly Entry[], first: number): Entry[] {
  const seen = new Set<number>()
  const open = [first]
  while (open.length > 0) {
    const at = open.pop() ?? NONE
    const entry = entries[at]
    if (!entry || seen.has(at)) continue
    seen.add(at)
    open.push(entry.left, entry.right)
  }
  return [...seen].flatMap((at) => entries[at] ?? [])
}
