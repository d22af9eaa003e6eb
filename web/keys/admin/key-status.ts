import { t } from '../../platform/i18n.ts'
import type { KeyStatus } from './key-manager-queries.ts'

export const KEY_STATUSES: readonly KeyStatus[] = ['available', 'assigned', 'expired']

export const STATUS_TONES = { available: 'ok', assigned: 'info', expired: 'neutral' } as const

export function statusText(status: KeyStatus): string {
  return { available: t('Available'), assigned: t('Assigned'), expired: t('Expired') }[status]
}
