import { LANGUAGE_CODES, LANGUAGES, suffixOf } from '../../../../contract/languages.ts'

/** The languages in which an owner may write, besides English. `nameHi` is `name` with the suffix of Hindi. */
export const OTHER_LANGUAGES = LANGUAGE_CODES.filter((code) => code !== 'en').map((code) => ({
  code,
  language: LANGUAGES[code],
  suffix: suffixOf(code),
}))
