import { REPORTED_REASONS } from '../../contract/claim-reasons.ts'
import type { ClaimReason, ClaimStatus } from '../../contract/claims.ts'
import { t } from '../platform/i18n.ts'

export const REASONS = REPORTED_REASONS

const REASON_TEXTS: Record<ClaimReason, () => string> = {
  'never-worked': () => t('Never worked'),
  'already-used': () => t('Already used'),
  stopped: () => t('Stopped working'),
  'wrong-product': () => t('Wrong product'),
  other: () => t('Something else'),
  recalled: () => t('Recalled'),
}
export const reasonText = (reason: ClaimReason): string => REASON_TEXTS[reason]()

const STATUS_TEXTS: Record<ClaimStatus, () => string> = {
  open: () => t('Open'),
  replaced: () => t('Replaced'),
  refunded: () => t('Refunded'),
  rejected: () => t('Rejected'),
  withdrawn: () => t('Withdrawn'),
}
export const statusText = (status: ClaimStatus): string => STATUS_TEXTS[status]()

export const STATUS_TONES = {
  open: 'warn',
  replaced: 'ok',
  refunded: 'ok',
  rejected: 'bad',
  withdrawn: 'neutral',
} as const satisfies Record<ClaimStatus, string>
