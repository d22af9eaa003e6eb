/** What the store tells people about, to whom and by which channels. Imports nothing, so that any page can read it. */
import type { AdminRole } from './endpoint.ts'

export const CHANNELS = ['email', 'telegram', 'push'] as const
export type Channel = (typeof CHANNELS)[number]

interface Kind {
  /** In the words of the settings. */
  label: string
  /** Buyers, or the admins of these roles. Owners get every message that admins get. */
  to: 'buyer' | readonly AdminRole[]
  /** Channels that can carry it. */
  channels: readonly Channel[]
  /** The channels that are on until a person chooses; all channels when absent. */
  byDefault?: readonly Channel[]
  /** Answers what the person asked for, or guards an account or the store, so there is nothing to choose. */
  isAnswer?: true
  /** Waits for the morning when it happens from 22:00 to 08:00 in India. */
  isQuiet?: true
}

const ADMINS = { channels: ['push', 'telegram'] } as const
const BUYERS = { to: 'buyer', channels: ['push', 'email'] } as const
const REMINDER = { ...BUYERS, byDefault: ['push'] } as const
const ANSWER = { to: 'buyer', channels: ['email'], isAnswer: true } as const

const MESSAGE_KINDS = {
  'topup.requested': { label: 'New top-up request', to: ['payments'], ...ADMINS },
  'payment.claimed-twice': { label: 'Payment submitted twice', to: ['payments'], ...ADMINS },
  'topup.approved': { label: 'Top-up approved', ...BUYERS },
  'topup.rejected': { label: 'Top-up rejected', ...BUYERS },
  'key.ending': { label: 'Key expires soon', ...REMINDER },
  'credit.lapsing': { label: 'Wallet balance expires soon', ...REMINDER },
  'stock.back': { label: 'Back in stock', ...BUYERS },
  'waiting.bought': { label: 'Auto-buy', ...BUYERS },
  'fetch.ended': { label: 'Ordered key didn’t come', ...BUYERS },
  'wish.ended': { label: 'Purchase not made', ...BUYERS },
  'renewal.due': { label: 'Key renews tomorrow', ...BUYERS, isAnswer: true },
  'renewal.held': { label: 'Key not renewed yet', ...BUYERS, isAnswer: true },
  'group.changed': { label: 'Group prices', isQuiet: true, ...REMINDER },
  'invite.earned': { label: 'Invited friend counted', ...REMINDER },
  'claim.answered': { label: 'Answer to your report', ...BUYERS },
  'key.recalled': { label: 'Key taken back by the store', ...BUYERS },
  'claim.opened': { label: 'New claim', to: ['support'], ...ADMINS },
  'claim.due': { label: 'Claim due soon', to: ['support'], ...ADMINS },
  'stock.low': { label: 'Low stock', to: ['stock'], isQuiet: true, ...ADMINS },
  'stock.out': { label: 'Out of stock', to: ['stock'], isQuiet: true, ...ADMINS },
  'supply.trouble': { label: 'Trouble with a supplier', to: ['stock'], isQuiet: true, ...ADMINS },
  'sale.placed': { label: 'New sale', to: [], ...ADMINS, byDefault: [] },
  'day.summary': { label: 'Summary of the day', to: [], ...ADMINS },
  'books.turnover': { label: 'Sales of the year', to: [], isQuiet: true, ...ADMINS },
  'telegram.ending': {
    label: 'Telegram link ends soon',
    to: ['payments', 'stock', 'support'],
    isQuiet: true,
    ...ADMINS,
  },
  'bank.alarm': { label: 'Bank alarm', to: ['payments'], ...ADMINS },
  'bank.automation-off': { label: 'Automatic approval off', to: ['payments'], ...ADMINS },
  'bank.phone-silent': { label: 'Silent phone', to: ['payments'], ...ADMINS },
  'account.proof': { label: 'Confirm email', ...ANSWER },
  'account.reset': { label: 'Password reset link', ...ANSWER },
  'account.new-device': { label: 'New device', ...ANSWER },
  'account.password-changed': { label: 'Password changed', ...ANSWER },
  'account.token': { label: 'New token', ...ANSWER },
  'admin.security': { label: 'Security', to: [], channels: CHANNELS, isAnswer: true },
  'health.red': { label: 'Store has a problem', to: [], ...ADMINS },
  'health.warning': { label: 'Store health warning', to: [], ...ADMINS },
  'health.green': { label: 'Store healthy again', to: [], ...ADMINS },
} as const satisfies Record<string, Kind>

export type MessageKind = keyof typeof MESSAGE_KINDS
export const KIND_NAMES = Object.keys(MESSAGE_KINDS) as [MessageKind, ...MessageKind[]]
const KINDS: Record<MessageKind, Kind> = MESSAGE_KINDS
export const kindOf = (name: MessageKind): Kind => KINDS[name]

/** True if this channel carries it to people who chose nothing. */
export function isByDefault(name: MessageKind, channel: Channel): boolean {
  const { channels, byDefault = channels } = KINDS[name]
  return byDefault.includes(channel)
}

/** True if an admin of this role gets it. */
export function isTold(name: MessageKind, role: AdminRole): boolean {
  const { to } = KINDS[name]
  return to !== 'buyer' && (role === 'owner' || to.includes(role))
}
