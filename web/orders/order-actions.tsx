import { Plus } from 'lucide-react'
import { openAddMoney } from '../payments/open-add-money.ts'
import { usePaymentInCheck, willBuy } from '../payments/payment-in-check.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { Money } from '../ui/money.tsx'
import type { OrderTerms } from './order-terms.ts'
import { isUnderWay, type PurchaseState } from './purchase/purchase.ts'

interface OrderActionsProps {
  /** main: the next step · second: the others */
  part: 'main' | 'second'
  terms: OrderTerms
  purchase: PurchaseState
  onBuy: () => void
  /** Pays for this order, which is then bought when the payment is approved. */
  onAdd: () => void
  /** True in the bar at the bottom, next to the total. */
  compact: boolean
}

/** Shows Buy with Wallet and Add Money. If the balance is too low, the next step adds what is missing and buys. */
export function OrderActions({ part, terms, purchase, onBuy, onAdd, compact }: OrderActionsProps) {
  const isMain = part === 'main'
  // Nobody is asked to pay again while a payment is being checked
  const inCheck = usePaymentInCheck()
  const asks = terms.obstacle === 'low-balance' && inCheck === undefined
  const buying = asks !== isMain && (
    <Button
      wide
      variant={isMain ? 'primary' : 'ghost'}
      disabled={terms.obstacle !== undefined}
      data-decides
      pending={isUnderWay(purchase)}
      onClick={onBuy}
    >
      {t('Buy with Wallet')}
    </Button>
  )
  const button = isMain ? (
    buying || (
      <Button wide icon={<Plus size={18} aria-hidden />} onClick={onAdd}>
        {t('Add {amount} and buy', { amount: formatRupees(terms.topUp) })}
      </Button>
    )
  ) : (
    <>
      {!(inCheck && willBuy(inCheck)) && (
        <Button wide variant="ghost" onClick={() => openAddMoney()}>
          {t('Add Money')}
        </Button>
      )}
      {buying}
    </>
  )
  if (part === 'second') return button
  const failure = (
    <FormError>{purchase.step === 'refused' && (compact || !purchase.isForGood) && purchase.failure}</FormError>
  )
  if (!compact) {
    return (
      <>
        {failure}
        {button}
      </>
    )
  }
  return (
    <div className="mx-auto grid max-w-store gap-2">
      {failure}
      <div className="flex items-center gap-4 large-text:flex-wrap">
        <p className="shrink-0" aria-hidden>
          <span className="block text-xs text-fg-3">{t('Total')}</span>
          <Money rupees={terms.total || undefined} className="text-xl font-semibold tracking-[-0.02em]" />
        </p>
        <div className="min-w-0 flex-1">{button}</div>
      </div>
    </div>
  )
}
