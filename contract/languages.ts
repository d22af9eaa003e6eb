/** The languages of the store, by their own names. Each but English has catalogues in web/words. */
export const LANGUAGES = { en: 'English', hi: 'हिन्दी' } as const

export type Language = keyof typeof LANGUAGES
export const LANGUAGE_CODES = /* @__PURE__ */ Object.keys(LANGUAGES) as [Language, ...Language[]]

/** The owner writes in English first. */
export type OtherLanguage = Exclude<Language, 'en'>
export const OTHER_LANGUAGES = /* @__PURE__ */ LANGUAGE_CODES.filter((each): each is OtherLanguage => each !== 'en')

/** "Hi" for Hindi. */
export const suffixOf = (language: Language): string =>
  language === 'en' ? '' : language.charAt(0).toUpperCase() + language.slice(1)

/** Undefined unless the store speaks it. */
export const languageOf = (code: string | undefined): Language | undefined =>
  LANGUAGE_CODES.find((each) => each === code)

/** Names a language to `Intl`, with the digits 0 to 9, as phones and banks in India write amounts. */
export const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`
