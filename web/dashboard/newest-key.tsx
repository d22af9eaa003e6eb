import { BuyAgain } from '../catalogue/buy-again.tsx'
import { useMyKeys } from '../keys/use-my-keys.ts'
import { own, t } from '../platform/i18n.ts'
import { Copyable } from '../ui/buttons/copyable.tsx'
import { Skeleton } from '../ui/page/skeleton.tsx'

/** Puts the key that was bought last under the thumb, to copy it or to buy it again. */
export function NewestKey() {
  const keys = useMyKeys()
  const newest = keys.data?.find(({ state }) => !state)
  if (keys.isPending) return <Skeleton className="mb-4 h-28" />
  if (!newest) return null
  const { key, productId, duration } = newest
  return (
    <div className="mb-4 grid grid-cols-1 gap-2 border-b border-line pb-4">
      <div className="flex items-center justify-between gap-3 large-text:flex-wrap">
        <p className="line-clamp-2 min-w-0 text-sm wrap-anywhere text-fg-2">
          {t('Newest key')} · {own(productId, 'name')}
        </p>
        <BuyAgain productId={productId._id} duration={duration} />
      </div>
      <Copyable text={key} what={t('key')} />
    </div>
  )
}
