/** What the store tells people about, to whom and by which channels. Imports nothing, so that any page can read it. */
import type { AdminRole } from './endpoint.ts'

export const CHANNELS = ['email', 'telegram', 'push'] as const
export type Channel = (typeof CHANNELS)[number]

interface Kind {
  /** In the words of the settings. */
  label: string
  /** Buyers, or the admins of these roles. Owners are told everything that admins are told. */
  to: 'buyer' | readonly AdminRole[]
  /** Channels that can carry it. */
  channels: readonly Channel[]
  /** Those that do until a person chooses. */
  byDefault: readonly Channel[]
  /** Answers what the person asked for or guards the account, so there is nothing to choose. */
  isAnswer?: true
  /** Waits for the morning when it happens from 22:00 to 08:00 in India. */
  isQuiet?: true
}

export const MESSAGE_KINDS = {
  'topup.requested': {
    label: 'New top-up request',
    to: ['payments'],
    channels: ['push', 'telegram'],
    byDefault: ['push', 'telegram'],
  },
  'topup.approved': {
    label: 'Top-up approved',
    to: 'buyer',
    channels: ['push', 'email'],
    byDefault: ['push', 'email'],
  },
  'topup.rejected': {
    label: 'Top-up rejected',
    to: 'buyer',
    channels: ['push', 'email'],
    byDefault: ['push', 'email'],
  },
  'key.ending': {
    label: 'Key ends soon',
    to: 'buyer',
    channels: ['push', 'email'],
    byDefault: ['push'],
  },
  'credit.expiring': {
    label: 'Credit expires soon',
    to: 'buyer',
    channels: ['push', 'email'],
    byDefault: ['push'],
  },
  'stock.back': {
    label: 'Back in stock',
    to: 'buyer',
    channels: ['push', 'email'],
    byDefault: ['push', 'email'],
  },
  'waiting.bought': {
    label: 'Bought for you',
    to: 'buyer',
    channels: ['push', 'email'],
    byDefault: ['push', 'email'],
  },
  'stock.low': {
    label: 'Low in stock',
    to: ['stock'],
    channels: ['push', 'telegram'],
    byDefault: ['push', 'telegram'],
    isQuiet: true,
  },
  'stock.out': {
    label: 'Out of stock',
    to: ['stock'],
    channels: ['push', 'telegram'],
    byDefault: ['push', 'telegram'],
    isQuiet: true,
  },
  'account.proof': {
    label: 'Confirm email',
    to: 'buyer',
    channels: ['email'],
    byDefault: ['email'],
    isAnswer: true,
  },
  'account.reset': {
    label: 'New password',
    to: 'buyer',
    channels: ['email'],
    byDefault: ['email'],
    isAnswer: true,
  },
  'account.new-device': {
    label: 'New device',
    to: 'buyer',
    channels: ['email'],
    byDefault: ['email'],
    isAnswer: true,
  },
  'account.password-changed': {
    label: 'Password changed',
    to: 'buyer',
    channels: ['email'],
    byDefault: ['email'],
    isAnswer: true,
  },
  'health.red': {
    label: 'Store needs a look',
    to: [],
    channels: ['push', 'telegram'],
    byDefault: ['push', 'telegram'],
  },
  'health.green': {
    label: 'Store healthy again',
    to: [],
    channels: ['push', 'telegram'],
    byDefault: ['push', 'telegram'],
  },
} as const satisfies Record<string, Kind>

export type MessageKind = keyof typeof MESSAGE_KINDS
export const KIND_NAMES = Object.keys(MESSAGE_KINDS) as [MessageKind, ...MessageKind[]]
const KINDS: Record<MessageKind, Kind> = MESSAGE_KINDS
export const kindOf = (name: MessageKind): Kind => KINDS[name]

/** True if an admin of this role is told. */
export function isTold(name: MessageKind, role: AdminRole): boolean {
  const { to } = KINDS[name]
  return to !== 'buyer' && (role === 'owner' || to.includes(role))
}
