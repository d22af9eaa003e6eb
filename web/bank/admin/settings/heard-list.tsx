import { dayOf } from '../../../../contract/india.ts'
import { MINUTE_MS } from '../../../../contract/time.ts'
import type { AlertOutcome } from '../../../../contract/bank-phones.ts'
import { errorMessage } from '../../../platform/calls/api-error.ts'
import { useNow } from '../../../platform/clock.ts'
import { t } from '../../../platform/i18n.ts'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { askFor } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { BANK_POLL_MS } from '../bank-queries.ts'
import { AddSender } from './add-sender.tsx'

/** Android may hold an SMS back for hours. A longer delay than this is shown. */
const LATE_MIN = 5

const OUTCOMES: Record<AlertOutcome, () => string> = {
  credit: () => t('read'),
  proposed: () => t('proposed'),
  hint: () => t('amount only'),
  unread: () => t('not understood'),
  refused: () => t('refused'),
  ignored: () => t('not about money received'),
  trial: () => t('on trial'),
}

const REASONS: Record<string, () => string> = {
  sender: () => t('the sender is no bank that we know'),
  account: () => t('it names another account, or none of this phone’s'),
  amount: () => t('not exactly one sum'),
  'two references': () => t('more than one reference'),
  'no reference': () => t('no reference'),
  'names no account': () => t('it names no account'),
  debit: () => t('money went'),
  hidden: () => t('Android hides its text'),
  test: () => t('your own test'),
  paused: () => t('the phone is paused'),
  'between own accounts': () => t('between your own accounts'),
}

/** What a phone has sent within a day, and what became of it. */
export function HeardList({ id }: { id: string }) {
  const { data, error } = usePanel(askFor('bank', 'heard', { id }), { pollMs: BANK_POLL_MS })
  const today = dayOf(useNow(MINUTE_MS))
  if (error && !data) return <FormError>{errorMessage(error)}</FormError>
  if (!data) return <Skeleton className="h-14" />
  const counts = data.counts.filter(({ day }) => day === today)
  const parts = counts.map(({ outcome, count }) => `${count} ${OUTCOMES[outcome]()}`)
  return (
    <div className="grid gap-2 py-2 text-sm">
      <p>{parts.length === 0 ? t('Nothing yet today.') : t('Today: {parts}.', { parts: parts.join(', ') })}</p>
      <ul className="grid gap-2">
        {data.heard.map(({ at, sender, outcome, why, text, stampedAt, add }, n) => (
          <li key={`${at} ${n}`} className="border-l-2 border-line pl-3">
            <p className="wrap-anywhere">
              <Time value={at} /> · {sender} · {OUTCOMES[outcome]()}
              {why !== null && REASONS[why] && ` (${REASONS[why]()})`}
              {lateMinutes(at, stampedAt) > 0 && ` · ${t('{count} min late', { count: lateMinutes(at, stampedAt) })}`}
            </p>
            {text !== null && <p className="text-xs wrap-anywhere text-fg-2">{text}</p>}
            {add && <AddSender add={add} />}
          </li>
        ))}
      </ul>
      <p className="text-xs text-fg-3">
        {t('We keep them for a day with digits hidden. Personal messages and OTPs are only counted.')}
      </p>
    </div>
  )
}

function lateMinutes(at: string, stampedAt: string | null): number {
  const minutes = stampedAt === null ? 0 : Math.round((Date.parse(at) - Date.parse(stampedAt)) / MINUTE_MS)
  return minutes >= LATE_MIN ? minutes : 0
}
