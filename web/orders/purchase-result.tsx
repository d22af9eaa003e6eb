import { useEffect, useRef, useState, type RefObject } from 'react'
import { BUY_REDIRECT_MS } from '../../contract/limits.ts'
import type { OwnedKey } from '../../contract/keys.ts'
import type { PlacedOrder } from '../../contract/orders.ts'
import { KeysReady, SHARED_LINE } from '../keys/keys-ready.tsx'
import { readyText } from '../keys/ready-text.ts'
import { t } from '../platform/i18n.ts'
import { Link, navigate } from '../platform/navigation/router.tsx'
import { Button, buttonClass } from '../ui/buttons/button.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { Money } from '../ui/money.tsx'
import { clearOutcome } from './purchase/purchase.ts'

const DoomedRenewals = lazyPart(
  () => import('../renewals/renew-key.tsx').then((file) => file.loadRenewals()).then((file) => file.DoomedRenewals),
  {
    missing: 'nothing',
  },
)

const InviteLine = lazyPart(
  () => import('../referrals/invite-parts.tsx').then((file) => file.loadInvites()).then((file) => file.InviteLine),
  { missing: 'nothing' },
)

/** Shows the keys, then goes to My Key, unless the buyer has started to do something here. */
export function PurchaseResult({ placed: { keys, order } }: { placed: PlacedOrder }) {
  const panel = useRef<HTMLDivElement>(null)
  const isLeaving = useRedirect(panel, keys[0]?._id)
  const said = t('{count, plural, one {Key purchased successfully} other {# keys purchased successfully}}', {
    count: keys.length,
  })
  return (
    <div ref={panel}>
      <KeysReady keys={keys} isNew said={said} actions={<Onward onAnother={clearOutcome} />}>
        <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm text-fg-2">
          <span>
            {t('Paid')} <Money rupees={order.amount} className="font-semibold text-fg" />
          </span>
          <span>
            {t('Wallet balance')} <Money rupees={order.balanceAfter} className="font-semibold text-fg" />
          </span>
        </p>
        <DoomedRenewals keys={keys} />
      </KeysReady>
      <output className="mt-3 block min-h-5 text-center text-sm text-fg-3">{isLeaving && t('Opening My Key…')}</output>
      <InviteLine />
    </div>
  )
}

interface ArrivedKeysProps {
  /** Undefined for the moment until they have come. */
  keys: readonly OwnedKey[] | undefined
  count: number
  onAnother: () => void
}

/** Shows the keys that the store has bought for the buyer. Nothing asks for money beside them. */
export function ArrivedKeys({ keys, count, onAnother }: ArrivedKeysProps) {
  const [hasWaited] = useState(!keys)
  if (!keys) return <KeysComing count={count} />
  return <KeysReady keys={keys} isNew isStill={hasWaited} actions={<Onward onAnother={onAnother} />} />
}

/** The place of keys that are bought. It says so before they are here. */
function KeysComing({ count }: { count: number }) {
  return (
    <Loading className="mx-auto w-full max-w-160 overflow-hidden rounded-panel border border-ok/30 bg-surface">
      <div className="p-4 sm:p-6">
        <div className="flex gap-3">
          <Skeleton className="size-20 shrink-0 rounded-control" />
          <div className="min-w-0">
            <p className="text-2xl font-semibold">{readyText(count)}</p>
            <Skeleton className="mt-1 h-4 w-48 max-w-full" />
          </div>
        </div>
        <Skeleton className="mt-4 h-12" />
        <Skeleton className="mt-2 h-11" />
      </div>
    </Loading>
  )
}

function Onward({ onAnother }: { onAnother: () => void }) {
  return (
    <>
      <Link to="/my-key" className={buttonClass({ variant: 'secondary' }, SHARED_LINE)}>
        {t('Go to My Key')}
      </Link>
      <Button
        variant="ghost"
        className={SHARED_LINE}
        onClick={() => {
          onAnother()
          // This button disappears with the result, so the focus moves to the heading above the form
          document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true })
          window.scrollTo(0, 0)
        }}
      >
        {t('Buy another key')}
      </Button>
    </>
  )
}

const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/**
 * Goes to My Key after a while, which shows the same keys in the same place.
 * @returns false once the buyer has touched something, and then nothing moves any more
 */
function useRedirect(panel: RefObject<HTMLElement | null>, key: string | undefined): boolean {
  const [isLeaving, setLeaving] = useState(true)
  useEffect(() => {
    if (!isLeaving) return undefined
    const stay = () => setLeaving(false)
    const timer = setTimeout(() => {
      // A buyer who comes back before My Key opens is not sent there a second time.
      stay()
      void navigate({ to: '/my-key', ...(key && { search: { key } }) })
    }, BUY_REDIRECT_MS)
    // Only a moving pointer counts. A resting one may just be where the keys appeared.
    const onMove = (event: PointerEvent) => {
      if (event.movementX !== 0 || event.movementY !== 0) stay()
    }
    const element = panel.current
    for (const sign of SIGNS_OF_USE) document.addEventListener(sign, stay, { passive: true })
    element?.addEventListener('pointermove', onMove)
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS_OF_USE) document.removeEventListener(sign, stay)
      element?.removeEventListener('pointermove', onMove)
    }
  }, [isLeaving, panel, key])
  return isLeaving
}
