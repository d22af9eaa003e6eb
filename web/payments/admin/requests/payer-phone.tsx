import type { Payment } from '../../../../contract/payments.ts'
import { whatsAppChat } from '../../../../contract/support-link.ts'
import { formatRupees } from '../../../platform/money.ts'
import { t } from '../../../platform/i18n.ts'

/** Enough of a UTR for a buyer to know it. */
const UTR_DIGITS_SHOWN = 4

/** The phone of who sent a request. It opens WhatsApp with a text that names the request. */
export function PayerPhone({ payment: { payerName: phone, amount, utr } }: { payment: Payment }) {
  const text = t('Hello, this is about your payment of {amount} with the UTR ending in {utr}.', {
    amount: formatRupees(amount),
    utr: utr.slice(-UTR_DIGITS_SHOWN),
  })
  const chat = whatsAppChat(phone, text)
  if (chat === undefined) return phone
  const label = t('WhatsApp to {phone}', { phone })
  return (
    <a
      href={chat}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      title={label}
      className="relative underline decoration-dotted underline-offset-4 after:absolute after:-inset-3 hover:text-brand"
    >
      {phone}
    </a>
  )
}
