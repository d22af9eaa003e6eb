import { sayDuration } from '../../contract/duration-words.ts'
import { inIndia } from '../../contract/india.ts'
import type { OwnedKey } from '../../contract/keys.ts'
import { statusText } from '../claims/claim-words.ts'
import { toCsv } from '../platform/files/csv.ts'
import { paperDateTime } from '../platform/dates.ts'
import { own, t } from '../platform/i18n.ts'
import { ordersOf } from './group-keys.ts'
import { isExpired } from './key-time.ts'

/** Returns the keys alone, one per line, for pasting. */
export function toLines(keys: readonly OwnedKey[]): string {
  return keys.map(({ key }) => key).join('\n')
}

/** Returns each order with its keys under it, and how to use them, for reading. */
export function toText(keys: readonly OwnedKey[]): string {
  const orders = ordersOf(keys).map((order) => {
    const head = t('{product} · {duration} · Bought {bought} · Valid till {until}', {
      product: order.productName,
      duration: sayDuration(t, order.duration),
      bought: paperDateTime(order.assignedAt),
      until: paperDateTime(order.expiresAt),
    })
    const use = order.keys.slice(0, 1).flatMap((first) => [first.downloadUrl, own(first, 'instructions')])
    const lines = use.filter(Boolean).map((text) => text?.replaceAll('\n', '\r\n'))
    const texts = order.keys.map(({ key, state }) => (state ? `${key} (${statusText(state)})` : key))
    return [head, ...texts, ...lines, ''].join('\r\n')
  })
  return orders.join('\r\n')
}

/** Returns one row per key, for a spreadsheet. */
export function keysToCsv(keys: readonly OwnedKey[], now: number): string {
  const head = [t('Product'), t('Duration'), t('Key'), t('Purchased (India)'), t('Expires (India)'), t('Status')]
  const rows = keys.map((owned) => [
    own(owned.productId, 'name'),
    sayDuration(t, owned.duration),
    owned.key,
    inIndia(owned.assignedAt).slice(0, 16),
    inIndia(owned.expiresAt).slice(0, 16),
    owned.state ? statusText(owned.state) : isExpired(owned, now) ? t('Expired') : t('Active'),
  ])
  return toCsv([head, ...rows])
}
