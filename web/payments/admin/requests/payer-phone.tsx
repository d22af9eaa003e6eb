import type { Payment } from '../../../../contract/payments.ts'
import { formatRupees } from '../../../platform/money.ts'
import { t } from '../../../platform/i18n.ts'
import { WhatsAppPhone } from '../../../ui/admin/whats-app-phone.tsx'

/** Enough of a UTR for a buyer to know it. */
const UTR_DIGITS_SHOWN = 4

/** The phone of who sent a request. It opens WhatsApp with a text that names the request. */
export function PayerPhone({ payment: { payerName: phone, amount, utr } }: { payment: Payment }) {
  const text = t('Hello, this is about your payment of {amount} with the UTR ending in {utr}.', {
    amount: formatRupees(amount),
    utr: utr.slice(-UTR_DIGITS_SHOWN),
  })
  return <WhatsAppPhone phone={phone} text={text} />
}
