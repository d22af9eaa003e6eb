/** The eight accent colours of a store. A test holds the contrast of each, in both themes. */

/** Lightness, chroma and hue, as in CSS `oklch()`. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number]

/** The colour of links and buttons on dark ground, and of links on light ground. */
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

/** Writes a colour as CSS does. */
export const oklch = ([lightness, chroma, hue]: Oklch, percent?: number): string =>
  `oklch(${lightness} ${chroma} ${hue}${percent === undefined ? '' : ` / ${percent}%`})`

const rounded = (part: number) => Math.round(part * 100) / 100

/** @returns the custom properties that an accent sets, with their values */
export function accentTokens(accent: Accent, theme: AccentTheme): Record<string, string> {
  const { dark, light } = ACCENTS[accent]
  const [lightness, chroma, hue] = dark
  if (theme === 'light') {
    return {
      '--color-brand': oklch(light),
      '--color-brand-bg': oklch(dark, 35),
      '--color-brand-line': oklch([0.6, 0.15, light[2]], 45),
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
    '--color-glow': oklch(dark, 13),
  }
}

/** @returns the style sheet that changes a page's accent; empty for the default */
export function accentStyles(accent: Accent): string {
  if (accent === DEFAULT_ACCENT) return ''
  const rule = (theme: AccentTheme) =>
    `:root[data-theme=${theme}]{${Object.entries(accentTokens(accent, theme))
      .map((entry) => entry.join(':'))
      .join(';')}}`
  return rule('dark') + rule('light')
}
