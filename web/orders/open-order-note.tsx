import { useEffect, useRef } from 'react'
import { confirm } from '../ui/confirm.ts'
import { t } from '../platform/i18n.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/form-error.tsx'
import type { PendingPurchase } from './pending-purchase.ts'
import { askAgain, giveUp } from './purchase.ts'

interface OpenOrderNoteProps {
  purchase: PendingPurchase
  failure: string | undefined
  asksByItself: boolean
}

/** An order whose answer was lost: what is being done about it, and that it costs nothing twice. */
export function OpenOrderNote({ purchase, failure, asksByItself }: OpenOrderNoteProps) {
  const { productName, duration, quantity } = purchase
  const note = useRef<HTMLElement>(null)
  // On a phone the button that was pressed is at the other end of the screen.
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'center' })
  }, [])
  const stop = async () => {
    const yes = await confirm({
      title: t('Stop asking about this order?'),
      body: t('If it went through after all, its keys are in My Key and its price is in your wallet history.'),
      confirmLabel: t('Stop asking'),
      cancelLabel: t('Keep asking'),
    })
    if (yes) giveUp()
  }
  return (
    <section
      ref={note}
      aria-label={t('Open order')}
      className="grid gap-3 rounded-card border border-line-2 bg-surface p-4"
    >
      <output className="flex gap-3">
        {asksByItself && <span className="spinner mt-0.5 shrink-0 text-lg text-brand" aria-hidden />}
        <span className="grid gap-0.5">
          <span className="font-semibold">
            {asksByItself ? t('Finding out what became of your order…') : t('It is open what became of your order')}
          </span>
          <span className="text-sm text-fg-2">
            {t('{quantity} × {product}, {duration}. Its answer was lost on the way.', {
              quantity,
              product: productName,
              duration,
            })}{' '}
            {t('The same order is asked for again, so you pay for it once.')}
          </span>
        </span>
      </output>
      <FormError>{failure}</FormError>
      {failure && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={askAgain}>
            {t('Ask again now')}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void stop()}>
            {t('Stop asking')}
          </Button>
        </div>
      )}
    </section>
  )
}
