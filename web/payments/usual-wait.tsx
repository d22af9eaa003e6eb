import type { OwnTopUp } from '../../contract/payments.ts'
import { t } from '../platform/i18n.ts'
import { useUpi } from '../settings/use-upi.ts'

const HOUR_MIN = 60

/**
 * Says that this request is checked when its money arrives, or how long reviews took lately. It promises nothing that
 * was not measured.
 */
export function UsualWait({ checked }: Pick<OwnTopUp, 'checked'>) {
  const minutes = useUpi().data?.approvalMinutes
  const text = checked
    ? checkedText(checked.withinMinutes)
    : minutes === undefined
      ? undefined
      : minutes < HOUR_MIN
        ? t('Usually approved in {minutes} min', { minutes })
        : t('Usually approved in {hours} hr', { hours: Math.round(minutes / HOUR_MIN) })
  return text && <p className="text-sm text-fg-2">{text}</p>
}

const checkedText = (minutes: number | null): string =>
  minutes === null
    ? t('Payments are checked as they arrive')
    : minutes === 1
      ? t('Payments are checked as they arrive, usually within a minute')
      : t('Payments are checked as they arrive, usually within {minutes} minutes', { minutes })
