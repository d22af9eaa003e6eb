import { useEffect, useRef, useState, type RefObject } from 'react'
import { CircleCheck, FileText } from 'lucide-react'
import { BUY_REDIRECT_MS } from '../../contract/limits.ts'
import type { PlacedOrder } from '../../contract/orders.ts'
import { CopyAllButton } from '../keys/copy-all-button.tsx'
import { toText } from '../keys/export-keys.ts'
import { saveFile } from '../platform/files/save-file.ts'
import { KeyUse } from '../keys/key-use.tsx'
import { useMyKeys } from '../keys/use-my-keys.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { navigate } from '../platform/navigation/router.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { Copyable } from '../ui/buttons/copyable.tsx'
import { Money } from '../ui/money.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { clearOutcome } from './purchase/purchase.ts'

/** Buttons that share a line, if their words fit into it. */
const SHARED_LINE = 'max-sm:min-w-max max-sm:flex-1'

/** Shows the keys, then goes to My Key, unless the buyer has started to do something here. */
export function PurchaseResult({ placed }: { placed: PlacedOrder }) {
  const { keys, order } = placed
  const heading = useRef<HTMLHeadingElement>(null)
  const panel = useRef<HTMLElement>(null)
  const isLeaving = useRedirect(panel)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])

  const first = keys[0]
  // The purchase answers without what comes with them
  const mine = useMyKeys().data?.filter(({ _id }) => keys.some((bought) => bought._id === _id))
  return (
    <section
      ref={panel}
      aria-labelledby="purchase-result"
      className="mx-auto max-w-3xl rounded-panel border border-line bg-surface p-4 sm:p-6"
    >
      <div className="flex gap-3">
        <CircleCheck size={26} aria-hidden className="mt-px shrink-0 text-ok" />
        <div className="min-w-0">
          <h2 id="purchase-result" ref={heading} tabIndex={-1} className="text-xl font-semibold">
            {t('{count, plural, one {Your key is ready} other {Your # keys are ready}}', { count: keys.length })}
          </h2>
          <output className="block text-fg-2">
            {t('{count, plural, one {Key purchased successfully} other {# keys purchased successfully}}', {
              count: keys.length,
            })}
          </output>
        </div>
      </div>
      {first && (
        <p className="mt-4 text-sm text-fg-2">
          <span className="font-semibold text-fg">{own((mine?.[0] ?? first).productId, 'name')}</span> ·{' '}
          {durationText(first.duration)} ·{' '}
          {textWith('Valid till {date}', { date: <Time value={first.expiresAt} className="whitespace-nowrap" /> })}
        </p>
      )}
      <ul aria-label={t('Your keys')} className="mt-3 grid gap-2">
        {keys.map((owned) => (
          <li key={owned._id} className="min-w-0">
            <Copyable text={owned.key} what={t('key')} />
          </li>
        ))}
      </ul>
      <div className="mt-3 empty:hidden">{mine?.[0] && <KeyUse {...mine[0]} />}</div>
      <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm text-fg-2">
        <span>
          {t('Paid')} <Money rupees={order.amount} className="font-semibold text-fg" />
        </span>
        <span>
          {t('Wallet balance')} <Money rupees={order.balanceAfter} className="font-semibold text-fg" />
        </span>
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button className="max-sm:w-full" onClick={() => void navigate({ to: '/my-key' })}>
          {t('Go to My Key')}
        </Button>
        {keys.length > 1 && <CopyAllButton keys={keys} className={SHARED_LINE} />}
        <Button
          variant="secondary"
          icon={<FileText size={16} aria-hidden />}
          onClick={() => saveFile('keys.txt', 'text/plain', toText(mine?.length ? mine : keys))}
          className={SHARED_LINE}
        >
          {t('Download')}
        </Button>
        <Button variant="ghost" onClick={buyAnother} className={SHARED_LINE}>
          {t('Buy another key')}
        </Button>
      </div>
      <output className="mt-3 block min-h-5 text-sm text-fg-3">{isLeaving && t('Opening My Key…')}</output>
    </section>
  )
}

/** This button disappears with the result, so the focus moves to the heading above the form. */
function buyAnother(): void {
  clearOutcome()
  document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true })
  window.scrollTo(0, 0)
}

const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/**
 * Goes to My Key after a while.
 * @returns false once the buyer has touched something, and then nothing moves any more
 */
function useRedirect(panel: RefObject<HTMLElement | null>): boolean {
  const [isLeaving, setLeaving] = useState(true)
  useEffect(() => {
    if (!isLeaving) return undefined
    const stay = () => setLeaving(false)
    const timer = setTimeout(() => {
      // A buyer who comes back before My Key opens is not sent there a second time.
      stay()
      void navigate({ to: '/my-key' })
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
  }, [isLeaving, panel])
  return isLeaving
}
