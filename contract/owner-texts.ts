/** The owner's texts in the store's other languages. `name` is in English, and `nameHi` beside it in Hindi. */
import { OTHER_LANGUAGES, suffixOf, type Language, type OtherLanguage } from './languages.ts'

export type InOthers<Name extends string> = `${Name}${Capitalize<OtherLanguage>}`
export type OtherTexts<Name extends string> = { [Each in InOthers<Name>]?: string | undefined }

/** `['nameHi']` for `name` */
export const namesInOthers = <Name extends string>(name: Name): InOthers<Name>[] =>
  OTHER_LANGUAGES.map((language) => `${name}${suffixOf(language)}` as InOthers<Name>)

/** Returns a text in a language, or else in English. */
export function ownText<Name extends string>(
  language: Language,
  texts: { readonly [Each in Name]?: string | undefined },
  name: Name,
): string {
  return (texts as Record<string, string | undefined>)[name + suffixOf(language)] || (texts[name] ?? '')
}

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
export const textsInOthers = <Name extends string>(kept: OtherTexts<Name>, names: readonly Name[]): OtherTexts<Name> =>
  Object.assign({}, ...names.map((name) => textInOthers(kept, name))) as OtherTexts<Name>
