/** Entries of the audit log in words: what was done, to whom, and how it was before. */
import { AUDIT_ACTIONS, type AuditAction } from '../../../contract/audit.ts'
import { middayOf } from '../../../contract/india.ts'
import type { AuditName } from '../../../contract/reports.ts'
import { OTHER_LANGUAGES } from '../../ui/admin/forms/owner-languages.ts'
import { formatDate, formatDateTime } from '../../platform/dates.ts'
import { durationText, t, variantText } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'

/** The people and things of the entries, by id. */
export type Names = Readonly<Record<string, AuditName>>

const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
const DAY = /^\d{4}-\d\d-\d\d$/
const SHORT_ID_LENGTH = 8

/** "payment.approve" → "Top-up approved". An action of a newer version of the store stays as it is written. */
export function actionText(action: string): string {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? t(AUDIT_ACTIONS[action as AuditAction]) : action
}

interface Subject {
  /** The name that it had at the time of the entry. */
  text: string
  id: string | undefined
}

/** "diya (0199c1f0-…)" → its name and its id. */
export function subjectOf(subject: string): Subject {
  const [, text, id] = /^(.*) \(([\da-f-]{36})\)$/s.exec(subject) ?? []
  return text !== undefined && id !== undefined && ID.test(id) ? { text, id } : { text: subject, id: undefined }
}

export function shortId(id: string): string {
  // The beginning of an id is its moment, which neighbours share; the end tells them apart
  return `…${id.slice(-SHORT_ID_LENGTH)}`
}

export interface Change {
  field: string
  /** Undefined where there was nothing, or is nothing any more. */
  before: string | undefined
  after: string | undefined
}

/** The fields that differ, in the order of writing. Of lists only what came and went. */
export function changesOf(before: unknown, after: unknown, names: Names = {}): Change[] {
  const from = fieldsOf(before)
  const to = fieldsOf(after)
  const fields = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...fields].flatMap((field) => {
    if (JSON.stringify(from[field]) === JSON.stringify(to[field])) return []
    const isNews = from[field] === undefined || to[field] === undefined
    if (INNER.has(field) || (isNews && isNothing(field, from[field] ?? to[field]))) return []
    const [was, is] = withoutCommon(from[field], to[field])
    const change = { field: fieldText(field), before: valueText(field, was, names), after: valueText(field, is, names) }
    return change.before === undefined && change.after === undefined ? [] : [change]
  })
}

/** How the store has read a file. Its entry names the bank, and the export has all. */
const INNER = new Set(['balances', 'layout', 'source'])

/** "Alarms 0", "Sold No": what is new says only what it has. What is usual is said where it is not so. */
const isNothing = (field: string, value: unknown): boolean =>
  value === 0 || (value === false && !/^is[A-Z]/.test(field))

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value }
  return { list: value }
}

/** Drops what two lists or tables share. Lists that differ only in order stay whole. */
function withoutCommon(was: unknown, is: unknown): [unknown, unknown] {
  const without = (these: unknown, those: unknown): unknown => {
    if (Array.isArray(these) && Array.isArray(those)) {
      const texts = new Set(those.map((item) => JSON.stringify(item)))
      return these.filter((item) => !texts.has(JSON.stringify(item)))
    }
    const other = fieldsOf(those)
    return Object.fromEntries(
      Object.entries(fieldsOf(these)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])),
    )
  }
  const isBoth = typeof was === 'object' && typeof is === 'object' && was !== null && is !== null
  if (!isBoth || Array.isArray(was) !== Array.isArray(is)) return [was, is]
  const [gone, come] = [without(was, is), without(is, was)]
  return Array.isArray(gone) && Array.isArray(come) && gone.length + come.length === 0 ? [was, is] : [gone, come]
}

const FIELDS: Record<string, () => string> = {
  list: () => t('Display order'),
  added: () => t('Keys added'),
  alarms: () => t('Bank alarms'),
  asked: () => t('Amount entered by the buyer'),
  autoBuy: () => t('Auto-buy for waiting buyers'),
  batchId: () => t('Batch'),
  change: () => t('Wallet changes'),
  codeUntil: () => t('Valid till'),
  count: () => t('How many'),
  creditDays: () => t('Days to spend it'),
  used: () => t('Used'),
  bonus: () => t('Wallet credit'),
  costPerKey: () => t('Cost per key'),
  covers: () => t('Statement'),
  credits: () => t('Payments'),
  customPrices: () => t('Custom prices'),
  decide: () => t('Approve and reject in Telegram'),
  decidePerDay: () => t('Limit in Telegram per day'),
  decideUpTo: () => t('Limit in Telegram per request'),
  disabledAt: () => t('Disabled on'),
  downloadUrl: () => t('Download link'),
  entry: () => t('Entry'),
  expiresAt: () => t('Expires'),
  expiresInDays: () => t('Valid for (days)'),
  feedsStore: () => t('Buyers pay into it'),
  from: () => t('Sender address'),
  fromSpent: () => t('Joins from'),
  group: () => t('Buyer group'),
  host: () => t('Mail server'),
  budget: () => t('All in a month (₹)'),
  days: () => t('Credit lasts (days)'),
  friendGets: () => t('Friend gets (₹)'),
  minimum: () => t('First payment from (₹)'),
  monthMax: () => t('One inviter a month (₹)'),
  reward: () => t('Inviter gets (₹)'),
  heroLine: () => t('Headline'),
  hot: () => t('HOT SALE'),
  instructions: () => t('How to activate'),
  isActive: () => t('Active'),
  isListed: () => t('Listed'),
  isOn: () => t('On'),
  label: () => t('Label'),
  leadDays: () => t('Your supplier takes (days)'),
  lockedAt: () => t('Device locked'),
  lost: () => t('Lost to the store'),
  lowStockBelow: () => t('Alert below'),
  merchantVpa: () => t('Verified merchant'),
  mode: () => t('Approved automatically'),
  new: () => t('New credits'),
  newDevice: () => t('New device'),
  offWhy: () => t('Turned off because'),
  orderId: () => t('Purchase'),
  members: () => t('Buyers'),
  perBuyer: () => t('Per buyer'),
  percentOff: () => t('Off the list price (%)'),
  perBuyerDay: () => t('Limit per buyer per day'),
  perDay: () => t('Limit per day'),
  perRequest: () => t('Limit per request'),
  productId: () => t('Product'),
  remindDays: () => t('Remind buyers before a key ends'),
  refundFee: () => t('Service fee'),
  refundNote: () => t('Your own refund rules'),
  rule: () => t('Refund'),
  secondFactor: () => t('Two-step verification'),
  secondFactorRequired: () => t('Two-step verification required'),
  stepUpAbove: () => t('Confirm wallet changes above'),
  carefulAbove: () => t('Large from'),
  turnoverLine: () => t('Line of the year’s sales'),
  supportUrl: () => t('Support link'),
  tail: () => t('Account ends in'),
  steps: () => t('Cheaper from a quantity'),
  taken: () => t('Taken'),
  today: () => t('Approved automatically today'),
  topupMax: () => t('Maximum top-up'),
  topupValidityDays: () => t('Top-up validity (days)'),
  trial: () => t('Trial: one per person'),
  trusts: () => t('Trusted'),
  unproven: () => t('Not in a statement yet'),
  unprovenMax: () => t('Limit without a statement'),
  upiId: () => t('UPI ID'),
  payeeName: () => t('Name in UPI apps'),
  user: () => t('Username'),
  utr: () => t('UTR'),
  withoutProof: () => t('Done without “Confirm it’s you”'),
}

/** "rewardAmount" → "Reward amount" */
function fieldText(field: string): string {
  const other = OTHER_LANGUAGES.find(({ suffix }) => field.endsWith(suffix))
  if (other)
    return t('{label} in {language}', {
      label: fieldText(field.slice(0, -other.suffix.length)),
      language: other.language,
    })
  const words = field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return FIELDS[field]?.() ?? t(words.charAt(0).toUpperCase() + words.slice(1))
}

/** In rupees, as on the wire. */
const MONEY = new Set(
  (
    'amount asked balance bonus budget carefulAbove change costPerKey credited decidePerDay decideUpTo ' +
    'friendGets fromSpent heldInWallets loss lost minimum monthMax perBuyerDay perDay perRequest price ' +
    'refundFee reward rewardAmount stepUpAbove taken today topupMax turnoverLine unitPrice unproven ' +
    'unprovenMax'
  ).split(' '),
)

/** Choices of settings, in the words of their screens. */
const CHOICES: Record<string, Record<string, () => string>> = {
  mode: {
    propose: () => t('Nothing'),
    'auto-known': () => t('Buyers with a confirmed payment'),
    auto: () => t('All buyers'),
  },
  utr: { free: () => t('Free for the right buyer'), 'never-came': () => t('The money never came') },
  trusts: { statement: () => t('Statements'), phone: () => t('Statements and alerts') },
}

function valueText(field: string, value: unknown, names: Names): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  // A port is a name and no count
  if (field === 'port' && typeof value === 'number') return String(value)
  if (typeof value === 'number') return MONEY.has(field) ? formatRupees(value) : formatCount(value)
  if (typeof value === 'string') {
    const choice = CHOICES[field]?.[value]
    if (choice) return choice()
    if (field === 'status' || field === 'role') return t(value)
    if (ID.test(value)) return nameText(names[value]) ?? shortId(value)
    if (DAY.test(value)) return formatDate(middayOf(value))
    return MOMENT.test(value) ? formatDateTime(value) : value
  }
  if (Array.isArray(value)) return value.map((item) => valueText(field, item, names)).join(', ') || undefined
  if (field === 'covers') return periodText({ ...value }, names)
  return (field === 'customPrices' ? priceTexts({ ...value }, names) : objectText({ ...value }, names)) || undefined
}

function periodText(period: Record<string, unknown>, names: Names): string {
  const [from = '', to = ''] = [period.from, period.to].map((day) => valueText('', day, names))
  return from === to ? to : t('{from} to {to}', { from, to })
}

const nameText = (known?: AuditName) => (known?.kind === 'price' ? placeText(known.name) : known?.name)

/** A product and a duration as the log has them: "Orbit Arena, 10 Days" */
export const placeText = (place: string): string =>
  place.replace(/^(.*), ([^,]+)$/s, (_, product: string, duration: string) => variantText(product, duration))

/** A buyer's own prices, by product and duration: "Orbit Arena, 10 Days ₹90" */
function priceTexts(prices: Record<string, unknown>, names: Names): string {
  return Object.entries(prices)
    .map(([place, price]) => `${placeText(place)} ${valueText('price', price, names) ?? ''}`)
    .join(', ')
}

/** A price of a product as "10 Days ₹449 · Alert below 5", other things as their fields and values. */
function objectText({ _id, productId, duration, price, ...rest }: Record<string, unknown>, names: Names): string {
  const said = typeof duration === 'string' ? durationText(duration) : duration
  const thing = [productId, said, price].map((value, n) => valueText(n === 2 ? 'price' : '', value, names))
  const head = thing.filter((text) => text !== undefined).join(' ')
  const others = Object.entries(rest).flatMap(([field, value]) => {
    const text = valueText(field, value, names)
    return text === undefined ? [] : [`${fieldText(field)} ${text}`]
  })
  return [head, ...others].filter((text) => text !== '').join(' · ')
}
