import { t } from '../platform/i18n.ts'
import { useUpi } from '../settings/use-upi.ts'

const HOUR_MIN = 60

/** Says how long a review takes: where the bank's alerts decide, or as it took lately, if there were enough of them. */
export function UsualWait() {
  const { approvalMinutes: minutes, checkedOnArrival } = useUpi().data ?? {}
  const text = checkedOnArrival
    ? t('Payments are checked as they arrive, usually within a minute')
    : minutes === undefined
      ? undefined
      : minutes < HOUR_MIN
        ? t('Usually approved in {minutes} min', { minutes })
        : t('Usually approved in {hours} hr', { hours: Math.round(minutes / HOUR_MIN) })
  return text && <p className="text-sm text-fg-2">{text}</p>
}
