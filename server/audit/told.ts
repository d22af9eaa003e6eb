/**
 * Which changes send a message to every owner, right away and by every channel that is on. They are those by which a
 * thief in the house takes money, keys or an account, or stays in. Each of the others has its reason. A missing one
 * does not compile. Changes that should have had a proof and passed without one send one message a day (audit.ts).
 */
import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '../../contract/audit.ts'

interface Made {
  /** Without an admin it is the store itself. */
  by: { admin: object | null }
  before?: unknown
  after?: unknown
}
type Told = true | ((made: Made) => boolean) | { not: string }

const has = (value: unknown, ...names: string[]): boolean =>
  names.some((name) => (value as Record<string, unknown> | undefined)?.[name] !== undefined)
const is = (value: unknown, name: string): boolean => (value as Record<string, unknown> | undefined)?.[name] === true

const COUNTED = { not: 'What it gives counts for the day’s sum, above which a proof is asked for' }
const PRICED = { not: 'A cheaper price and new addresses ask for a proof, and every buyer sees them' }
const GROUPED = { not: 'A cheaper price asks for a proof, and the buyers of the group see it' }
const SEEN = { not: 'Buyers see it right away, and new words ask for a proof' }
const LESS = { not: 'It takes something away and gives nobody anything' }
const LISTS = { not: 'It holds no key, and who may make it can read the same lists' }

/** The store's settings that a thief would relax, or that lead buyers elsewhere. */
const RULES = ['supportUrl', 'merchantVpa', 'topupValidityDays', 'secondFactorRequired', 'stepUpAbove', 'carefulAbove']

export const TOLD: Readonly<Record<AuditAction, Told>> = {
  'admin.change-password': true,
  'admin.confirm-change': true,
  'admin.create': true,
  'admin.disable-second-factor': true,
  'admin.end-session': LESS,
  'admin.enrol-second-factor': true,
  'admin.login': ({ after }) => is(after, 'newDevice'),
  'admin.login-refused': { not: 'Any stranger can cause it, and a flood of it would hide the rest' },
  'admin.renew-recovery-codes': true,
  'admin.update': true,
  'audit.export': LISTS,
  'backup.download': true,
  'bank.add-account': true,
  'bank.add-sender': true,
  'bank.change-account': true,
  'bank.change-phone': ({ before, after }) => is(before, 'paused') && !is(after, 'paused'),
  'bank.close-alarm': { not: 'The alarm itself sent a message' },
  'bank.connect-phone': true,
  'bank.end-sender': LESS,
  'bank.forget-wording': LESS,
  'bank.import': { not: 'It approves by the rules, and a change of the rules sends a message' },
  'bank.invite-phone': true,
  'bank.learn-wording': true,
  // When the store turns the rules off itself, there is a message of its own
  'bank.rules': ({ by }) => by.admin !== null,
  'bank.set-aside': LESS,
  'bank.take-up': COUNTED,
  'claim.refund': COUNTED,
  'claim.reject': LESS,
  'claim.replace': COUNTED,
  'codes.create': COUNTED,
  'codes.end': LESS,
  'group.remove': LESS,
  'group.save': GROUPED,
  'invite.take-back': LESS,
  'invite.terms': { not: 'More asks for a proof, and the month’s budget bounds it' },
  'key.edit': { not: 'A sold key can’t be edited' },
  'key.remove': LESS,
  'keys.add': { not: 'It brings keys in and takes none out' },
  'keys.edit-batch': { not: 'It changes notes and ends, and shows no key' },
  'keys.export': true,
  'keys.exported': { not: 'Its beginning sent a message' },
  'keys.recall': LESS,
  'keys.remove-all': true,
  'keys.undo-batch': LESS,
  'keys.warranty': true,
  // To turn a channel on tells more, not less
  'messages.channel': ({ before, after }) => is(before, 'isOn') && !isDeepStrictEqual(before, after),
  'messages.end-phone': true,
  'messages.link': true,
  'messages.renew': { not: 'The chat goes on, and its link sent a message' },
  'messages.unlink': true,
  'payment.approve': COUNTED,
  'payment.export': LISTS,
  'payment.held': LESS,
  'payment.proof': { not: 'It shows one payment and the ends of its keys' },
  'payment.proof-keys': true,
  'payment.reject': LESS,
  'payment.released': { not: 'It moves no money, and ends only a block that came with its mark' },
  'payment.remove': LESS,
  'payment.take-back': LESS,
  'plan.create': COUNTED,
  'plan.remove': LESS,
  'plan.update': COUNTED,
  'product.create': PRICED,
  'product.picture': SEEN,
  'product.remove': LESS,
  'product.reorder': SEEN,
  'product.reprice': PRICED,
  'product.restore': PRICED,
  'product.update': PRICED,
  'purchases.export': LISTS,
  'referral.create': COUNTED,
  'referral.remove': LESS,
  'referral.update': COUNTED,
  'secrets.rotate': true,
  'settings.face': SEEN,
  'settings.guide': { not: 'It marks a step of the guide' },
  'settings.invites': { not: 'More asks for a proof, and the month’s budget bounds it' },
  'settings.notice': SEEN,
  'settings.picture': SEEN,
  'settings.refresh': { not: 'Pages reload' },
  'settings.site': SEEN,
  'settings.store': ({ after }) => has(after, ...RULES),
  'settings.upi': ({ after }) => has(after, 'upiId', 'payeeName'),
  'settings.waiting': { not: 'It buys for buyers with their own money' },
  'supply.link': true,
  'supply.order': { not: 'The owner’s budget of the day bounds it' },
  'supply.report': { not: 'It asks a supplier about a key that a buyer has claimed' },
  'supply.settle': { not: 'It brings keys in and takes none out' },
  'supply.source': { not: 'The owner’s budget of the day bounds it' },
  'user.block': LESS,
  'user.closed': { not: 'The buyer asked for it' },
  'user.end-session': LESS,
  'user.end-token': LESS,
  'user.remove': LESS,
  'user.group': GROUPED,
  'user.reseller': { not: 'It asks for a proof, and a reseller’s programs spend only the own wallet' },
  'user.reset-link': true,
  'user.token': { not: 'The buyer makes it with the password, and gets a mail' },
  'user.unblock': { not: 'The buyer comes back with the own password and device' },
  'user.unlock-device': true,
  'user.update': COUNTED,
}

export function isTold(action: AuditAction, made: Made): boolean {
  const told = TOLD[action]
  return typeof told === 'function' ? told(made) : told === true
}
