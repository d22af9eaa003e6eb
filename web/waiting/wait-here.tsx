import { useState } from 'react'
import { Bell, Wallet } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import { WAITING_QUANTITY_MAX } from '../../contract/limits.ts'
import { priceFor } from '../../contract/prices.ts'
import type { OwnPlace } from '../../contract/waiting.ts'
import { errorMessage } from '../platform/calls/api-error.ts'
import { useCall } from '../platform/calls/use-call.ts'
import { t } from '../platform/i18n.ts'
import { useFace } from '../platform/calls/site.ts'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { timesRupees } from '../platform/money.ts'
import { placeText, promiseText, useLeave, useOwnPlaces, type Wish } from './waiting.ts'

const fetchParts = () => import('./fetch-parts.tsx').then((file) => file.loadFetch())
const FetchOffer = lazyPart(() => fetchParts().then((file) => file.FetchOffer), { missing: 'line' })
const FetchCard = lazyPart(() => fetchParts().then((file) => file.FetchCard), { missing: 'line' })
const AutoBuyDialog = lazyPart(() => import('./auto-buy-dialog.tsx').then((file) => file.AutoBuyDialog))
const PushOffer = lazyPart(() => import('../messages/tell-me.tsx').then((file) => file.TellMe), { missing: 'nothing' })

interface WaitHereProps {
  product: Pick<Product, '_id'>
  price: Product['prices'][number]
  quantity: number | undefined
}

/** Orders a duration that is out of stock, takes a place in its queue, or shows what the buyer has of these. */
export function WaitHere({
  product: { _id: productId },
  price: { duration, trial, fetch, ...terms },
  quantity = 1,
}: WaitHereProps) {
  const places = useOwnPlaces()
  if (!terms.price) return null
  if (places.isPending) return <span className="h-9" />
  const own = places.data?.find((each) => each.productId === productId && each.duration === duration)
  if (own?.fetch === 'coming') return <FetchCard />
  const wish = { productId, duration, quantity: Math.min(quantity, WAITING_QUANTITY_MAX) }
  const price = priceFor(terms, wish.quantity)
  const key = `${productId} ${duration}`
  const offer = fetch && quantity <= fetch.upTo && !own?.autoMax && (
    <FetchOffer key={`${key} ${quantity}`} wish={wish} total={timesRupees(price, quantity)} seconds={fetch.seconds} />
  )
  // What became of the order before comes first, and then the way to another
  return (
    <>
      {own?.fetch && <FetchCard />}
      {offer}
      {own ? (
        !own.fetch && <Waiting place={own} />
      ) : (
        <Offer key={key} wish={wish} price={price} isTrial={trial === true} />
      )}
    </>
  )
}

function Offer({ wish, price, isTrial }: { wish: Wish; price: number; isTrial: boolean }) {
  const { tells, ...face } = useFace()
  // Of a queue at most one person could get it
  const autoBuy = face.autoBuy && !isTrial
  const wait = useCall('waiting.wait')
  const [isAsking, setAsking] = useState(false)
  if (!tells && !autoBuy) return null
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {tells && (
          <Button
            variant="secondary"
            size="sm"
            icon={<Bell size={16} aria-hidden />}
            pending={wait.isPending}
            onClick={() => {
              if (!wait.isPending) wait.mutate(wish)
            }}
          >
            {t('Notify me')}
          </Button>
        )}
        {autoBuy && (
          <Button variant="secondary" size="sm" icon={<Wallet size={16} aria-hidden />} onClick={() => setAsking(true)}>
            {t('Buy it for me')}
          </Button>
        )}
      </div>
      <FormError>{wait.error && errorMessage(wait.error)}</FormError>
      {isAsking && <AutoBuyDialog wish={wish} price={price} onClose={() => setAsking(false)} />}
    </div>
  )
}

function Waiting({ place }: { place: OwnPlace }) {
  const leave = useLeave()
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-fg-2">
        <strong className="font-semibold text-fg">{placeText(place)}</strong> {promiseText(place)}
      </p>
      <PushOffer ask={t('Notify me on this device')} done={t('We’ll notify you on this device.')} />
      <Button
        variant="secondary"
        size="sm"
        data-decides
        pending={leave.isPending}
        onClick={() => {
          if (!leave.isPending) leave.mutate({ id: place._id })
        }}
      >
        {t('Stop waiting')}
      </Button>
    </div>
  )
}
