import { useId, useState } from 'react'
import { MINUTE_MS } from '../../../../contract/time.ts'
import { dayOf } from '../../../../contract/india.ts'
import type { AlertOutcome } from '../../../../contract/bank-phones.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { useNow } from '../../../platform/clock.ts'
import { errorMessage } from '../../../platform/calls/api-error.ts'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { useHeard } from '../phone-queries.ts'

const OUTCOMES: Record<AlertOutcome, () => string> = {
  credit: () => t('read'),
  proposed: () => t('proposed'),
  hint: () => t('amount only'),
  unread: () => t('not understood'),
  refused: () => t('refused'),
  ignored: () => t('not about money that came'),
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
  'between own accounts': () => t('between your own accounts'),
}

/** What a phone has sent within a day, and what became of it. */
export function HeardToday({ id, name }: { id: string; name: string }) {
  const [open, setOpen] = useState(false)
  const list = useId()
  if (denied(calls.bank.heard) !== undefined) return null
  return (
    <div className="basis-full">
      <Button
        size="sm"
        variant="ghost"
        aria-expanded={open}
        aria-controls={list}
        aria-label={t('Messages today from {name}', { name })}
        onClick={() => setOpen(!open)}
      >
        {t('Messages today')}
      </Button>
      <div id={list} aria-live="polite">
        {open && <Heard id={id} />}
      </div>
    </div>
  )
}

function Heard({ id }: { id: string }) {
  const { data, error } = useHeard(id)
  const today = dayOf(useNow(MINUTE_MS))
  if (error && !data) return <FormError>{errorMessage(error)}</FormError>
  if (!data) return <Skeleton className="h-14" />
  const counts = data.counts.filter(({ day }) => day === today)
  const parts = counts.map(({ outcome, count }) => `${count} ${OUTCOMES[outcome]()}`)
  return (
    <div className="grid gap-2 py-2 text-sm">
      <p>{parts.length === 0 ? t('Nothing yet today.') : t('Today: {parts}.', { parts: parts.join(', ') })}</p>
      <ul className="grid gap-2">
        {data.heard.map(({ at, sender, outcome, why, text }, n) => (
          <li key={`${at} ${n}`} className="border-l-2 border-line pl-3">
            <p className="wrap-anywhere">
              <Time value={at} /> · {sender} · {OUTCOMES[outcome]()}
              {why !== null && REASONS[why] && ` (${REASONS[why]()})`}
            </p>
            {text !== null && <p className="text-xs wrap-anywhere text-fg-2">{text}</p>}
          </li>
        ))}
      </ul>
      <p className="text-xs text-fg-3">
        {t('Kept for a day. Digits are hidden. Of people’s messages and one-time codes only the number is kept.')}
      </p>
    </div>
  )
}
