import type { OwnPlace } from '../../contract/waiting.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { Panel } from '../ui/page/panel.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { EndedPromises } from '../payments/ended-promises.tsx'
import { placeText, promiseText, useLeave, useOwnPlaces } from './waiting.ts'

/** On the account screen: what became of places that ended, and all places of the buyer in queues. */
export function WaitingPanel() {
  return (
    <>
      <EndedPromises places className="" />
      <Places />
    </>
  )
}

/** Hidden without one. */
function Places() {
  const places = useOwnPlaces()
  const leave = useLeave()
  if (places.error && !places.data)
    return (
      <Panel title={t('Waiting list')}>
        <ErrorState error={places.error} onRetry={places.refetch} retrying={places.isFetching} className="py-6" />
      </Panel>
    )
  if (!places.data?.length) return null
  return (
    <Panel title={t('Waiting list')}>
      <ul className="divide-y divide-line" aria-label={t('Waiting list')}>
        {places.data.map((place) => (
          <Row
            key={place._id}
            place={place}
            isEnding={leave.isPending && leave.variables.id === place._id}
            onLeave={() => leave.mutate({ id: place._id })}
          />
        ))}
      </ul>
    </Panel>
  )
}

interface RowProps {
  place: OwnPlace
  isEnding: boolean
  onLeave: () => void
}

function Row({ place, isEnding, onLeave }: RowProps) {
  const { autoUntil } = place
  const productName = own(place, 'productName')
  const duration = durationText(place.duration)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">
          {productName} <span className="text-fg-2">({duration})</span>
        </p>
        <p className="text-fg-2">
          {placeText(place)} {promiseText(place)}{' '}
          {autoUntil && textWith('Valid till {date}', { date: <Time value={autoUntil} format="date" /> })}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        data-decides
        pending={isEnding}
        onClick={() => {
          if (!isEnding) onLeave()
        }}
        aria-label={t('Stop waiting for {name}, {duration}', { name: productName, duration })}
      >
        {t('Stop waiting')}
      </Button>
    </li>
  )
}
