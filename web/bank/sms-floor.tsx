import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'

/** Says up to which sum no SMS may come, so that nobody waits for one. Another of the banks may send all. */
export const SmsFloor = ({ above }: { above: number | undefined }) =>
  above ? (
    <p className="text-sm text-fg-2">
      {t('Payments up to {amount} may come without an SMS. Upload statements for those.', {
        amount: formatRupees(above),
      })}
    </p>
  ) : null
