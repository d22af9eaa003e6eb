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
  'account.token': plain((t, help) => ({
    title: t('A new token can use your account'),
    body: t(
      'A program can now look up or buy with your wallet. If you didn’t make this token, end it, change your ' +
        'password and {help}',
      { help },
    ),
    path: '/account#api',
  })),
} satisfies Record<string, Tell>
