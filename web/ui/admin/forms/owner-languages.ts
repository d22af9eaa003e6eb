import { LANGUAGES, suffixOf } from '../../../../contract/languages.ts'
import { OTHER_LANGUAGES as CODES } from '../../../../contract/owner-texts.ts'

/** The languages in which an owner may write, besides English. `nameHi` is `name` with the suffix of Hindi. */
export const OTHER_LANGUAGES = CODES.map((code) => ({ code, language: LANGUAGES[code], suffix: suffixOf(code) }))
