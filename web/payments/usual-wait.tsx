import { t } from '../platform/i18n.ts'
import { useUpi } from '../settings/use-upi.ts'

const HOUR_MIN = 60

/** Says how long reviews have taken lately, if there were enough of them. */
export function UsualWait() {
  const minutes = useUpi().data?.approvalMinutes
  if (minutes === undefined) return null
  return (
    <p className="text-sm text-fg-2">
      {minutes < HOUR_MIN
        ? t('Usually approved in {minutes} min', { minutes })
        : t('Usually approved in {hours} hr', { hours: Math.round(minutes / HOUR_MIN) })}
    </p>
  )
}
