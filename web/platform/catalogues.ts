/** Fetches the words of a language. English needs none, so this comes with the pages of other languages. */
import type { Language } from '../../contract/languages.ts'
import { translator, type Catalogue } from '../../contract/words.ts'
import { getLanguage, speak } from './i18n.ts'

const catalogues = import.meta.glob<Catalogue>('../words/*.json', { import: 'default' })
const words = new Map<string, string>()

/** @returns false if the words can't be fetched */
export function startSpeaking(language: Language): Promise<boolean> {
  speak(language, translator(language, words))
  return loadWords()
}

/** @param part of the store, which not everybody visits. @returns false if its words can't be fetched */
export async function loadWords(part = ''): Promise<boolean> {
  try {
    const more = await catalogues[`../words/${getLanguage()}${part}.json`]?.()
    for (const [text, said] of Object.entries(more ?? {})) words.set(text, said)
    return true
  } catch {
    return false
  }
}
