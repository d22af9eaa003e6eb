import { Plus } from 'lucide-react'
import { openAddMoney } from '../payments/open-add-money.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { Money } from '../ui/money.tsx'
import type { OrderTerms } from './order-terms.ts'
import { isUnderWay, type PurchaseState } from './purchase/purchase.ts'

interface OrderActionsProps {
  /** main: the next step · second: the other button */
  part: 'main' | 'second'
  terms: OrderTerms
  purchase: PurchaseState
  onBuy: () => void
  /** True in the bar at the bottom, next to the total. */
  compact: boolean
}

/** Shows Buy with Wallet and Add Money. If the balance is too low they swap, and Add Money asks for the shortfall. */
export function OrderActions({ part, terms, purchase, onBuy, compact }: OrderActionsProps) {
  const isLow = terms.obstacle === 'low-balance'
  const button =
    isLow === (part === 'main') ? (
      <AddMoney terms={terms} isMain={part === 'main'} />
    ) : (
      <Button
        wide
        variant={part === 'main' ? 'primary' : 'ghost'}
        disabled={terms.obstacle !== undefined}
        pending={isUnderWay(purchase)}
        onClick={onBuy}
      >
        {t('Buy with Wallet')}
      </Button>
    )
  if (part === 'second') return button
  const failure = <FormError>{purchase.step === 'refused' && purchase.failure}</FormError>
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
          <Money rupees={terms.total} className="text-xl font-semibold tracking-[-0.02em]" />
        </p>
        <div className="min-w-0 flex-1">{button}</div>
      </div>
    </div>
  )
}

function AddMoney({ terms, isMain }: { terms: OrderTerms; isMain: boolean }) {
  return isMain ? (
    <Button wide icon={<Plus size={18} aria-hidden />} onClick={() => openAddMoney({ amountRupees: terms.topUp })}>
      {t('Add Money')} {formatRupees(terms.topUp)}
    </Button>
  ) : (
    <Button wide variant="ghost" onClick={() => openAddMoney()}>
      {t('Add Money')}
    </Button>
  )
}
