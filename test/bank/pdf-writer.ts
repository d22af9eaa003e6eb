/** Writes PDF files with text in places, as banks' programs do, with or without a password. */
import { createHash } from 'node:crypto'

export type Font = 'Helvetica' | 'Courier'

export interface Placed {
  text: string
  /** In points, from the left and from the top of the page. */
  x: number
  y: number
}

const PAGE = { width: 595, height: 842 }
/** Of Helvetica's letters from the space to the tilde, in thousandths of its size. */
const WIDTHS = [
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556',
  '556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778',
  '667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556',
  '556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
]
  .join(' ')
  .split(' ')
  .map(Number)

export const widthOf = (text: string, font: Font, size: number): number =>
  Array.from(text).reduce(
    (sum, letter) => sum + (font === 'Courier' ? 600 : (WIDTHS[(letter.codePointAt(0) ?? 0) - 32] ?? 556)),
    0,
  ) *
  (size / 1_000)

/** @param password that opens it, by the way of PDF 1.4 */
export function writePdf(
  pages: readonly (readonly Placed[])[],
  { font, size, password }: { font: Font; size: number; password?: string | undefined },
): Uint8Array<ArrayBuffer> {
  const lock = password === undefined ? undefined : lockOf(password)
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects: Buffer[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`,
  ].map((text) => Buffer.from(text))
  for (const [at, texts] of pages.entries()) {
    const resources = '/Resources << /Font << /F 3 0 R >> >>'
    const box = `/MediaBox [0 0 ${PAGE.width} ${PAGE.height}]`
    objects.push(
      Buffer.from(`<< /Type /Page /Parent 2 0 R ${box} ${resources} /Contents ${5 + at * 2} 0 R >>`),
      streamOf(texts, size, (bytes) => (lock ? lock.locked(bytes, 5 + at * 2) : bytes)),
    )
  }
  if (lock) objects.push(Buffer.from(lock.dictionary))
  return fileOf(objects, lock && `/Encrypt ${objects.length} 0 R /ID [<${ID.toString('hex')}> <${ID.toString('hex')}>]`)
}

function streamOf(texts: readonly Placed[], size: number, locked: (bytes: Buffer) => Buffer): Buffer {
  const drawn = texts.map(({ text, x, y }) => {
    const written = text.replaceAll(/[\\()]/g, String.raw`\$&`)
    return `BT /F ${size} Tf 1 0 0 1 ${x.toFixed(2)} ${(PAGE.height - y).toFixed(2)} Tm (${written}) Tj ET`
  })
  const bytes = locked(Buffer.from(drawn.join('\n'), 'latin1'))
  return Buffer.concat([Buffer.from(`<< /Length ${bytes.length} >>\nstream\n`), bytes, Buffer.from('\nendstream')])
}

function fileOf(objects: readonly Buffer[], more = ''): Uint8Array<ArrayBuffer> {
  const parts = [Buffer.from('%PDF-1.4\n')]
  let at = parts[0]?.length ?? 0
  const places = objects.map((object, index) => {
    const place = at
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(part)
    at += part.length
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${more} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}

const ID = Buffer.from('0123456789abcdef')
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const md5 = (...parts: readonly Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()

function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at)
  const swap = (a: number, b: number) => ([state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0])
  for (let at = 0, other = 0; at < 256; at++) {
    other = (other + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 255
    swap(at, other)
  }
  let [at, other] = [0, 0]
  return Buffer.from(
    bytes.map((byte) => {
      at = (at + 1) & 255
      other = (other + (state[at] ?? 0)) & 255
      swap(at, other)
      return byte ^ (state[((state[at] ?? 0) + (state[other] ?? 0)) & 255] ?? 0)
    }),
  )
}

/** 128 bits of RC4, twenty rounds: revision 3 of PDF's standard handler. */
function lockOf(password: string) {
  const padded = Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32)
  const rounds = (start: Buffer, key: Uint8Array) =>
    Array.from({ length: 20 }, (_, round) => round).reduce(
      (bytes, round) =>
        rc4(
          key.map((byte) => byte ^ round),
          bytes,
        ),
      start,
    )
  const fifty = (start: Buffer) => Array.from({ length: 50 }).reduce<Buffer>((bytes) => md5(bytes), start)
  const owner = rounds(padded, fifty(md5(padded)))
  const rights = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const key = fifty(md5(padded, owner, rights, ID))
  const user = Buffer.concat([rounds(md5(PADDING, ID), key), Buffer.alloc(16)])
  return {
    dictionary: [
      '<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4',
      `/O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`,
    ].join(' '),
    locked: (bytes: Buffer, object: number) => rc4(md5(key, Buffer.from([object & 255, object >> 8, 0, 0, 0])), bytes),
  }
}
