import type { SupplyLink } from '../../../contract/supply.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { Time } from '../../ui/time.tsx'

type Found = NonNullable<SupplyLink['compared']>

function differencesOf({ cost, gone, strange }: Found): string[] {
  return [
    ...(cost.length > 0 ? [t('It says another cost for {orders}.', { orders: cost.join(', ') })] : []),
    ...(gone.length > 0 ? [t('It does not know {orders}.', { orders: gone.join(', ') })] : []),
    ...(strange > 0
      ? [
          t(
            '{count, plural, one {# purchase} other {# purchases}} there belong to no product of yours. ' +
              'Add it under Products, turn the supplier off and on, and the keys come.',
            { count: strange },
          ),
        ]
      : []),
  ]
}

/** What the last comparison of the supplier's books with the store's has found. */
export function Comparison({ link: { compared, comparedAt } }: { link: SupplyLink }) {
  if (!compared || comparedAt === undefined || compared.orders + compared.gone.length === 0) return null
  const { orders: count, sum, refunded, back } = compared
  const differences = differencesOf(compared)
  const facts = [
    t('{count, plural, one {# purchase} other {# purchases}}, {sum}', { count, sum: formatRupees(sum) }),
    refunded > 0 && t('{sum} came back', { sum: formatRupees(refunded) }),
    back > 0 && t('{count, plural, one {# was} other {# were}} missing here', { count: back }),
    differences.length === 0 && back === 0 && t('Equal'),
  ]
  return (
    <div className="mt-1 text-xs text-fg-3">
      {t('Compared')} <Time value={comparedAt} />: {facts.filter((fact) => fact !== false).join(' · ')}
      {differences.map((each) => (
        <p key={each} className="text-sm wrap-break-word text-warn">
          {each}
        </p>
      ))}
    </div>
  )
}
