import { encode } from 'uqr'
import { saveBlob } from '../../platform/files/save-file.ts'

/** White modules around the code, which scanners need to find it. */
const QUIET_ZONE = 4
const SAVED_SIZE_PX = 1_024

export interface QrCode {
  /** Modules per side, quiet zone included. */
  size: number
  /** The black modules, as the `d` of an SVG path in units of one module. */
  path: string
}

/** Error correction H survives a thumb or a scratch over part of the code. M is coarser, for a small print. */
export function qrCode(text: string, ecc: 'M' | 'H' = 'H'): QrCode {
  const { size, data } = encode(text, { ecc, border: QUIET_ZONE })
  return { size, path: data.map(rowPath).join('') }
}

/** Joins neighbours in a row into one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue
    const start = x
    while (row[x + 1]) x++
    const width = x + 1 - start
    path += `M${start} ${y}h${width}v1h-${width}z`
  }
  return path
}

/** Saves the code as a picture with whole pixels per module. @returns false if the browser can't */
export async function saveQrCode({ size, path }: QrCode, fileName: string): Promise<boolean> {
  const scale = Math.floor(SAVED_SIZE_PX / size)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size * scale
  const context = canvas.getContext('2d')
  if (!context) return false
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  context.fillStyle = '#000'
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  context.fill(new Path2D(path))
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!picture) return false

  saveBlob(fileName, picture)
  return true
}
