import { BuyAgain } from '../catalogue/buy-again.tsx'
import { useMyKeys } from '../keys/use-my-keys.ts'
import { own, t } from '../platform/i18n.ts'
import { byDashes, CopyButton } from '../ui/buttons/copyable.tsx'
import { Skeleton } from '../ui/page/skeleton.tsx'

/** Puts the key that was bought last under the thumb, to copy it or to buy it again. */
export function NewestKey() {
  const keys = useMyKeys()
  const newest = keys.data?.find(({ state }) => !state)
  if (!newest) return keys.isPending ? <Skeleton className="h-12" /> : null
  const { key, productId, duration } = newest
  return (
    <div className="flex items-center large-text:flex-wrap">
      <p className="min-w-0 flex-1">
        <span className="block truncate text-xs text-fg-3">{`${t('Newest key')} · ${own(productId, 'name')}`}</span>
        <code translate="no" className="font-mono text-sm wrap-anywhere select-all">
          {byDashes(key)}
        </code>
      </p>
      <CopyButton text={key} what={t('key')} />
      <BuyAgain productId={productId._id} duration={duration} />
    </div>
  )
}
