/** Messages that say the same to everybody. */
import type { Queries } from '../../platform/database/database.ts'
import type { OutboxMessage } from '../../platform/outbox.ts'
import { toContactSupport } from '../../users/support-words.ts'

interface Told {
  title: string
  body: string
  path: string
}

const PANEL = '/admin/dashboard'

const PLAIN = {
  'account.new-device': {
    title: 'A new device logged in to your account',
    body: 'If it was you, you can ignore this message. If it wasn’t you, change your password now and {help}',
    path: '/account',
  },
  'account.password-changed': {
    title: 'Your password was changed',
    body: 'If it was you, you can ignore this message. If it wasn’t you, change your password now and {help}',
    path: '/forgot-password',
  },
  'health.red': {
    title: 'Your store has a problem',
    body: 'A check failed. Open Store health to see what to do.',
    path: PANEL,
  },
  'health.warning': {
    title: 'Your store has a warning',
    body: 'It may be about your backups. Open Store health to see what to do.',
    path: PANEL,
  },
  'health.green': { title: 'Your store is healthy again', body: 'All checks pass.', path: PANEL },
} as const satisfies Record<string, Told>

export type PlainKind = keyof typeof PLAIN

/** @returns undefined for a kind whose words depend on its event */
export async function plainWords(
  db: Queries,
  { kind }: Pick<OutboxMessage, 'kind'>,
): Promise<(Told & { tag: string }) | undefined> {
  if (!(kind in PLAIN)) return undefined
  const { body, ...words } = PLAIN[kind as PlainKind]
  return { ...words, body: body.replace('{help}', await toContactSupport(db)), tag: kind.split('.')[0] ?? kind }
}
