/** Says the server's own texts in each language: what messages and heads of pages say. */
import type { Language } from '../../contract/languages.ts'
import { translator, type Translate } from '../../contract/words.ts'
import hiFetch from '../../web/words/hi-fetch.json' with { type: 'json' }
import hiPanel from '../../web/words/hi-panel.json' with { type: 'json' }
import hiSupply from '../../web/words/hi-supply.json' with { type: 'json' }
import hi from '../../web/words/hi.json' with { type: 'json' }

const SPEAKERS: Record<Language, Translate> = {
  en: translator('en'),
  hi: translator('hi', new Map(Object.entries({ ...hi, ...hiFetch, ...hiPanel, ...hiSupply }))),
}

export const wordsIn = (language: Language): Translate => SPEAKERS[language]
