import { demand } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'

interface AwaitedProps {
  productId: string
  duration: string
}

/** Says how many people wait for a duration, and how many keys of it renew soon, if any. */
export function Awaited({ productId, duration }: AwaitedProps) {
  const waiting = usePanel(demand, { enabled: !denied(calls.waiting.demand) })
  const own = waiting.data?.demand.find((each) => each.productId === productId && each.duration === duration)
  if (!own) return null
  return (
    <p className="tabular basis-full text-xs text-fg-2">
      {own.people > 0 &&
        t(
          '{people, plural, one {# person is} other {# people are}} waiting for ' +
            '{keys, plural, one {# key} other {# keys}} ({amount} in their wallets)',
          { people: own.people, keys: own.keys, amount: formatRupees(own.ready) },
        )}
      {own.people > 0 && own.renewals > 0 && ' · '}
      {own.renewals > 0 &&
        t('{count, plural, one {# renewal} other {# renewals}} within 7 days', { count: own.renewals })}
    </p>
  )
}
