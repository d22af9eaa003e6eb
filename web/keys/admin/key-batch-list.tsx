import { KeyRound, Undo2 } from 'lucide-react'
import type { KeyBatch } from '../../../contract/keys.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees, timesRupees } from '../../platform/money.ts'
import { Link } from '../../platform/router.tsx'
import { toast } from '../../platform/toast.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import type { Column } from '../../ui/admin/data-table.tsx'
import { DeleteDialog } from '../../ui/admin/delete-dialog.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Time } from '../../ui/time.tsx'
import { EditButton } from '../../ui/admin/row-buttons.tsx'
import { undoFailure } from './key-failures.ts'
import { useUndoBatch } from './key-manager-queries.ts'

/** From this many keys on, the admin types the duration before the undo. */
const TYPE_TO_UNDO_FROM = 100

/** True if no key of the batch was sold, edited or undone. */
function canUndo({ sold, edited, left, undoneAt }: KeyBatch): boolean {
  return undoneAt === null && sold === 0 && edited === 0 && left > 0
}

interface BatchActions {
  edit: (batch: KeyBatch) => void
  undo: (batch: KeyBatch) => void
}

/** Columns of the imports: when and from where, what it cost, and what has become of it. */
export function batchColumns({ edit, undo }: BatchActions): Column<KeyBatch>[] {
  return [
    {
      key: 'batch',
      title: t('Batch'),
      card: 'title',
      className: 'min-w-48',
      cell: ({ productId, duration, supplier, note }) => (
        <>
          <Link
            to="/admin/key-manager"
            search={{ product: productId._id, duration }}
            className="font-medium wrap-break-word hover:underline"
          >
            {productId.name}
          </Link>
          <span className="block text-sm text-fg-2">{duration}</span>
          {supplier && <span className="block text-xs wrap-break-word text-fg-3">{supplier}</span>}
          {note && <span className="block text-xs wrap-break-word text-fg-3">{note}</span>}
        </>
      ),
    },
    {
      key: 'imported',
      title: t('Added on'),
      className: 'px-2.5!',
      cell: ({ createdAt, createdBy }) => (
        <>
          <Time value={createdAt} format="date" className="whitespace-nowrap" />
          <span className="block text-xs text-fg-3">{createdBy ?? t('Unknown')}</span>
        </>
      ),
    },
    { key: 'keys', title: t('Keys'), className: 'w-52 px-2.5!', cell: (batch) => <Figures batch={batch} /> },
    {
      key: 'cost',
      title: t('Cost'),
      className: 'px-2.5!',
      cell: ({ costPerKey, added }) =>
        costPerKey === null ? null : (
          <>
            <span className="tabular whitespace-nowrap">{t('{cost} per key', { cost: formatRupees(costPerKey) })}</span>
            <span className="tabular block text-xs whitespace-nowrap text-fg-3">
              {t('Total {total}', { total: formatRupees(timesRupees(costPerKey, added)) })}
            </span>
          </>
        ),
    },
    { key: 'state', title: t('Status'), card: 'chip', className: 'w-28 px-2.5!', cell: stateOf },
    {
      key: 'actions',
      title: t('Actions'),
      card: 'actions',
      cell: (batch) => (
        <>
          {canUndo(batch) && (
            <Button
              size="sm"
              variant="secondary"
              icon={<Undo2 size={15} aria-hidden />}
              aria-label={t('Undo batch of {product}, {duration}: {count, plural, one {# key} other {{text} keys}}', {
                product: batch.productId.name,
                duration: batch.duration,
                count: batch.left,
                text: formatCount(batch.left),
              })}
              onClick={() => undo(batch)}
            >
              {t('Undo')}
            </Button>
          )}
          {batch.sold + batch.left > 0 && (
            <Link
              to="/admin/key-manager"
              search={{ product: batch.productId._id, duration: batch.duration, batch: batch._id }}
              aria-label={t('Keys of the batch of {product}, {duration}, {supplier}', namesOf(batch))}
              className={buttonClass({ size: 'sm', variant: 'secondary' })}
            >
              <KeyRound size={15} aria-hidden />
              {t('Keys')}
            </Link>
          )}
          <EditButton
            label={t('Edit the batch of {product}, {duration}, {supplier}', namesOf(batch))}
            onClick={() => edit(batch)}
          />
        </>
      ),
    },
  ]
}

function namesOf({ productId, duration, supplier }: KeyBatch) {
  return { product: productId.name, duration, supplier: supplier || t('no supplier') }
}

function Figures({ batch: { added, sold, left, removed, undoneAt } }: { batch: KeyBatch }) {
  return (
    <span className="tabular grid min-w-44 gap-1">
      <span>
        {t('{added} added · {sold} sold · {left} left', {
          added: formatCount(added),
          sold: formatCount(sold),
          left: formatCount(left),
        })}
      </span>
      {undoneAt === null && <ShareBar share={added === 0 ? 0 : sold / added} />}
      {removed > 0 && undoneAt === null && (
        <span className="text-xs text-fg-3">{t('{count} deleted', { count: formatCount(removed) })}</span>
      )}
    </span>
  )
}

function stateOf(batch: KeyBatch) {
  if (batch.undoneAt !== null) return <Chip>{t('Undone')}</Chip>
  if (batch.left === 0) return <Chip>{t('All sold')}</Chip>
  return canUndo(batch) ? <Chip tone="info">{t('Unsold')}</Chip> : <Chip tone="ok">{t('In use')}</Chip>
}

interface BatchUndoProps {
  batch: KeyBatch
  open: boolean
  onClose: () => void
}

export function BatchUndo({ batch, ...dialog }: BatchUndoProps) {
  const undo = useUndoBatch()
  const { productId, duration, left, supplier } = batch
  return (
    <DeleteDialog
      {...dialog}
      title={t('Undo this batch of {product}, {duration}?', { product: productId.name, duration })}
      confirmLabel={t('Undo batch')}
      failure={undoFailure}
      {...(left >= TYPE_TO_UNDO_FROM && { typeToConfirm: duration })}
      action={async () => {
        const { deletedCount } = await undo.mutateAsync(batch)
        toast(
          t('{count, plural, one {# key removed} other {{text} keys removed}}', {
            count: deletedCount,
            text: formatCount(deletedCount),
          }),
        )
      }}
    >
      <p>
        {t('{count, plural, one {# key} other {All {text} keys}} will be deleted from stock.', {
          count: left,
          text: formatCount(left),
        })}
      </p>
      {supplier && <p>{t('Supplier: {supplier}', { supplier })}</p>}
      <p>{t('If a buyer buys one of these keys first, the batch can’t be undone.')}</p>
    </DeleteDialog>
  )
}

/** Over the keys of one batch: which batch that is, what has become of it, and the way to all keys. */
export function BatchNotice({ batch, onLeave }: { batch: KeyBatch | undefined; onLeave: () => void }) {
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control bg-brand-bg px-3.5 py-2 text-sm">
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
