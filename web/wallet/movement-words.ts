import type { HistoryEntry, MovementKind } from '../../contract/wallet.ts'
import { formatDate } from '../platform/dates.ts'
import { durationText, t } from '../platform/i18n.ts'

const KINDS: Record<MovementKind, () => string> = {
  topup: () => t('Wallet top-up'),
  admin_credit: () => t('Added by the store'),
  refund: () => t('Refund'),
  deduction_lapsed: () => t('Deduction reversed'),
  referral_reward: () => t('Referral reward'),
  purchase: () => t('Purchase'),
  admin_debit: () => t('Deducted by the store'),
  expiry: () => t('Balance expired'),
  reversal: () => t('Top-up reversed'),
}

interface Words {
  title: string
  /** Further details, in short pieces. */
  details: string[]
}

/** Describes a transaction in plain words. A purchase is named after its product. */
export function movementWords(entry: HistoryEntry, now: number): Words {
  const { kind, description, referralCode, expiresAt } = entry
  const kindText = KINDS[kind]()
  const details: string[] = []
  if (kind === 'purchase') {
    // "2 × Drift Zero (1 Month)", as the store writes it.
    const [, what = description, duration] = /^(.+) \(([^()]+)\)$/.exec(description) ?? []
    return { title: what || kindText, details: duration ? [kindText, durationText(duration)] : [kindText] }
  }
  if (kind === 'refund') {
    // "Refund: Drift Zero (1 Month), C-1042", as the store writes it
    const [, what, duration, claim] = /^Refund: (.+) \(([^()]+)\), (C-\d+)$/.exec(description) ?? []
    if (what && duration && claim) details.push(what, durationText(duration), claim)
    else details.push(description)
  } else if (kind === 'referral_reward' && referralCode !== 'N/A')
    details.push(t('Code {code}', { code: referralCode }))
  else if (description && t(description).trim().toLocaleLowerCase() !== kindText.toLocaleLowerCase())
    details.push(saidBefore(description))
  if (expiresAt && Date.parse(expiresAt) > now) {
    const date = formatDate(expiresAt)
    details.push(kind === 'admin_debit' ? t('Returns to wallet on {date}', { date }) : t('Use by {date}', { date }))
  }
  return { title: kindText, details }
}

/** Says the store's own words. What an admin wrote behind them stays as it is. */
function saidBefore(description: string): string {
  const [, credit, amount] = /^Wallet top-up: offer (₹[\d,.]+) for (₹[\d,.]+)$/.exec(description) ?? []
  if (credit && amount) return t('Wallet top-up: offer {credit} for {amount}', { credit, amount })
  const [own = '', ...written] = t(description).split(': ')
  return [t(own), ...written].join(': ')
}
