import { useRef } from 'react'
import { Eye, Plus, Trash2 } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { ListPage } from '../../ui/admin/list-page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { BatchNotice } from './key-batch-list.tsx'
import { KeyManagerDialogs, useKeyDialogs } from './key-manager-dialogs.tsx'
import { files } from '../../platform/admin/download.ts'
import { useExport } from '../../ui/admin/export-action.tsx'
import { exportName } from './export-name.ts'
import { KeyFilters, KeySearch } from './key-manager-filters.tsx'
import { BatchList, KeyList, keyPagesOf } from './key-manager-lists.tsx'
import { useFullKeys, useKeyManager, type KeyManager } from './use-key-manager.ts'

/** The stock: choose a product and duration, then list, add, edit and delete its keys, or look at its batches. */
export function KeyManagerScreen() {
  const placeRef = useRef<HTMLDivElement>(null)
  const manager = useKeyManager(placeRef)
  const fullKeys = useFullKeys(manager)
  const dialogs = useKeyDialogs()
  const { price, view, isBatches, batches, withPlace } = manager
  const saving = useExport({
    name: exportName(manager.product?.name, manager.duration, manager.batchId && 'batch', manager.status),
    disabled: manager.keys.data?.keys.length === 0,
    fetch: (options) => files.keys.export(manager.filter, options),
  })
  const clearing = {
    label: t('Delete all'),
    icon: <Trash2 size={17} aria-hidden />,
    danger: true,
    run: () => withPlace((place) => dialogs.clearing.show({ place, available: price?.available ?? 0 })),
  }
  return (
    <ListPage
      title={t('Keys')}
      heading={isBatches ? t('Batches') : t('Keys')}
      count={isBatches ? batches.data?.total : undefined}
      views={
        <Segmented
          label={t('View')}
          value={view ?? 'keys'}
          onChange={manager.showAll}
          options={[
            { value: 'keys', label: t('Keys') },
            { value: 'batches', label: t('Batches') },
          ]}
        />
      }
      actions={
        <Button
          icon={<Plus size={17} aria-hidden />}
          onClick={() => withPlace((place) => dialogs.importer.show({ place }))}
        >
          {t('Add keys')}
        </Button>
      }
      more={isBatches ? [] : [saving, clearing]}
      search={<KeySearch manager={manager} />}
      activeFilters={[manager.productId, manager.duration, manager.status].filter(Boolean).length}
      filters={<KeyFilters manager={manager} placeRef={placeRef} />}
      notice={<KeyNotice manager={manager} fullKeys={fullKeys} />}
      footer={keyPagesOf(manager)}
    >
      {isBatches ? (
        <BatchList
          manager={manager}
          onEdit={(batch) => dialogs.batchEditor.show({ batch })}
          onUndo={(batch) => dialogs.undoing.show({ batch })}
        />
      ) : (
        <KeyList
          manager={manager}
          onEdit={(row) => void fullKeys.withKey(row, (whole) => dialogs.editor.show({ row: whole }))}
          onRemove={(row) => void fullKeys.withKey(row, (whole) => dialogs.deletion.show({ row: whole }))}
        />
      )}
      <KeyManagerDialogs dialogs={dialogs} />
    </ListPage>
  )
}

interface KeyNoticeProps {
  manager: KeyManager
  fullKeys: ReturnType<typeof useFullKeys>
}

function KeyNotice({ manager, fullKeys }: KeyNoticeProps) {
  const { products, batch, batchId, isBatches } = manager
  if (manager.isPlaceMissing) return <FormError>{t('Please select a product and duration first.')}</FormError>
  return (
    <>
      {products.isError && !products.data && (
        <FormError>{t('Couldn’t load products. Reload the page to try again.')}</FormError>
      )}
      {fullKeys.isCovered && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-fg-2">
          {t('Only the last characters of each key are shown. Confirm it’s you to see full keys.')}
          <Button
            variant="secondary"
            icon={<Eye size={16} aria-hidden />}
            pending={fullKeys.isUncovering}
            onClick={() => void fullKeys.uncover()}
          >
            {t('Show full keys')}
          </Button>
        </p>
      )}
      {batchId && !isBatches && <BatchNotice batch={batch.data} onLeave={() => manager.choose({})} />}
    </>
  )
}
