import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'

/** Says up to which sum no SMS comes, so that nobody waits for one. Nothing where all come. */
export const SmsFloor = ({ above }: { above: number | undefined }) =>
  above ? (
    <p className="text-sm text-fg-2">
      {t('Your bank sends an SMS only above {amount}. For smaller payments, upload statements.', {
        amount: formatRupees(above),
      })}
    </p>
  ) : null
