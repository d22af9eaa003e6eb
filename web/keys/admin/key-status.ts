import type { AdminKey } from '../../../contract/keys.ts'
import { t } from '../../platform/i18n.ts'

export type KeyStatus = AdminKey['status']

/** In the order of the list, from keys in stock to expired ones. */
export const KEY_STATUSES: readonly KeyStatus[] = ['available', 'assigned', 'expired']

export const STATUS_TONES = { available: 'ok', assigned: 'info', expired: 'neutral' } as const

export function statusText(status: KeyStatus): string {
  return { available: t('Available'), assigned: t('Assigned'), expired: t('Expired') }[status]
}
