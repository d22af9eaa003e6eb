/** Keys that the store orders at its supplier for a buyer: the offer, and the card that follows until they are here. */
import { useState, type ReactNode } from 'react'
import { FETCH_LASTS_MS } from '../../contract/limits.ts'
import { SECOND_MS } from '../../contract/time.ts'
import type { Fetch, FetchEnd } from '../../contract/waiting.ts'
import { openAddMoney } from '../payments/open-add-money.ts'
import { errorMessage } from '../platform/calls/api-error.ts'
import { client } from '../platform/calls/client.ts'
import { randomUuid } from '../platform/calls/random-uuid.ts'
import { useChange } from '../platform/calls/use-call.ts'
import { loadWords } from '../platform/catalogues.ts'
import { useNow } from '../platform/clock.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { formatRupees, sumRupees } from '../platform/money.ts'
import { useSession } from '../platform/session/session.ts'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { useFetch } from './fetch.ts'
import { useLeave, type Wish } from './waiting.ts'

/** With their words, so that each appears whole. */
export const loadFetch = () => loadWords('-fetch').then(() => ({ FetchOffer, FetchCard }))

interface FetchOfferProps {
  wish: Wish
  /** In rupees, for all keys. */
  total: number
  seconds: number
}

/** Orders what is not in stock. A buyer with too little money adds it first. */
function FetchOffer({ wish, total, seconds }: FetchOfferProps) {
  const { user } = useSession()
  // One press is one order, also if its answer is lost and it is pressed again
  const [idempotencyKey] = useState(randomUuid)
  const order = useChange('waiting', () =>
    client.waiting.wait({ ...wish, autoMax: String(total), fetch: true }, { idempotencyKey }),
  )
  const missing = sumRupees([total, -(user?.balance ?? 0)])
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-fg-2">
        {t(
          'We order it from our supplier, usually in about {seconds, plural, one {# second} other {# seconds}}. ' +
            'You pay when it’s here.',
          { seconds },
        )}
      </p>
      {missing > 0 ? (
        <Button variant="secondary" onClick={() => openAddMoney({ amountRupees: missing })}>
          {t('Add {amount} first', { amount: formatRupees(missing) })}
        </Button>
      ) : (
        <Button
          data-decides
          pending={order.isPending}
          onClick={() => {
            if (!order.isPending) order.mutate()
          }}
        >
          {t('Order, pay when it’s here')}
        </Button>
      )}
      <FormError>{order.error && errorMessage(order.error)}</FormError>
    </div>
  )
}

/** Nothing once the keys are here, because they have the page to themselves. */
function FetchCard({ className }: { className?: string }) {
  const fetch = useFetch()
  if (!fetch || fetch.state === 'bought') return null
  const { quantity, duration, reason } = fetch
  return (
    <section aria-label={t('Your order')} className={className}>
      <output className="grid gap-1">
        <strong className="font-semibold text-fg">
          {reason === undefined
            ? t('{count, plural, one {Your key is on its way} other {# keys are on their way}}', { count: quantity })
            : WHY[reason]()}
        </strong>
        <span className="text-fg-2 wrap-anywhere">
          {own(fetch, 'productName')} ({durationText(duration)})
        </span>
        {reason === undefined ? <Coming fetch={fetch} /> : <Line>{t('We’ll notify you when it’s in stock.')}</Line>}
      </output>
      <Leave id={fetch._id} isComing={reason === undefined} />
    </section>
  )
}

const WHY: Record<FetchEnd, () => string> = {
  late: () => t('Your key didn’t come in time. You haven’t been charged.'),
  supplier: () => t('Our supplier is out of stock now. You haven’t been charged.'),
  short: () => t('Your balance was too low when the key came. Nothing was taken.'),
}

const Line = ({ children }: { children: ReactNode }) => <span className="text-fg-2">{children}</span>

function Coming({ fetch: { until, amount = 0, seconds } }: { fetch: Fetch }) {
  const now = useNow(SECOND_MS)
  const since = now - (Date.parse(until) - FETCH_LASTS_MS)
  return (
    <>
      <Line>
        {textWith('Until {time} at the latest. Nothing has been taken from your wallet. Keep {amount} in it.', {
          time: <Time value={until} />,
          amount: formatRupees(amount),
        })}
      </Line>
      {since > 2 * seconds * SECOND_MS && (
        <Line>{t('This takes longer than usual. You can leave this page. We’ll notify you.')}</Line>
      )}
    </>
  )
}

function Leave({ id, isComing }: { id: string; isComing: boolean }) {
  const leave = useLeave()
  return (
    <Button
      variant="secondary"
      size="sm"
      className="mt-2"
      data-decides
      pending={leave.isPending}
      onClick={() => {
        if (!leave.isPending) leave.mutate({ id })
      }}
    >
      {isComing ? t('Don’t wait') : t('Stop waiting')}
    </Button>
  )
}
