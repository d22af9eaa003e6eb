import type { Payment } from '../../../../contract/payments.ts'
import { whatsAppChat } from '../../../../contract/support-link.ts'
import { formatRupees } from '../../../platform/money.ts'
import { t } from '../../../platform/i18n.ts'

/** Enough of a UTR for a buyer to know it. */
const UTR_DIGITS_SHOWN = 4

/** Opens WhatsApp with who sent a request, and names it there. Draws nothing without a mobile number. */
export function PayerLink({ payment: { payerName: phone, amount, utr } }: { payment: Payment }) {
  const text = t('Hello, this is about your payment of {amount} with the UTR ending in {utr}.', {
    amount: formatRupees(amount),
    utr: utr.slice(-UTR_DIGITS_SHOWN),
  })
  const chat = whatsAppChat(phone, text)
  if (chat === undefined) return null
  return (
    <a
      href={chat}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('WhatsApp to {phone}', { phone })}
      className="relative font-sans text-sm font-medium text-brand after:absolute after:-inset-3 hover:underline"
    >
      {t('WhatsApp')}
    </a>
  )
}
