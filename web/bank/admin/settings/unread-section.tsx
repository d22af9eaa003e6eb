import { formatRupees } from '../../../platform/money.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { CopyTextButton } from '../../../ui/buttons/copy-text-button.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { Time } from '../../../ui/time.tsx'
import { askFor } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { BANK_POLL_MS } from '../bank-queries.ts'

/** Every digit as 0, but the grouping of numbers stays, and so does the shape of the text. */
const masked = (text: string): string => text.replaceAll(/\d/g, '0').replaceAll(/[\w.-]+@/g, 'name@')

/** Messages of a bank whose words are not known. The store never credits them automatically. */
export function UnreadSection() {
  const isDenied = denied(calls.bank.unread) !== undefined
  return isDenied ? null : <Unread />
}

function Unread() {
  const unread = usePanel(askFor('bank', 'unread', { outcome: 'unread', limit: 20 }), { pollMs: BANK_POLL_MS })
  if (!unread.data || unread.data.total === 0) return null
  return (
    <Panel
      title={t('Messages that we can’t read')}
      description={t(
        'We never approve these automatically. Copy the text and report it to the project, so the next version ' +
          'can read it.',
      )}
    >
      <ul className="divide-y divide-line">
        {unread.data.alerts.map(({ _id, text, amount, seenAt, account }) => (
          <li key={_id} className="grid gap-2 py-3">
            <p className="text-sm">
              {amount !== null && (
                <span className="font-semibold">{t('Looks like {amount}', { amount: formatRupees(amount) })}</span>
              )}
              {amount !== null && ' · '}
              {account && `${account.label} · `}
              <Time value={seenAt} />
            </p>
            {text !== null && <p className="text-sm wrap-anywhere text-fg-2">{text}</p>}
            {text !== null && (
              <div>
                <CopyTextButton text={masked(text)} what={t('text with numbers hidden')} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
