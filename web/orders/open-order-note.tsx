import { useEffect, useRef } from 'react'
import { confirm } from '../ui/overlays/confirm.ts'
import { durationText, t } from '../platform/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import type { PendingPurchase } from './purchase/pending-purchase.ts'
import { askAgain, giveUp } from './purchase/purchase.ts'

interface OpenOrderNoteProps {
  purchase: PendingPurchase
  failure: string | undefined
  asksByItself: boolean
}

/** Explains an order whose answer was lost: it is being checked and never charged twice. */
export function OpenOrderNote({ purchase, failure, asksByItself }: OpenOrderNoteProps) {
  const { productName, shownName = productName, duration, quantity } = purchase
  const note = useRef<HTMLElement>(null)
  // Scrolls here, because on a phone the pressed button is at the other end of the screen.
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'center' })
  }, [])
  const stop = async () => {
    const yes = await confirm({
      title: t('Stop waiting for this order?'),
      body: t('If the order went through, you’ll find the keys in My Key and the payment in Wallet History.'),
      confirmLabel: t('Stop waiting'),
      cancelLabel: t('Keep waiting'),
    })
    if (yes) giveUp()
  }
  return (
    <section
      ref={note}
      aria-label={t('Order status')}
      className="grid gap-3 rounded-card border border-line-2 bg-surface p-4"
    >
      <output className="flex gap-3">
        {asksByItself && <span className="spinner mt-0.5 shrink-0 text-lg text-brand" aria-hidden />}
        <span className="grid gap-0.5">
          <span className="font-semibold">
            {asksByItself ? t('Checking your order…') : t('We couldn’t confirm your order')}
          </span>
          <span className="text-sm text-fg-2">
            {t('{quantity} × {product}, {duration}. We couldn’t confirm it yet.', {
              quantity,
              product: shownName,
              duration: durationText(duration),
            })}{' '}
            {t('Checking again is safe. You won’t be charged twice.')}
          </span>
        </span>
      </output>
      <FormError>{failure}</FormError>
      {failure && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={askAgain}>
            {t('Check again')}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void stop()}>
            {t('Stop waiting')}
          </Button>
        </div>
      )}
    </section>
  )
}
