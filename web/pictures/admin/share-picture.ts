/** Draws the picture that messengers show for a link to the store, and saves it. */
import { oklch, type Accent, ACCENTS } from '../../../contract/accents.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { dataOf, encode, sheet, SIZES } from './make-picture.ts'

interface Shown {
  websiteName: string
  heroLine: string
  accent: Accent
  logo?: string | undefined
}

const EDGE = 96
const LINES_MAX = 3

/**
 * Draws what messengers show for a link to a product: its picture before its own colours, and no words, so that a new
 * name makes none of them wrong.
 * @param picture a data URL
 * @returns a data URL
 */
export async function drawProductCard(picture: string): Promise<string> {
  const { width, height, bytesMax } = SIZES.share
  const { canvas, brush } = sheet(width, height)
  const image = await loadImage(picture)
  brush.fillStyle = '#0a0d12'
  brush.fillRect(0, 0, width, height)
  // A few pixels, drawn large, are a blur in every browser
  const { canvas: few, brush: small } = sheet(8, 8)
  small.drawImage(image, 0, 0, 8, 8)
  brush.globalAlpha = 0.5
  brush.imageSmoothingQuality = 'high'
  brush.drawImage(few, 0, (height - width) / 2, width, width)
  brush.globalAlpha = 1
  brush.drawImage(image, (width - height) / 2, 0, height, height)
  return encode(canvas, 'image/jpeg', bytesMax)
}

/** @returns a data URL */
export async function drawSharePicture({ websiteName, heroLine, accent, logo }: Shown): Promise<string> {
  const { width, height, bytesMax } = SIZES.share
  const { canvas, brush } = sheet(width, height)
  const { dark } = ACCENTS[accent]
  brush.fillStyle = '#0a0d12'
  brush.fillRect(0, 0, width, height)
  const glow = brush.createRadialGradient(width - 100, 40, 0, width - 100, 40, 780)
  glow.addColorStop(0, oklch(dark, 42))
  glow.addColorStop(1, oklch(dark, 0))
  brush.fillStyle = glow
  brush.fillRect(0, 0, width, height)
  let textLeft = EDGE
  if (logo) {
    const picture = await loadImage(logo)
    brush.beginPath()
    if ('roundRect' in brush) brush.roundRect(EDGE, EDGE, 120, 120, 28)
    else (brush as CanvasRenderingContext2D).rect(EDGE, EDGE, 120, 120)
    brush.save()
    brush.clip()
    brush.drawImage(picture, EDGE, EDGE, 120, 120)
    brush.restore()
    textLeft += 148
  }
  brush.textBaseline = 'middle'
  write(brush, [websiteName], { font: `600 52px ${FAMILY}`, colour: oklch(dark), left: textLeft, top: EDGE + 60 })
  brush.font = `650 84px ${FAMILY}`
  const lines = broken(brush, heroLine || t('Licence keys, delivered instantly'), width - 2 * EDGE)
  const top = height - EDGE - 96 * (lines.length - 1) - 42
  write(brush, lines, { font: brush.font, colour: '#f4f6fa', left: EDGE, top })
  return encode(canvas, 'image/jpeg', bytesMax)
}

const FAMILY = 'Geist, system-ui, sans-serif'

interface Writing {
  font: string
  colour: string
  left: number
  top: number
}

function write(brush: CanvasRenderingContext2D, lines: readonly string[], { font, colour, left, top }: Writing): void {
  brush.font = font
  brush.fillStyle = colour
  const room = SIZES.share.width - left - EDGE
  for (const [at, line] of lines.entries()) brush.fillText(line, left, top + at * 96, room)
}

/** Breaks a text at spaces. The last line takes the rest, and is drawn narrower if it must be. */
function broken(brush: CanvasRenderingContext2D, text: string, room: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    const fits = brush.measureText(longer).width <= room
    if (last !== undefined && (fits || lines.length === LINES_MAX)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

async function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = address
  await image.decode()
  return image
}

/** A store without its new picture keeps the one before, so a failure is not the person's concern. */
export async function saveSharePicture(shown: Shown): Promise<void> {
  try {
    await client.pictures.saveOfStore({ place: 'share', data: dataOf(await drawSharePicture(shown)) })
  } catch {
    // The picture stays as it was until the next change draws it
  }
}
