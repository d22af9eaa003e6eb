import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  ACCENT_NAMES,
  ACCENTS,
  accentRules,
  accentStyles,
  accentTokens,
  type AccentTheme,
  oklch,
} from '../contract/accents.ts'

type Rgb = [number, number, number]
interface Colour {
  rgb: Rgb
  alpha: number
}

const [dark = '', light = ''] = readFileSync('web/styles/tokens.css', 'utf8').split("[data-theme='light']")
const SHEETS: Record<AccentTheme, Map<string, string>> = { dark: tokensOf(dark), light: tokensOf(dark + light) }

function tokensOf(sheet: string): Map<string, string> {
  return new Map([...sheet.matchAll(/(--color-[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))
}

/** A colour of the style sheet as the build writes it. */
const inHex = (value: string) => {
  const [lightness = 0, chroma = 0, hue = 0, percent] = (value.match(/[\d.]+/g) ?? []).map(Number)
  return oklch([lightness, chroma, hue], percent)
}

/** Linear sRGB, with what a screen cannot show cut off (CSS Color 4). */
function parse(value: string): Colour {
  if (value === '#fff') return { rgb: [1, 1, 1], alpha: 1 }
  if (/^#([\da-f]{2}){3,4}$/.test(value)) {
    const [r = 0, g = 0, b = 0, alpha = 1] = (value.match(/[\da-f]{2}/g) ?? []).map((two) => parseInt(two, 16) / 255)
    return {
      rgb: [r, g, b].map((part) => (part > 0.04045 ? ((part + 0.055) / 1.055) ** 2.4 : part / 12.92)) as Rgb,
      alpha,
    }
  }
  const [, l, c, h, percent = '100'] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+)%)?\)$/.exec(value) ?? []
  if (h === undefined) throw new Error(`What colour is ${value}?`)
  const angle = (Number(h) * Math.PI) / 180
  const [a, b] = [Number(c) * Math.cos(angle), Number(c) * Math.sin(angle)]
  const long = (Number(l) + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (Number(l) - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (Number(l) - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (part: number) => Math.min(1, Math.max(0, part))
  return {
    rgb: [
      clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
      clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
      clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
    ],
    alpha: Number(percent) / 100,
  }
}

const encode = (part: number) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055)
const decode = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

/** Browsers mix the encoded values. */
function over({ rgb, alpha }: Colour, ground: Colour): Colour {
  const mixed = rgb.map((part, n) => decode(alpha * encode(part) + (1 - alpha) * encode(ground.rgb[n] ?? 0)))
  return { rgb: mixed as Rgb, alpha: 1 }
}

const luminance = ({ rgb: [r, g, b] }: Colour) => 0.2126 * r + 0.7152 * g + 0.0722 * b

function contrast(one: Colour, other: Colour): number {
  const [more = 0, less = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (more + 0.05) / (less + 0.05)
}

/** @returns the weakest contrast of the texts that an accent colours */
function weakest(tokens: Map<string, string>): number {
  const colour = (name: string) => parse(tokens.get(`--color-${name}`) ?? '')
  const grounds = ['bg', 'sunken', 'surface', 'raised'].map((name) => colour(name))
  return Math.min(
    ...grounds.flatMap((ground) => [
      contrast(colour('brand'), ground),
      contrast(colour('brand'), over(colour('brand-bg'), ground)),
      contrast(colour('fg'), over(colour('brand-bg'), ground)),
    ]),
    contrast(colour('on-solid'), colour('solid')),
    contrast(colour('on-solid'), colour('solid-hover')),
  )
}

/** A screen's red, green and blue end somewhere, which turns a hue a little. */
const CUT_OFF_DEGREES = 8

/** @returns degrees, as Oklab has them */
function hueOf({ rgb: [r, g, b] }: Colour): number {
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const reddish = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const yellowish = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return ((Math.atan2(yellowish, reddish) * 180) / Math.PI + 360) % 360
}

const cases = ACCENT_NAMES.flatMap((name) => (['dark', 'light'] as const).map((theme) => ({ name, theme })))

test('there are eight accents', () => expect(ACCENT_NAMES).toHaveLength(8))

test.each(cases)('texts in $name have a contrast of 4.5 : 1 in the $theme theme', ({ name, theme }) => {
  const tokens = new Map([...SHEETS[theme], ...Object.entries(accentTokens(name, theme))])
  expect(weakest(tokens)).toBeGreaterThanOrEqual(4.5)
})

test.each(cases)('buttons and charts are in $name in the $theme theme, and seen on every ground', ({ name, theme }) => {
  const own = accentTokens(name, theme)
  const tokens = new Map([...SHEETS[theme], ...Object.entries(own)])
  const colour = (token: string) => parse(tokens.get(`--color-${token}`) ?? '')
  const away = (token: string) => Math.abs(hueOf(parse(own[`--color-${token}`] ?? '')) - ACCENTS[name][theme][2])
  for (const token of ['solid', 'solid-hover', 'chart-1']) expect(away(token), token).toBeLessThan(CUT_OFF_DEGREES)
  // A line on bars differs from them by its colour
  expect(away('chart-2')).toBeGreaterThan(70)
  for (const ground of ['bg', 'sunken', 'surface', 'raised'])
    for (const token of ['solid', 'chart-1', 'chart-2'])
      expect(contrast(colour(token), colour(ground)), `${token} on ${ground}`).toBeGreaterThanOrEqual(3)
})

test('the page for when there is no network has every accent', () => {
  const sheet = readFileSync('web/public/offline.css', 'utf8').replaceAll(/\s+/g, ' ')
  for (const name of ACCENT_NAMES)
    for (const theme of ['dark', 'light'] as const) {
      const { '--color-solid': act, '--color-on-solid': onAct } = accentTokens(name, theme)
      expect(sheet, `${name}, ${theme}`).toContain(
        `:root[data-accent='${name}'] { --act: ${act}; --on-act: ${onAct}; }`,
      )
    }
})

test('a colour that is too pale on white is found', () => {
  const tokens = new Map([...SHEETS.light, ['--color-brand', oklch(ACCENTS.lime.dark)]])
  expect(weakest(tokens)).toBeLessThan(4.5)
})

test('the default accent is the one of the style sheet', () => {
  expect(accentStyles('lime')).toBe('')
  expect(accentRules('lime')).toContain('--color-solid')
  for (const theme of ['dark', 'light'] as const) {
    const ours = accentTokens('lime', theme)
    for (const [name, value] of Object.entries(ours))
      if (name !== '--color-brand-line' || theme === 'dark')
        expect(value, name).toBe(inHex(SHEETS[theme].get(name) ?? ''))
  }
})
