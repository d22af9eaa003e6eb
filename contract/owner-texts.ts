/** The owner's texts in the store's other languages. `name` is in English, and `nameHi` beside it in Hindi. */
import { LANGUAGE_CODES, suffixOf, type Language } from './languages.ts'

/** The owner writes in English first. */
type OtherLanguage = Exclude<Language, 'en'>
export const OTHER_LANGUAGES = LANGUAGE_CODES.filter((each): each is OtherLanguage => each !== 'en')

export type InOthers<Name extends string> = `${Name}${Capitalize<OtherLanguage>}`
export type OtherTexts<Name extends string> = Partial<Record<InOthers<Name>, string | undefined>>

/** `['nameHi']` for `name` */
export const namesInOthers = <Name extends string>(name: Name): InOthers<Name>[] =>
  OTHER_LANGUAGES.map((language) => `${name}${suffixOf(language)}` as InOthers<Name>)

/** Picks a text in the other languages, where it has one. @param as the name that it goes by in the answer */
export function textInOthers<Name extends string, As extends string = Name>(
  kept: OtherTexts<Name>,
  name: Name,
  as = name as string as As,
): OtherTexts<As> {
  const to = namesInOthers(as)
  return Object.fromEntries(
    namesInOthers(name).flatMap((each, at) => (kept[each] ? [[to[at], kept[each]]] : [])),
  ) as OtherTexts<As>
}

/** Picks all of them. */
export const textsInOthers = <Name extends string>(
  kept: OtherTexts<NoInfer<Name>>,
  names: readonly Name[],
): OtherTexts<Name> => Object.assign({}, ...names.map((name) => textInOthers(kept, name))) as OtherTexts<Name>
