/** What is said of friends whom a buyer invited (server/referrals/invites/). It names none of them. */
import { formatPaise } from '../../../contract/money.ts'
import { momentIn } from './reminder-words.ts'
import type { Tell } from './wording.ts'

const tellEarned: Tell = ({ kind, data, goneAfter }, { now, language, t }) =>
  Promise.resolve(
    !goneAfter || goneAfter <= now
      ? { gone: 'It has expired' }
      : {
          title: t('{amount} for inviting a friend', { amount: formatPaise(Number(data['amount'])) }),
          body: t('It is in your wallet. Use it till {date}.', { date: momentIn(language, goneAfter, now) }),
          path: '/account',
          tag: kind,
        },
  )

export const inviteWords = { 'invite.earned': tellEarned }
