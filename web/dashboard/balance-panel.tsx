import { ChevronRight, Plus, Wallet } from 'lucide-react'
import type { User } from '../../contract/users.ts'
import { useProducts } from '../catalogue/use-products.ts'
import { openAddMoney } from '../payments/open-add-money.ts'
import { t } from '../platform/i18n.ts'
import { formatDollars, formatRupees } from '../platform/money.ts'
import { queryClient } from '../platform/calls/queries.ts'
import { Link } from '../platform/navigation/router.tsx'
import { useUpi } from '../settings/use-upi.ts'
import { Button } from '../ui/buttons/button.tsx'
import { cx } from '../ui/cx.ts'
import { RefreshButton } from '../wallet/refresh-button.tsx'
import { RequestLine } from '../wallet/request-line.tsx'

/** Shows the balance and leads to adding money. */
export function BalancePanel({ user }: { user: User }) {
  const products = useProducts()
  const reload = () => {
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [feature] }) => feature !== 'catalogue' })
    return [products.refetch()]
  }
  const balance = formatRupees(user.balance)
  const isOff = useUpi().data?.paymentEnabled === false
  return (
    <section aria-label={t('Wallet')} className="glow flex flex-col rounded-panel border border-line bg-surface">
      <div className="flex flex-1 flex-col px-4 py-3 sm:px-7 sm:pt-6 sm:pb-5">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h2 className="flex items-center gap-2 text-sm font-medium text-fg-2">
            <Wallet size={16} aria-hidden />
            {t('Wallet balance')}
          </h2>
          <p className="tabular rounded-full bg-hover px-2.5 py-1 text-xs font-semibold text-fg-2">
            {t('Dollar balance')} {formatDollars(user.usdBalance)}
          </p>
        </div>
        <div className="mt-1.5 flex flex-1 flex-wrap items-end justify-between gap-x-1 gap-y-3 sm:mt-4">
          <p
            className={cx(
              'tabular min-w-0 font-semibold tracking-[-0.035em] sm:text-5xl',
              // From ₹1,000 on it leaves room for the button beside it on a phone.
              balance.length > 5 ? 'text-3xl' : 'text-4xl',
            )}
          >
            {balance}
          </p>
          <div className="ml-auto flex items-center gap-1 sm:pb-2">
            <Button icon={<Plus size={18} aria-hidden />} onClick={() => openAddMoney()}>
              {t('Add Money')}
            </Button>
            <RefreshButton reload={reload} />
          </div>
        </div>
      </div>
      {isOff && (
        <p className="border-t border-line px-4 py-2 text-sm text-warn sm:px-7">
          {t('Money cannot be added right now')}
        </p>
      )}
      <Link
        to="/wallet-history"
        hash="requests"
        className={
          'flex min-h-11 items-center gap-2 rounded-b-panel border-t border-line px-4 text-sm text-fg-2 ' +
          'transition-colors hover:bg-hover/50 hover:text-fg sm:px-7'
        }
      >
        <RequestLine otherwise={t('Wallet History')} />
        <ChevronRight size={16} aria-hidden className="shrink-0 text-fg-3" />
      </Link>
    </section>
  )
}
