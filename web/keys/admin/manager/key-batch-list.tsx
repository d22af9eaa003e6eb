import {
  FileSpreadsheet,
  KeyRound,
  MessagesSquare,
  MessageSquareWarning,
  Package,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { KeyBatch } from '../../../../contract/keys.ts'
import { looksBad } from '../../../claims/admin/looks-bad.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { durationText, t, variantText } from '../../../platform/i18n.ts'
import { counted, formatCount, formatRupees, timesRupees } from '../../../platform/money.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { ShareBar } from '../../../ui/admin/share-bar.tsx'
import { Time } from '../../../ui/time.tsx'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import type { RecordFace } from '../../../ui/admin/lists/record-card.tsx'
import { DataTable, type Column } from '../../../ui/admin/lists/data-table.tsx'
import { Nothing } from '../../../ui/admin/lists/nothing.tsx'
import type { KeyManager } from '../use-key-manager.ts'
import { editing } from '../../../ui/admin/lists/usual-actions.tsx'
import { BatchClaims, canRecall } from './batch-notice.tsx'

/** True if no key of the batch was sold, edited or undone. */
function canUndo({ sold, edited, left, undoneAt }: KeyBatch): boolean {
  return undoneAt === null && sold === 0 && edited === 0 && left > 0
}

interface BatchActions {
  edit: (batch: KeyBatch) => void
  undo: (batch: KeyBatch) => void
  recall: (batch: KeyBatch) => void
  answer: (batch: KeyBatch) => void
  /** Saves the list for the supplier. */
  warranty: (batch: KeyBatch) => void
}

/** Columns of the imports: when and from where, what it cost, and what has become of it. */
function batchColumns(): Column<KeyBatch>[] {
  return [
    {
      title: t('Batch'),
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
          <span className="block text-sm text-fg-2">{durationText(duration)}</span>
          {supplier && <span className="block text-xs wrap-break-word text-fg-3">{supplier}</span>}
          {note && <span className="block text-xs wrap-break-word text-fg-3">{note}</span>}
        </>
      ),
    },
    {
      title: t('Added on'),
      className: 'px-2.5!',
      fact: ({ createdAt }) => <Time value={createdAt} format="date" />,
      cell: ({ createdAt }) => <Time value={createdAt} format="date" className="whitespace-nowrap" />,
      small: ({ createdBy }) => createdBy ?? t('Unknown'),
    },
    { title: t('Keys'), className: 'w-52 px-2.5!', card: 'children', cell: (batch) => <Figures batch={batch} /> },
    {
      title: t('Cost'),
      className: 'tabular px-2.5! whitespace-nowrap',
      fact: costText,
      cell: costText,
      small: ({ costPerKey, added }) =>
        costPerKey !== null && t('Total {total}', { total: formatRupees(timesRupees(costPerKey, added)) }),
    },
    { title: t('Status'), className: 'w-28 px-2.5!', card: 'state', cell: stateOf },
  ]
}

const costText = ({ costPerKey }: KeyBatch) =>
  costPerKey !== null && t('{cost} per key', { cost: formatRupees(costPerKey) })

const batchFace = ({ productId, duration, supplier, note }: KeyBatch): RecordFace => ({
  name: variantText(productId.name, duration),
  caption: [supplier, note].filter(Boolean).join(' · '),
})

function batchActions(batch: KeyBatch, does: BatchActions): Action[] {
  const { edit, undo } = does
  const { productId, duration, left, sold } = batch
  const { first, others } = claimActions(batch, does)
  return [
    ...first,
    ...(sold + left > 0
      ? [
          {
            label: t('Keys'),
            name: t('Keys of the batch of {product}, {duration}, {supplier}', namesOf(batch)),
            icon: <KeyRound size={17} aria-hidden />,
            link: {
              to: '/admin/key-manager' as const,
              search: { product: productId._id, duration, batch: batch._id },
            },
          },
        ]
      : []),
    editing({
      name: t('Edit the batch of {product}, {duration}, {supplier}', namesOf(batch)),
      run: () => edit(batch),
    }),
    ...others,
    ...(canUndo(batch)
      ? [
          {
            label: t('Undo'),
            name: t('Undo batch of {product}, {duration}: {count, plural, one {# key} other {{text} keys}}', {
              product: productId.name,
              duration: durationText(duration),
              ...counted(left),
            }),
            icon: <Undo2 size={17} aria-hidden />,
            danger: true,
            run: () => undo(batch),
          },
        ]
      : []),
  ]
}

/** What follows from bad keys. What is urgent comes first: the recall of a bad batch, and the answer to open claims. */
function claimActions(batch: KeyBatch, { recall, answer, warranty }: BatchActions) {
  const { _id, claims, openClaims } = batch
  const isBad = canRecall(batch) && looksBad(batch)
  const named = (label: string) => ({
    label,
    name: t('{label}: batch of {product}, {duration}, {supplier}', { label, ...namesOf(batch) }),
  })
  const answering: Action = {
    ...named(t('Answer claims')),
    label: t('Answer'),
    icon: <MessagesSquare size={17} aria-hidden />,
    denied: denied(calls.claims.answerAll),
    run: () => answer(batch),
  }
  const looking: Action = {
    ...named(t('Claims')),
    icon: <MessageSquareWarning size={17} aria-hidden />,
    link: { to: '/admin/claims', search: { batch: _id } },
  }
  const listing: Action = {
    ...named(t('Warranty list')),
    icon: <FileSpreadsheet size={17} aria-hidden />,
    denied: denied(calls.claims.warranty),
    run: () => warranty(batch),
  }
  const recalling: Action = {
    ...named(t('Recall')),
    icon: <TriangleAlert size={17} aria-hidden />,
    danger: !isBad,
    denied: denied(calls.claims.recall),
    run: () => recall(batch),
  }
  return {
    first: [...(isBad ? [recalling] : []), ...(openClaims > 0 ? [answering] : [])],
    others: [
      ...(claims + openClaims > 0 ? [looking, listing] : []),
      ...(canRecall(batch) && !isBad ? [recalling] : []),
    ],
  }
}

function namesOf({ productId, duration, supplier }: KeyBatch) {
  return { product: productId.name, duration: durationText(duration), supplier: supplier || t('no supplier') }
}

function Figures({ batch }: { batch: KeyBatch }) {
  const { added, sold, left, removed, undoneAt } = batch
  return (
    <span className="tabular grid gap-1 wide:min-w-44">
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
      <BatchClaims batch={batch} />
    </span>
  )
}

function stateOf(batch: KeyBatch) {
  if (batch.recalledAt !== null) return <Chip tone="bad">{t('Recalled')}</Chip>
  if (batch.undoneAt !== null) return <Chip>{t('Undone')}</Chip>
  if (batch.left === 0) return <Chip>{t('All sold')}</Chip>
  return canUndo(batch) ? <Chip tone="info">{t('Unsold')}</Chip> : <Chip tone="ok">{t('In use')}</Chip>
}

/** A batch's card is taller than most. */
const BATCH_CARDS = 8

interface BatchListProps {
  manager: KeyManager
  /** The button that ends an empty list. */
  adding: ReactNode
  /** What can be done with a batch. */
  does: BatchActions
}

export function BatchList({ manager: { filter, batches, choose }, adding, does }: BatchListProps) {
  return (
    <DataTable
      label={t('Batches')}
      columns={batchColumns()}
      face={batchFace}
      actions={(batch) => batchActions(batch, does)}
      rows={batches.data?.batches}
      rowKey={(batch) => batch._id}
      error={batches.error}
      onRetry={batches.refetch}
      stale={batches.isPlaceholderData}
      skeletonRows={8}
      cards={BATCH_CARDS}
      empty={
        <Nothing
          icon={<Package size={22} />}
          first={
            Object.keys(filter).length === 0 && {
              title: t('No batches yet'),
              text: t('Each time you add keys, they form a batch. You can note its supplier and cost, and undo it.'),
              action: adding,
            }
          }
          none={{
            search: filter.search ?? '',
            title: t('No batches found'),
            showAll: t('Show all batches'),
            onShowAll: () => choose({ product: undefined, duration: undefined, search: undefined }),
          }}
        />
      }
    />
  )
}
