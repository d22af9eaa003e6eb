/** Fetches the words of a language. English needs none, so this comes with the pages of other languages. */
import { LANGUAGE_CODES, type Language } from '../../contract/languages.ts'
import { translator, type Catalogue, type Translate } from '../../contract/words.ts'

const catalogues = import.meta.glob<Catalogue>('../words/*.json', { import: 'default' })
const words = new Map<string, string>()
let spoken: Language = 'en'

/** @throws TypeError if the words can't be fetched */
export async function speaker(language: Language): Promise<Translate> {
  spoken = language
  await loadWords()
  return translator(language, words)
}

/** Speaks each language but the page's. @throws TypeError if the words can't be fetched */
export function otherSpeakers(): Promise<(readonly [Language, Translate])[]> {
  const others = LANGUAGE_CODES.filter((code) => code !== spoken)
  return Promise.all(
    others.map(async (code) => {
      const said = await catalogues[`../words/${code}.json`]?.()
      return [code, translator(code, new Map(Object.entries(said ?? {})))] as const
    }),
  )
}

/** @param part of the store, which not everybody visits. @throws TypeError if its words can't be fetched */
export async function loadWords(part = ''): Promise<void> {
  const more = await catalogues[`../words/${spoken}${part}.json`]?.()
  for (const [text, said] of Object.entries(more ?? {})) words.set(text, said)
}
