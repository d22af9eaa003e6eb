import { Plus } from 'lucide-react'
import type { KeyBatch } from '../../../../contract/keys.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { ListPage } from '../../../ui/admin/lists/list-page.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Lines } from '../../../ui/page/loaded.tsx'
import { SearchInput } from '../../../ui/fields/search-input.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { BatchNotice } from './batch-notice.tsx'
import { KeyFilters } from './key-manager-filters.tsx'
import { KeyList, keyPagesOf } from './key-manager-lists.tsx'
import { StockList } from './key-stock-list.tsx'
import { useKeyActions, type FullKeys } from './use-key-actions.tsx'
import { useFullKeys, useKeyManager, type KeyManager } from '../use-key-manager.ts'

const BatchList = lazyPart(() => import('./key-batch-list.tsx').then((file) => file.BatchList), {
  waiting: <Lines className="h-96 wide:m-4" />,
  missing: 'line',
})
const saveWarranty = () => import('../../../claims/admin/save-warranty.ts').then((file) => file.saveWarranty)
const KeyImportDialog = lazyPart(() => import('../import/key-import-dialog.tsx').then((file) => file.KeyImportDialog))
const BatchEditDialog = lazyPart(() => import('./batch-edit-dialog.tsx').then((file) => file.BatchEditDialog))
const RecallDialog = lazyPart(() => import('../../../claims/admin/recall-dialog.tsx').then((file) => file.RecallDialog))
const BatchAnswerDialog = lazyPart(() =>
  import('../../../claims/admin/batch-answer-dialog.tsx').then((file) => file.BatchAnswerDialog),
)
const BatchUndo = lazyPart(() => import('./key-manager-deletions.tsx').then((file) => file.BatchUndo))
const KeyDeletion = lazyPart(() => import('./key-manager-deletions.tsx').then((file) => file.KeyDeletion))
const KeyEditDialog = lazyPart(() => import('./key-edit-dialog.tsx').then((file) => file.KeyEditDialog))

/** The stock of each duration, with “+ Keys”; one tap further the single keys, and the batches that they came in. */
export function KeyManagerScreen() {
  const manager = useKeyManager()
  const fullKeys = useFullKeys(manager)
  const { view, list, filter, after, productId, duration, status, keys, batches, products } = manager
  const more = useKeyActions(manager, fullKeys)
  const words = wordsOf(view)
  const add = (wanted: { productId?: string | undefined; duration?: string | undefined }) =>
    openDialog(KeyImportDialog, { wanted })
  const adding = (
    <Button
      icon={<Plus size={17} aria-hidden />}
      denied={denied(calls.keys.add)}
      onClick={() => add({ productId, duration })}
    >
      {t('Add keys')}
    </Button>
  )
  const rows = { stock: products.data, keys: keys.data?.keys, batches: batches.data?.batches }[view]
  const isEmpty = rows?.length === 0 && Object.keys(filter).length === 0 && after === undefined && list.page === 0
  return (
    <>
      <ListPage
        title={t('Keys')}
        heading={words.heading}
        views={(view !== 'stock' || !isEmpty) && <Views manager={manager} />}
        count={view === 'batches' ? batches.data?.total : undefined}
        actions={<div className={cx(view === 'keys' && 'max-wide:hidden')}>{adding}</div>}
        more={more}
        isEmpty={isEmpty}
        search={<SearchInput key={view} label={words.search} value={list.search} onChange={list.setSearch} />}
        {...(view !== 'stock' && {
          activeFilters: [productId, duration, status].filter(Boolean).length,
          filters: <KeyFilters manager={manager} />,
        })}
        notice={<KeyNotice manager={manager} fullKeys={fullKeys} />}
        footer={keyPagesOf(manager)}
      >
        {view === 'stock' && (
          <StockList manager={manager} onAdd={(product, wanted) => add({ productId: product, duration: wanted })} />
        )}
        {view === 'batches' && (
          <BatchList
            manager={manager}
            adding={adding}
            does={{
              edit: (batch) => openDialog(BatchEditDialog, { batch }),
              undo: (batch) => openDialog(BatchUndo, { batch }),
              recall,
              answer: (batch) => openDialog(BatchAnswerDialog, { batch }),
              warranty: (batch) => void saveWarranty().then((save) => save(batch)),
            }}
          />
        )}
        {view === 'keys' && (
          <KeyList
            manager={manager}
            adding={adding}
            onEdit={(row) => void fullKeys.withKey(row, (whole) => openDialog(KeyEditDialog, { row: whole }))}
            onRemove={(row) => void fullKeys.withKey(row, (whole) => openDialog(KeyDeletion, { row: whole }))}
          />
        )}
      </ListPage>
      {/* Beside the views and the menu a phone has no room for it. */}
      {view === 'keys' && !isEmpty && <div className="bottom-bar mt-4 grid wide:hidden">{adding}</div>}
    </>
  )
}

function wordsOf(view: KeyManager['view']) {
  return {
    stock: { heading: t('Stock'), search: t('Search products') },
    keys: { heading: t('Keys'), search: t('Search keys') },
    batches: { heading: t('Batches'), search: t('Search batches') },
  }[view]
}

const recall = (batch: KeyBatch) => openDialog(RecallDialog, { batch })

function Views({ manager: { view, show } }: { manager: KeyManager }) {
  return (
    <Segmented
      label={t('View')}
      value={view}
      onChange={show}
      options={[
        { value: 'stock', label: t('Stock') },
        { value: 'keys', label: t('Keys') },
        { value: 'batches', label: t('Batches') },
      ]}
      className="max-wide:[&>button]:px-2"
    />
  )
}

function KeyNotice({ manager, fullKeys }: { manager: KeyManager; fullKeys: FullKeys }) {
  const { products, batch, batchId, view } = manager
  return (
    <>
      {products.isError && !products.data && view !== 'stock' && (
        <FormError>{t('Couldn’t load products. Reload the page to try again.')}</FormError>
      )}
      {fullKeys.isCovered && (
        <p className="text-sm text-fg-2 max-wide:hidden">
          {t('Only the last characters of each key are shown. Confirm it’s you to see full keys.')}
        </p>
      )}
      {batchId && view === 'keys' && (
        <BatchNotice batch={batch.data} onRecall={recall} onLeave={() => manager.choose({})} />
      )}
    </>
  )
}
