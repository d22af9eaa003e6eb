/** The places of a buyer in queues, and the calls that change them. */
import { useQuery } from '@tanstack/react-query'
import { AUTO_BUY_LASTS_MS } from '../../contract/limits.ts'
import { DAY_MS } from '../../contract/time.ts'
import type { OwnPlace } from '../../contract/waiting.ts'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { useCall } from '../platform/calls/use-call.ts'
import { toast, toastError } from '../platform/navigation/toast.ts'

export interface Wish {
  productId: string
  duration: string
  quantity: number
  /** In rupees, as typed. Undefined for a message only. */
  autoMax?: string
}

export const useOwnPlaces = () =>
  // Not 'mine', because it changes with the stock (shell/live-updates.tsx)
  useQuery({ queryKey: ['waiting', 'places'], queryFn: ({ signal }) => client.waiting.mine({}, { signal }) })

export const useLeave = () =>
  useCall('waiting.leave', { onSuccess: () => toast(t('You left the waiting list')), onError: toastError })

export const placeText = ({ place }: Pick<OwnPlace, 'place'>): string => t('You are number {place} in line.', { place })

export const AUTO_BUY_DAYS = AUTO_BUY_LASTS_MS / DAY_MS

/** @returns what happens when keys arrive */
export function promiseText({
  autoMax,
  autoEndedAt,
  quantity,
  paused,
}: Pick<OwnPlace, 'autoMax' | 'autoEndedAt' | 'quantity' | 'paused'>): string {
  if (autoEndedAt !== undefined)
    return t('The {days} days in which we’d buy for you are over. You keep your place, and we’ll notify you.', {
      days: AUTO_BUY_DAYS,
    })
  if (paused) return t('Not on sale at the moment. You keep your place.')
  return autoMax === null
    ? t('We’ll notify you when {count, plural, one {a key is} other {# keys are}} in stock.', { count: quantity })
    : t('We’ll buy {count, plural, one {a key} other {# keys}} for you, for {amount} at most.', {
        count: quantity,
        amount: formatRupees(autoMax),
      })
}
