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
}

export type Speaker = Pick<Services, 'db' | 'sealer'> & { now: Date }

/** Says a message of one kind, or why nobody needs it any more. */
export type Tell = (message: OutboxMessage, by: Speaker) => Promise<Words | { gone: string }>
