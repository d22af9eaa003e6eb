/**
 * What opens something for longer than the session in which it was made. A new password ends all of it that belongs to
 * the person, except in the browser at hand. What belongs to the store stays: the panel lists it, and a message goes
 * out when it is made.
 */
import { endPairingsOf } from '../bank/phones/devices.ts'
import { endPhones } from '../messages/channels/push.ts'
import { endTelegramLinks } from '../messages/telegram/telegram-links.ts'
import type { Transaction } from '../platform/database/database.ts'
import { consumeLinksMadeBy, consumeResetLinks } from '../users/access/reset-links.ts'
import { endTokens } from '../users/access/tokens.ts'
import { endUserSessions } from '../users/access/user-sessions.ts'
import { endOpenAdminSessions } from './admin-sessions.ts'

interface Ending {
  id: string
  now: Date
  /** The browser at hand: its session, and its push address if it has one. */
  kept?: { session: Buffer; phone: string | undefined } | undefined
}

interface Lasting {
  /** The table that holds it. */
  in: string
  of: 'admin' | 'buyer' | 'shop'
  /** What a new password does to it, or why it stays. */
  ends: ((tx: Transaction, ending: Ending) => Promise<unknown>) | { stays: string }
}

export const LASTING: readonly Lasting[] = [
  {
    in: 'admin_sessions',
    of: 'admin',
    ends: (tx, { id, now, kept }) => endOpenAdminSessions(tx, id, now, kept?.session),
  },
  {
    in: 'push_subscriptions',
    of: 'admin',
    ends: (tx, { id, now, kept }) => endPhones(tx, { admin: id }, now, kept?.phone),
  },
  { in: 'telegram_links', of: 'admin', ends: (tx, { id, now }) => endTelegramLinks(tx, { adminId: id }, now) },
  { in: 'password_resets', of: 'admin', ends: (tx, { id, now }) => consumeLinksMadeBy(tx, id, now) },
  { in: 'bank_pairings', of: 'admin', ends: (tx, { id, now }) => endPairingsOf(tx, id, now) },
  {
    in: 'admin_recovery_codes',
    of: 'admin',
    ends: { stays: 'They are for two-step verification, and open nothing without the password' },
  },
  {
    in: 'bank_devices',
    of: 'shop',
    ends: {
      stays: 'It is the store’s phone. If it ended, payments would stop. Its pairing sends a message',
    },
  },
  {
    in: 'redeem_codes',
    of: 'shop',
    ends: {
      stays: 'They may be sold already. They count for their maker’s day, and the panel lists and ends them',
    },
  },
  { in: 'user_sessions', of: 'buyer', ends: (tx, { id, now }) => endUserSessions(tx, id, 'password', now) },
  {
    in: 'push_subscriptions',
    of: 'buyer',
    ends: (tx, { id, now, kept }) => endPhones(tx, { user: id }, now, kept?.phone),
  },
  { in: 'api_tokens', of: 'buyer', ends: (tx, { id, now }) => endTokens(tx, id, now) },
  { in: 'password_resets', of: 'buyer', ends: (tx, { id, now }) => consumeResetLinks(tx, id, now) },
  { in: 'email_proofs', of: 'buyer', ends: { stays: 'It proves the address of the account, which nobody can change' } },
  { in: 'users', of: 'buyer', ends: { stays: 'The device lock holds a thief off who has the new password, too' } },
]

/** Ends what lasts of one person, in the transaction of the new password. */
export async function endLasting(tx: Transaction, of: 'admin' | 'buyer', ending: Ending): Promise<void> {
  for (const lasting of LASTING)
    if (lasting.of === of && typeof lasting.ends === 'function') await lasting.ends(tx, ending)
}
