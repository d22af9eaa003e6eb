import type { KeyBatch } from '../../../../contract/keys.ts'
import { t } from '../../../platform/i18n.ts'
import { formatCount } from '../../../platform/money.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Time } from '../../../ui/time.tsx'

/** Over the keys of one batch: which batch that is, what has become of it, and the way to all keys. */
export function BatchNotice({ batch, onLeave }: { batch: KeyBatch | undefined; onLeave: () => void }) {
  return (
    <div
      className={
        'flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control bg-brand-bg px-3.5 ' +
        'py-2 text-sm'
      }
    >
      {batch ? (
        <p className="min-w-0">
          <span className="font-semibold wrap-break-word">
            {batch.supplier ? t('Batch from {supplier}', { supplier: batch.supplier }) : t('Showing one batch')}
          </span>{' '}
          <span className="text-fg-2">
            <Time value={batch.createdAt} />
          </span>
          <span className="tabular block text-fg-2">
            {t('{added} added · {sold} sold · {left} left', {
              added: formatCount(batch.added),
              sold: formatCount(batch.sold),
              left: formatCount(batch.left),
            })}
          </span>
        </p>
      ) : (
        <p className="font-semibold">{t('Showing one batch')}</p>
      )}
      <Button size="sm" variant="secondary" onClick={onLeave}>
        {t('Show all keys')}
      </Button>
    </div>
  )
}
