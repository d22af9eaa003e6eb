import type { RefObject } from 'react'
import { t } from '../../platform/i18n.ts'
import { SearchInput } from '../../ui/search-input.tsx'
import { StatusFilter } from '../../ui/admin/status-filter.tsx'
import { DurationSelect, onlyDuration, ProductSelect } from './key-manager-place.tsx'
import { KEY_STATUSES, statusText } from './key-status.ts'
import type { KeyManager } from './use-key-manager.ts'

interface KeyFiltersProps {
  manager: KeyManager
  placeRef: RefObject<HTMLDivElement | null>
}

/** Narrows keys or batches to a place; keys also by status. */
export function KeyFilters({ manager, placeRef }: KeyFiltersProps) {
  const { list, products, product, productId, duration, status, isBatches } = manager
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
      {!isBatches && (
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
      )}
    </>
  )
}

export function KeySearch({ manager: { list, view, isBatches } }: Pick<KeyFiltersProps, 'manager'>) {
  return (
    <SearchInput
      key={view}
      label={isBatches ? t('Search batches') : t('Search keys')}
      value={list.search}
      onChange={list.setSearch}
    />
  )
}
