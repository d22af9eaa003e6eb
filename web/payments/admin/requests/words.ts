/** Words for a payment, and the amount that its approval credits. */
import type { Payment } from '../../../../contract/payments.ts'
import { t } from '../../../platform/i18n.ts'

/** Returns the amount that approval credits, in rupees. */
export function creditedBy(payment: Payment): number {
  return payment.meta?.bonus ?? payment.amount
}

/** About a transfer; an admin's own addition is an add_money too, without a UTR. A phone is erased, a UTR never. */
export function isRequest(payment: Payment): boolean {
  return payment.type === 'add_money' && payment.utr !== ''
}

export function canDecide(payment: Payment): boolean {
  return payment.type === 'add_money' && payment.status === 'pending'
}

export function buyerOf(payment: Payment): string {
  return payment.userId?.username ?? t('Deleted user')
}

/** "diya has approved it." Undefined while it is undecided. */
export function decidedText({ status, decidedBy }: Partial<Payment>): string | undefined {
  const name = decidedBy ?? t('Another admin')
  if (status === 'approved') return t('Approved by {name}.', { name })
  if (status === 'rejected') return t('Rejected by {name}.', { name })
  return undefined
}

export function kindOf(payment: Payment): string {
  switch (payment.type) {
    case 'add_money':
      if (isRequest(payment)) return t('Top-up request')
      return payment.codeOf === undefined ? t('Added by admin') : t('Code of {name}', { name: payment.codeOf })
    case 'deduct_money':
      return t('Deducted by admin')
    case 'buy_key':
      return t('Purchase')
    case 'topup':
      return t('Top-up')
    default:
      return payment.type satisfies never
  }
}
