/** Words for the risk signals of a request: facts about its UTR, phone and buyer that an admin should check. */
import type { Payment } from '../../../../contract/payments.ts'
import { dayOf } from '../../../../contract/india.ts'
import { t } from '../../../platform/i18n.ts'

/** From this number on, one buyer's requests of a day are worth a look. */
const MANY_A_DAY = 3

interface Sign {
  tone: 'bad' | 'warn' | 'info'
  text: string
}

/**
 * @param now to tell today from another day, in ms since 1970
 * @param upiId the store's of today
 */
export function riskSignalsOf(
  {
    signs,
    claimedBy = [],
    bank,
    unusual,
    createdAt,
    paidTo,
    large,
  }: Pick<Payment, 'signs' | 'claimedBy' | 'bank' | 'unusual' | 'createdAt' | 'paidTo' | 'large'>,
  now: number,
  upiId?: string,
): readonly Sign[] {
  const found: Sign[] = []
  // The bank's verdict about rivals names them already
  if (claimedBy.length > 0 && bank?.verdict !== 'rivals')
    found.push({ tone: 'bad', text: t('Also submitted by {names}', { names: claimedBy.join(', ') }) })
  if (!signs) return found
  if (large) found.push({ tone: 'warn', text: t('Large. Approve when the money is in your bank.') })
  if (paidTo && upiId && paidTo.upiId.toLowerCase() !== upiId.toLowerCase())
    found.push({ tone: 'warn', text: t('Paid to {upiId}', { upiId: paidTo.upiId }) })
  const { utrRejectedBefore, phoneUsedBy, requestOfDay: count, isFirstTopUp } = signs
  if (utrRejectedBefore) found.push({ tone: 'bad', text: t('This UTR was rejected before') })
  if (phoneUsedBy.length > 0) {
    found.push({ tone: 'bad', text: t('Phone number also used by {names}', { names: phoneUsedBy.join(', ') }) })
  }
  if (unusual) found.push({ tone: 'warn', text: t('Unusual UTR. Check your bank statement.') })
  if (count >= MANY_A_DAY) {
    const isToday = dayOf(createdAt) === dayOf(now)
    found.push({
      tone: 'warn',
      text: isToday ? t('Request #{count} today', { count }) : t('Request #{count} that day', { count }),
    })
  }
  if (isFirstTopUp) found.push({ tone: 'info', text: t('First top-up') })
  return found
}
