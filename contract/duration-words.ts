import type { Translate } from './words.ts'

/** Says a duration, which owners write in English: "10 Days" by the text "{count} Days". */
export const sayDuration = (t: Translate, duration: string): string =>
  t(duration.replace(/^\d+/, '{count}'), { count: Number.parseInt(duration, 10) })
