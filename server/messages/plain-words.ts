/** Messages that say the same to everybody. */
import type { OutboxMessage } from '../platform/outbox.ts'

interface Told {
  title: string
  body: string
  path: string
}

const PANEL = '/admin/dashboard'
const NOT_YOU = 'If it wasn’t you, choose a new password now and write to the seller.'

const PLAIN = {
  'account.new-device': {
    title: 'A new device logged in to your account',
    body: `If it was you, you can ignore this message. ${NOT_YOU}`,
    path: '/account',
  },
  'account.password-changed': {
    title: 'Your password was changed',
    body: `If it was you, you can ignore this message. ${NOT_YOU}`,
    path: '/forgot-password',
  },
  'health.red': {
    title: 'Your store has a problem',
    body: 'A check failed. Open Store health to see what to do.',
    path: PANEL,
  },
  'health.green': { title: 'Your store is healthy again', body: 'All checks pass.', path: PANEL },
} as const satisfies Record<string, Told>

export type PlainKind = keyof typeof PLAIN

/** @returns undefined for a kind whose words depend on what it tells of */
export function plainWords({ kind }: Pick<OutboxMessage, 'kind'>): (Told & { tag: string }) | undefined {
  return kind in PLAIN ? { ...PLAIN[kind as PlainKind], tag: kind.split('.')[0] ?? kind } : undefined
}
