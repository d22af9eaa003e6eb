import { t } from '../../../platform/i18n.ts'
import { StatusFilter } from '../../../ui/admin/lists/status-filter.tsx'
import { DurationSelect, onlyDuration, ProductSelect } from '../key-manager-place.tsx'
import { KEY_STATUSES, statusText } from '../key-status.ts'
import type { KeyManager } from '../use-key-manager.ts'

/** Narrows keys or batches to a place; keys also by status. */
export function KeyFilters({ manager }: { manager: KeyManager }) {
  const { list, products, product, productId, duration, status, view } = manager
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 wide:w-120">
        <ProductSelect
          products={products.data}
          value={productId}
          none={t('All products')}
          onChange={(next) => manager.choose({ product: next, duration: onlyDuration(products.data, next) })}
        />
        <DurationSelect
          product={product}
          value={duration}
          none={t('All durations')}
          onChange={(next) => manager.choose({ duration: next })}
        />
      </div>
      {view === 'keys' && (
        <StatusFilter
          list={list}
          label={t('Status')}
          value={status ?? 'all'}
          options={[
            { value: 'all', label: t('All') },
            ...KEY_STATUSES.map((value) => ({ value, label: statusText(value) })),
          ]}
          className="wide:self-end max-sm:[&>button]:px-1.5"
        />
      )}
    </>
  )
}
