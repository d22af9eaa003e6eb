/** Says every text of a page in its language (contract/words.ts). */
import { localeOf, ownText, type Language } from '../../contract/languages.ts'
import { sayDuration } from '../../contract/duration-words.ts'
import { translator, type Translate } from '../../contract/words.ts'

let language: Language = 'en'
let say = translator(language)

/** Returns the text in the reader's language. */
export const t: Translate = (text, values) => say(text, values)

export const getLanguage = (): Language => language
/** Keeps a value on one line, but for a break after a comma. For screens: files and shared texts have plain spaces. */
export const unbroken = (value: string): string => value.replaceAll(/([^,]) /g, '$1\u00A0')

/** Returns "10 Days" in the reader's language, for screens. */
export const durationText = (duration: string): string => unbroken(sayDuration(t, duration))

/** Returns "Orbit Arena Pro, 10 Days" in the reader's language. */
export const variantText = (product: string, duration: string): string =>
  t('{product}, {duration}', { product, duration: durationText(duration) })

/** Returns the owner's text in the reader's language: `own(product, 'name')`. */
export const own = <Name extends string>(texts: { readonly [Each in Name]?: string | undefined }, name: Name): string =>
  ownText(language, texts, name)

/** Names the language to `Intl`. */
export const locale = (): string => localeOf(language)

/** Sets the language, in the browser once and on the server for each drawing. */
export function speak(next: Language, how: Translate): void {
  language = next
  say = how
}

/** Takes the language that the server wrote the page in. @returns false if its words can't be fetched */
export async function startLanguage(): Promise<boolean> {
  const { lang } = document.documentElement
  if (lang === language) return true
  try {
    const { speaker } = await import('./catalogues.ts')
    speak(lang as Language, await speaker(lang as Language))
    return true
  } catch {
    return false
  }
}
