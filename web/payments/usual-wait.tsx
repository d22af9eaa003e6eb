import { t } from '../platform/i18n.ts'
import { useUpi } from '../settings/use-upi.ts'

const HOUR_MIN = 60

/** Says how long reviews took lately, if there were enough of them. It promises nothing that was not measured. */
export function UsualWait() {
  const minutes = useUpi().data?.approvalMinutes
  const text =
    minutes === undefined
      ? undefined
      : minutes < HOUR_MIN
        ? t('Usually approved in {minutes} min', { minutes })
        : t('Usually approved in {hours} hr', { hours: Math.round(minutes / HOUR_MIN) })
  return text && <p className="text-sm text-fg-2">{text}</p>
}
