import { t } from '../platform/i18n.ts'
import { Link } from '../platform/navigation/router.tsx'

/** @param id of an order or of an approved top-up request */
export function ReceiptLink({ id }: { id: string }) {
  return (
    <Link
      to="/receipt"
      search={{ id }}
      className="relative font-semibold text-brand after:absolute after:-inset-3 hover:underline"
    >
      {t('Receipt')}
    </Link>
  )
}
