import type { BankImport } from '../../../../contract/bank-shapes.ts'
import { middayOf } from '../../../../contract/india.ts'
import { askFor } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { formatDate } from '../../../platform/dates.ts'
import { t } from '../../../platform/i18n.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { Time } from '../../../ui/time.tsx'

const SHOWN = 10

/** The newest uploads, and how far they can be trusted. Nothing before the first one. */
export function StatementsSection() {
  const { data } = usePanel(askFor('bank', 'imports', { limit: SHOWN }))
  if (!data || data.total === 0) return null
  return (
    <Panel
      title={t('Uploaded statements')}
      description={data.total > SHOWN ? t('The newest {count} of {total}', { count: SHOWN, total: data.total }) : ''}
    >
      <ul className="-my-2 divide-y divide-line">
        {data.imports.map((file) => (
          <li key={file._id} className="py-2">
            <p className="font-medium wrap-anywhere">
              {file.account.label}: {dayOf(file.covers.from)} – {dayOf(file.covers.to)}
            </p>
            <p className="text-xs text-fg-2">
              {t('{count, plural, one {# credit} other {# credits}}, {new} new', {
                count: file.credits,
                new: file.newCredits,
              })}
              {' · '}
              <span className={file.balances === 'broken' ? 'text-bad' : ''}>{balancesText(file)}</span>
            </p>
            <p className="text-xs text-fg-3">
              {file.createdBy} · <Time value={file.createdAt} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const dayOf = (day: string): string => formatDate(middayOf(day))

const balancesText = ({ balances }: BankImport): string =>
  ({ proven: t('balances add up'), broken: t('balances don’t add up'), none: t('no balances to check') })[balances]
