/** Says what the store had promised and did not do, where the buyer looks for the key, until they have seen it. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { EndedPlace, WaitingEndReason } from '../../contract/waiting.ts'
import type { OwnTopUp } from '../../contract/payments.ts'
import { WISH_LASTS_MS } from '../../contract/limits.ts'
import { client } from '../platform/calls/client.ts'
import { serverNow } from '../platform/clock.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { cx } from '../ui/cx.ts'
import { Button } from '../ui/buttons/button.tsx'
import { useOwnRequests } from './use-own-requests.ts'
import { wishText } from './wishes/wish-words.ts'

const STORAGE_KEY = 'seen-ended'

/** Wishes that were to be bought with a payment. `places` adds those in the waiting list. */
export function EndedPromises({ places = false, className = 'mb-4' }: { places?: boolean; className?: string }) {
  const requests = useOwnRequests().data ?? []
  const ended = useQuery({
    queryKey: ['waiting', 'ended'],
    queryFn: ({ signal }) => client.waiting.ended({}, { signal }),
    enabled: places,
  }).data
  // In the browser alone, which knows what was seen
  const [seen, setSeen] = useState(readSeen)
  const news = [
    ...requests.filter(isEnded).map(({ _id, then }) => ({ _id, text: then && wishText(then) })),
    ...(ended ?? []).map((place) => ({ _id: place._id, text: placeText(place) })),
  ].filter(({ _id }) => !seen.includes(_id))
  if (news.length === 0) return null
  const see = () => {
    const ids = [...news.map(({ _id }) => _id), ...seen].slice(0, SEEN_KEPT)
    setSeen(ids)
    keepSeen(ids)
  }
  return (
    <output
      className={cx(
        'flex flex-wrap items-center gap-3 rounded-panel border border-warn/30 bg-warn/8 p-4 text-sm',
        className,
      )}
    >
      <TriangleAlert size={17} aria-hidden className="shrink-0 text-warn" />
      <span className="grid min-w-0 flex-1 basis-48 gap-1 font-medium wrap-anywhere text-warn">
        {news.map(({ _id, text }) => (
          <span key={_id}>{text}</span>
        ))}
      </span>
      <Button variant="secondary" size="sm" onClick={see}>
        {t('Got it')}
      </Button>
    </output>
  )
}

/** What the buyer ended is no news, and neither is what a rejected payment would have bought. */
const isEnded = ({ then, decidedAt, createdAt }: OwnTopUp): boolean =>
  then?.state === 'ended' &&
  wishText(then) !== undefined &&
  serverNow() - Date.parse(decidedAt ?? createdAt) < WISH_LASTS_MS

const placeText = (place: EndedPlace): string =>
  t('You no longer wait for {product} ({duration}). {why}', {
    product: own(place, 'productName'),
    duration: durationText(place.duration),
    why: WHY[place.reason](),
  })

const WHY: Record<WaitingEndReason, () => string> = {
  told: () => t('You got three messages that keys were in stock.'),
  short: () => t('Keys came twice, and your balance was too low.'),
  expired: () => t('No keys came within 90 days.'),
  gone: () => t('It is not for sale any more.'),
}

/** More than end within a week. */
const SEEN_KEPT = 50

function readSeen(): string[] {
  try {
    return (localStorage.getItem(STORAGE_KEY) ?? '').split(' ')
  } catch {
    return []
  }
}

function keepSeen(ids: readonly string[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, ids.join(' '))
  } catch {
    // It is shown again
  }
}
