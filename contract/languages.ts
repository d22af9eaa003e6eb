/** The languages of the store, by their own names. Each but English has catalogues in web/words. */
export const LANGUAGES = { en: 'English', hi: 'हिन्दी' } as const

export type Language = keyof typeof LANGUAGES
export const LANGUAGE_CODES = /* @__PURE__ */ Object.keys(LANGUAGES) as [Language, ...Language[]]

const SUFFIXES: Record<Language, string> = { en: '', hi: 'Hi' }

/** Ends the name of a text in another language. */
export const suffixOf = (language: Language): string => SUFFIXES[language]

/** Returns the owner's text in a language, or else in English: `nameHi`, or `name`. */
export function ownText<Name extends string>(
  language: Language,
  texts: { readonly [Each in Name]?: string | undefined },
  name: Name,
): string {
  return (texts as Record<string, string | undefined>)[name + suffixOf(language)] || (texts[name] ?? '')
}

/** Undefined unless the store speaks it. */
export const languageOf = (code: string | undefined): Language | undefined =>
  LANGUAGE_CODES.find((each) => each === code)

/** Names a language to `Intl`, with the digits 0 to 9, as phones and banks in India write amounts. */
export const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`
