/** Messages that say the same to every buyer. */
import type { Said, Translate } from '../../../contract/words.ts'
import { toContactSupport } from '../../users/support-words.ts'
import type { Tell, Words } from './wording.ts'

/** @param said gets the end of a sentence that tells how to reach the store, as `help` */
const plain =
  (said: (t: Translate, help: Said) => Omit<Words, 'tag'>): Tell =>
  async ({ kind }, { db, t }) => ({ ...said(t, await toContactSupport(db)), tag: kind.split('.')[0] ?? kind })

export const plainWords = {
  'account.new-device': plain((t, help) => ({
    title: t('A new device logged in to your account'),
    body: t('If it was you, you can ignore this message. If it wasn’t you, change your password now and {help}', {
      help,
    }),
    path: '/account#password',
  })),
  'account.password-changed': plain((t, help) => ({
    title: t('Your password was changed'),
    body: t('If it was you, you can ignore this message. If it wasn’t you, change your password now and {help}', {
      help,
    }),
    path: '/forgot-password',
  })),
} satisfies Record<string, Tell>
