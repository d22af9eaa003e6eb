/** The eight accent colours of a store. A test holds the contrast of each, in both themes. */

/** Lightness, chroma and hue, as in CSS `oklch()`. */
type Oklch = readonly [lightness: number, chroma: number, hue: number]

/** The colour of links, buttons and charts on dark ground, and on light ground. */
export const ACCENTS = {
  lime: { dark: [0.9, 0.19, 122], light: [0.46, 0.12, 130] },
  mint: { dark: [0.88, 0.14, 165], light: [0.46, 0.1, 165] },
  aqua: { dark: [0.86, 0.12, 205], light: [0.46, 0.09, 215] },
  sky: { dark: [0.8, 0.12, 245], light: [0.47, 0.15, 250] },
  violet: { dark: [0.78, 0.13, 295], light: [0.47, 0.18, 295] },
  pink: { dark: [0.8, 0.14, 345], light: [0.48, 0.17, 350] },
  coral: { dark: [0.79, 0.14, 35], light: [0.48, 0.14, 35] },
  gold: { dark: [0.87, 0.15, 85], light: [0.47, 0.1, 75] },
} as const satisfies Record<string, Record<AccentTheme, Oklch>>
export type Accent = keyof typeof ACCENTS
export type AccentTheme = 'dark' | 'light'

export const ACCENT_NAMES = Object.keys(ACCENTS) as [Accent, ...Accent[]]
/** The one that the store's style sheet has (web/styles/tokens.css). */
export const DEFAULT_ACCENT: Accent = 'lime'

/** Writes a colour as all browsers served read it. What a screen can't show is cut off (CSS Color 4). */
export function oklch([lightness, chroma, hue]: Oklch, percent = 100): string {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const parts = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map((part) => (part > 0.0031308 ? 1.055 * part ** (1 / 2.4) - 0.055 : 12.92 * part))
  if (percent < 100) parts.push(percent / 100)
  return `#${parts.map(inHex).join('')}`
}

const inHex = (part: number): string =>
  Math.round(255 * Math.min(1, Math.max(0, part)))
    .toString(16)
    .padStart(2, '0')

const rounded = (part: number) => Math.round(part * 100) / 100

/** The chart's second colour. Bluish accents have amber there, so that a line is seen on their bars. */
function secondOf(hue: number, theme: AccentTheme): Oklch {
  const isBluish = hue > 180 && hue < 310
  if (isBluish) return theme === 'dark' ? [0.82, 0.14, 75] : [0.55, 0.12, 65]
  return theme === 'dark' ? [0.72, 0.13, 240] : [0.52, 0.15, 250]
}

/** @returns the custom properties that an accent sets, with their values */
export function accentTokens(accent: Accent, theme: AccentTheme): Record<string, string> {
  const { dark, light } = ACCENTS[accent]
  const [lightness, chroma, hue] = dark
  const second = oklch(secondOf(hue, theme))
  if (theme === 'light') {
    const [onLight, lightChroma, lightHue] = light
    return {
      '--color-solid': oklch(light),
      '--color-solid-hover': oklch([rounded(onLight - 0.06), rounded(lightChroma - 0.02), lightHue]),
      '--color-on-solid': oklch([0.99, 0, 0]),
      '--color-brand': oklch(light),
      '--color-brand-bg': oklch(dark, 35),
      '--color-brand-line': oklch([0.6, 0.15, lightHue], 45),
      '--color-chart-1': oklch([0.6, 0.15, lightHue]),
      '--color-chart-2': second,
      '--color-glow': oklch(dark, 40),
    }
  }
  return {
    '--color-solid': oklch(dark),
    '--color-solid-hover': oklch([rounded(lightness + 0.04), rounded(chroma - 0.02), hue]),
    '--color-on-solid': oklch([0.2, 0.05, hue]),
    '--color-brand': oklch(dark),
    '--color-brand-bg': oklch(dark, 13),
    '--color-brand-line': oklch(dark, 32),
    '--color-chart-1': oklch([rounded(lightness - 0.04), chroma, hue]),
    '--color-chart-2': second,
    '--color-glow': oklch(dark, 13),
  }
}

/** @returns the style sheet that changes a page's accent; empty for the default */
export const accentStyles = (accent: Accent): string => (accent === DEFAULT_ACCENT ? '' : accentRules(accent))

/** @returns the style sheet of an accent, which also brings a page back to the default */
export function accentRules(accent: Accent): string {
  const rule = (theme: AccentTheme) =>
    `:root[data-theme=${theme}]{${Object.entries(accentTokens(accent, theme))
      .map((entry) => entry.join(':'))
      .join(';')}}`
  return rule('dark') + rule('light')
}
