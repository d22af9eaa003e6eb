import { CircleCheck, ReceiptIndianRupee } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoMatches } from '../../../ui/admin/lists/no-matches.tsx'
import type { PaymentFilter } from './use-payment-list.ts'

interface NoPaymentsProps {
  filter: PaymentFilter
  search: string
  /** There are some, on earlier pages. */
  isBeyond: boolean
  onFirst: () => void
  onAll: () => void
}

export function NoPayments({ filter, search, isBeyond, onFirst, onAll }: NoPaymentsProps) {
  const showAll = (
    <Button variant="secondary" onClick={onAll}>
      {t('Show all payments')}
    </Button>
  )
  const icon = <ReceiptIndianRupee size={22} />
  if (isBeyond) {
    return (
      <NoMatches
        icon={icon}
        title={t('This page is empty')}
        text={t('There are payments on earlier pages.')}
        showAll={t('Go to first page')}
        onShowAll={onFirst}
      />
    )
  }
  if (search) {
    return (
      <EmptyState
        icon={icon}
        title={t('Nothing matches “{search}”', { search })}
        text={t('Try part of a name, email, UTR or phone number.')}
        action={filter !== 'all' && showAll}
      />
    )
  }
  if (filter === 'pending') {
    return (
      <EmptyState
        icon={<CircleCheck size={22} />}
        title={t('No pending requests')}
        text={t('New requests will appear here automatically.')}
        action={showAll}
      />
    )
  }
  return (
    <EmptyState
      icon={icon}
      title={filter === 'rejected' ? t('No rejected payments') : t('No payments yet')}
      text={t('Top-ups, purchases and wallet changes will show here.')}
      action={filter !== 'all' && showAll}
    />
  )
}
