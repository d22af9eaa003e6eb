/** Makes a picture as the server takes it (contract/pictures.ts): cut, small, encoded again and so free of all else. */
import type { PictureKind, PictureRule } from '../../../contract/pictures.ts'
import { t } from '../../platform/i18n.ts'

/** Not contract/pictures.ts itself, because that would bring Zod. A test compares them. */
export const SIZES = {
  logo: { width: 512, height: 512, bytesMax: 64 * 1024 },
  share: { width: 1200, height: 630, bytesMax: 120 * 1024 },
  product: { width: 640, height: 640, bytesMax: 120 * 1024 },
} as const satisfies Record<PictureKind, Pick<PictureRule, 'bytesMax'> & { width: number; height: number }>

const QUALITIES = [0.9, 0.8, 0.7, 0.55, 0.4, 0.25]
const FILE_BYTES_MAX = 50 * 1024 * 1024

/**
 * Cuts a product's picture to a square, and fits a whole logo into one.
 * @returns a data URL
 * @throws Error in words for the person
 */
export async function makePicture(file: Blob, kind: 'logo' | 'product'): Promise<string> {
  if (file.size > FILE_BYTES_MAX) throw new Error(t('This file is larger than 50 MB. Choose a smaller picture.'))
  const source = await createImageBitmap(file).catch(() => {
    throw new Error(t('This file is not a picture that your browser can open. Choose a JPEG, PNG or WebP.'))
  })
  const { width, height } = SIZES[kind]
  const { canvas, brush } = sheet(width, height)
  const scales = [width / source.width, height / source.height]
  const scale = kind === 'logo' ? Math.min(...scales) : Math.max(...scales)
  const [wide, high] = [source.width * scale, source.height * scale]
  brush.imageSmoothingQuality = 'high'
  brush.drawImage(source, (width - wide) / 2, (height - high) / 2, wide, high)
  source.close()
  return encode(canvas, 'image/webp', SIZES[kind].bytesMax)
}

export function sheet(width: number, height: number): { canvas: HTMLCanvasElement; brush: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const brush = canvas.getContext('2d')
  if (!brush) throw new Error(t('Your browser can’t prepare pictures. Try another browser.'))
  return { canvas, brush }
}

/** Encodes in the best quality that fits. Safari writes no WebP, so it gets a JPEG on white. */
export async function encode(canvas: HTMLCanvasElement, type: string, bytesMax: number): Promise<string> {
  for (const quality of QUALITIES) {
    const file = await encodeOnce(canvas, type, quality)
    if (type === 'image/webp' && file?.type !== type) return encode(onWhite(canvas), 'image/jpeg', bytesMax)
    if (file?.type === type && file.size <= bytesMax) return readAsUrl(file)
  }
  throw new Error(t('This picture has too much detail. Choose a simpler one.'))
}

const encodeOnce = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))

function onWhite(picture: HTMLCanvasElement): HTMLCanvasElement {
  const { canvas, brush } = sheet(picture.width, picture.height)
  brush.fillStyle = '#fff'
  brush.fillRect(0, 0, canvas.width, canvas.height)
  brush.drawImage(picture, 0, 0)
  return canvas
}

export function readAsUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unread')))
    reader.readAsDataURL(file)
  })
}

/** The base64 in a data URL, as the server takes it. */
export const dataOf = (url: string): string => url.slice(url.indexOf(',') + 1)
