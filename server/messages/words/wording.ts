import type { Language } from '../../../contract/languages.ts'
import type { Translate } from '../../../contract/words.ts'
import type { OutboxMessage } from '../../platform/outbox.ts'
import type { Services } from '../../platform/services.ts'

/** What a message says. */
export interface Words {
  title: string
  body: string
  /** A path of the store's own. */
  path: string
  /** A newer message with the same tag replaces this one on a phone. */
  tag: string
  /** The language of title and body. English when absent. */
  lang?: Language
}

export type Speaker = Pick<Services, 'db' | 'sealer'> & {
  now: Date
  /** The reader's language, and what says a text in it. */
  language: Language
  t: Translate
}

/** Says a message of one kind, or why nobody needs it any more. */
export type Tell = (message: OutboxMessage, by: Speaker) => Promise<Words | { gone: string }>
