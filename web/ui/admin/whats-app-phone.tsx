import { whatsAppChat } from '../../../contract/support-link.ts'
import { t } from '../../platform/i18n.ts'

/** A phone number that opens WhatsApp with a text to begin with. */
export function WhatsAppPhone({ phone, text }: { phone: string; text: string }) {
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
