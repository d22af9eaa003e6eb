import type { RefObject } from 'react'
import { Trash2 } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { files } from '../../platform/admin/download.ts'
import { Button } from '../../ui/button.tsx'
import { ExportButton } from '../../ui/admin/export-button.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { StatusFilter } from '../../ui/admin/status-filter.tsx'
import { exportName } from './export-name.ts'
import { DurationSelect, onlyDuration, ProductSelect } from './key-manager-place.tsx'
import { KEY_STATUSES, statusText } from './key-status.ts'
import type { KeyManager } from './use-key-manager.ts'

interface KeyFiltersProps {
  manager: KeyManager
  placeRef: RefObject<HTMLDivElement | null>
  onClear: () => void
}

/** Place and search of keys or batches; for keys also the status, the export and "Delete all". */
export function KeyFilters({ manager, placeRef, onClear }: KeyFiltersProps) {
  const { list, products, product, productId, duration, batchId, status, filter, keys, view, isBatches } = manager
  return (
    <>
      <div ref={placeRef} className="grid w-full gap-3 sm:grid-cols-2">
        <ProductSelect
          products={products.data}
          value={productId}
          onChange={(next) => manager.choose({ product: next, duration: onlyDuration(products.data, next) })}
        />
        <DurationSelect product={product} value={duration} onChange={(next) => manager.choose({ duration: next })} />
      </div>
      <SearchInput
        key={view}
        label={isBatches ? t('Search batches') : t('Search keys')}
        value={list.search}
        onChange={list.setSearch}
        className="w-full sm:w-72"
      />
      {!isBatches && (
        <>
          <StatusFilter
            list={list}
            label={t('Status')}
            value={status ?? 'all'}
            options={[
              { value: 'all', label: t('All') },
              ...KEY_STATUSES.map((value) => ({ value, label: statusText(value) })),
            ]}
            className="max-sm:w-full max-sm:[&>button]:px-1.5"
          />
          <div className="ml-auto grid grid-cols-2 gap-2 max-sm:w-full">
            <ExportButton
              name={exportName(product?.name, duration, batchId && 'batch', status)}
              disabled={keys.data?.keys.length === 0}
              fetch={(options) => files.keys.export(filter, options)}
            />
            <Button variant="secondary" icon={<Trash2 size={16} aria-hidden />} onClick={onClear}>
              {t('Delete all')}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
