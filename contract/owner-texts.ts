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

/** As a table keeps them. `outdated` holds those of an English text that has changed since, which no buyer gets. */
export type KeptTexts<Name extends string> = OtherTexts<Name> & { outdated?: OtherTexts<Name> | undefined }

/**
 * What is kept after a change. A translation belongs to the text that it translates: it is emptied with it, and out of
 * date when it changes, unless another one comes with the change.
 * @param given the fields of the form; an absent one stays
 */
export function keepTexts<Name extends string>(
  names: readonly Name[],
  before: KeptTexts<NoInfer<Name>>,
  given: OtherTexts<NoInfer<Name>>,
): KeptTexts<Name> {
  const kept: Record<string, string | undefined> = {}
  const outdated: Record<string, string | undefined> = {}
  const [texts, form] = [before, given] as Readonly<Record<string, string | undefined>>[]
  for (const name of names)
    for (const each of namesInOthers(name)) {
      const [had, old, wanted, english] = [texts?.[each], before.outdated?.[each], form?.[each], form?.[name]]
      if (wanted !== undefined && wanted !== (had ?? '')) kept[each] = wanted
      else if (english === '') continue
      else if (had && english !== undefined && english !== (texts?.[name] ?? '')) outdated[each] = had
      else [kept[each], outdated[each]] = [had, old]
    }
  const old = textsInOthers(outdated as OtherTexts<Name>, names)
  return {
    ...textsInOthers(kept as OtherTexts<Name>, names),
    ...(Object.keys(old).length > 0 && { outdated: old }),
  }
}
