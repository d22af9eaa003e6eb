import { CircleCheck, ReceiptIndianRupee } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoMatches } from '../../../ui/admin/lists/no-matches.tsx'
import type { PaymentFilter } from './use-payment-list.ts'

interface NoPaymentsProps {
  filter: PaymentFilter
  search: string
  /** True when earlier pages have payments. */
  isBeyond: boolean
  onFirst: () => void
  onAll: () => void
}

export function NoPayments({ filter, search, isBeyond, onFirst, onAll }: NoPaymentsProps) {
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
  const isDone = filter === 'pending' && search === ''
  const [title, text] = search
    ? [t('Nothing found for “{search}”', { search }), t('Try part of a name, email, UTR or phone number.')]
    : isDone
      ? [t('No pending requests'), t('New requests will appear here automatically.')]
      : [
          filter === 'rejected' ? t('No rejected payments') : t('No payments yet'),
          t('Top-ups, purchases and wallet changes will show here.'),
        ]
  return (
    <EmptyState
      icon={isDone ? <CircleCheck size={22} /> : icon}
      title={title}
      text={text}
      action={
        (search || filter !== 'all') && (
          <Button variant="secondary" onClick={onAll}>
            {t('Show all payments')}
          </Button>
        )
      }
    />
  )
}
