import type { AdminKey } from '../../contract/keys.ts'
import { toCsv, toSheetTime } from '../platform/csv.ts'
import { t } from '../platform/i18n.ts'
import { statusText } from './key-status.ts'

/** For a spreadsheet; it can be imported again. */
export function keysToCsv(keys: readonly AdminKey[]): string {
  const head = [
    t('Key'),
    t('Product'),
    t('Duration'),
    t('Status'),
    t('Buyer'),
    t('Email'),
    t('Purchased'),
    t('Expires'),
    t('Added'),
  ]
  const rows = keys.map((row) => [
    row.key,
    row.productId.name,
    row.duration,
    statusText(row.status),
    row.assignedTo?.username ?? '',
    row.assignedTo?.email ?? '',
    toSheetTime(row.assignedAt),
    toSheetTime(row.expiresAt),
    toSheetTime(row.createdAt),
  ])
  return toCsv([head, ...rows])
}

/** "Orbit Arena Pro", "10 Days" → "keys-orbit-arena-pro-10-days.csv" */
export function exportName(...parts: (string | undefined)[]): string {
  const words = ['keys', ...parts.filter((part) => part !== undefined)].join(' ')
  const slug = words.toLocaleLowerCase('en').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return `${slug.replaceAll(/^-|-$/g, '').slice(0, 80)}.csv`
}
