/** Texts of old Excel files, which may run on over several records. */
import { damagedExcel } from './ole.ts'

const WIDE = 1
const SPOKEN = 4
const RICH = 8

export class SplitBytes {
  readonly #parts: readonly DataView<ArrayBuffer>[]
  #part = 0
  #at: number

  constructor(parts: readonly DataView<ArrayBuffer>[], at: number) {
    this.#parts = parts
    this.#at = at
  }

  /** The next text: its length, how its letters are encoded, and the letters. */
  text(): string {
    const length = this.#number(2)
    let flags = this.#number(1)
    const [runs, spoken] = [(flags & RICH) === 0 ? 0 : this.#number(2), (flags & SPOKEN) === 0 ? 0 : this.#number(4)]
    let text = ''
    while (text.length < length) {
      if (this.#left === 0) {
        this.#turn()
        // A text that goes on in the next record says again how its letters are encoded
        flags = this.#number(1)
      }
      const width = (flags & WIDE) === 0 ? 1 : 2
      const letters = Math.min(length - text.length, Math.floor(this.#left / width))
      if (letters === 0) throw damagedExcel()
      const part = this.#parts[this.#part]
      if (!part) throw damagedExcel()
      const bytes = new Uint8Array(part.buffer, part.byteOffset + this.#at, letters * width)
      text +=
        width === 2 ? new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes) : String.fromCodePoint(...bytes)
      this.#at += letters * width
    }
    this.#skip(runs * 4 + spoken)
    return text
  }

  get #left(): number {
    return (this.#parts[this.#part]?.byteLength ?? 0) - this.#at
  }

  #turn(): void {
    this.#part += 1
    this.#at = 0
    if (!this.#parts[this.#part]) throw damagedExcel()
  }

  #number(length: 1 | 2 | 4): number {
    if (this.#left === 0) this.#turn()
    const part = this.#parts[this.#part]
    if (!part || this.#left < length) throw damagedExcel()
    const at = this.#at
    this.#at += length
    return length === 1 ? part.getUint8(at) : length === 2 ? part.getUint16(at, true) : part.getUint32(at, true)
  }

  #skip(length: number): void {
    let left = length
    while (left > this.#left) {
      left -= this.#left
      this.#turn()
    }
    this.#at += left
  }
}
