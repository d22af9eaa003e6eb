import { middayOf } from '../../../../contract/india.ts'
import { formatDate } from '../../../platform/dates.ts'
import { t } from '../../../platform/i18n.ts'
import { navigate } from '../../../platform/navigation/router.tsx'
import { LinkFilter } from '../../../ui/admin/lists/link-filter.tsx'
import type { PaymentList } from './use-payment-list.ts'

const PATH = '/admin/payment-manager'

/** One button for each filter set by a link from another screen. */
export function LinkFilters({ payments: { address } }: { payments: PaymentList }) {
  const { decided: decidedOn, source, request, bank } = address
  const without = (name: 'decided' | 'source' | 'request' | 'bank') => () =>
    void navigate<typeof PATH>({ search: (present) => ({ ...present, page: undefined, [name]: undefined }) })
  const isHeld = bank === 'held'
  if (!decidedOn && !source && !request && !isHeld) return null
  const day = decidedOn && formatDate(middayOf(decidedOn))
  return (
    <div className="flex flex-wrap gap-2">
      {day && (
        <LinkFilter onClear={without('decided')} label={t('Reviewed on {day}. Show all days', { day })}>
          {t('Reviewed on {day}', { day })}
        </LinkFilter>
      )}
      {source && (
        <LinkFilter
          onClear={without('source')}
          label={
            source === 'adjustment'
              ? t('Balance changes by admins only. Show all payments')
              : t('Top-up requests only. Show all payments')
          }
        >
          {source === 'adjustment' ? t('Balance changes by admins') : t('Top-up requests')}
        </LinkFilter>
      )}
      {request && (
        <LinkFilter onClear={without('request')} label={t('One request only. Show the queue')}>
          {t('One request')}
        </LinkFilter>
      )}
      {isHeld && (
        <LinkFilter onClear={without('bank')} label={t('Held by the bank only. Show the queue')}>
          {t('Held by the bank')}
        </LinkFilter>
      )}
    </div>
  )
}
