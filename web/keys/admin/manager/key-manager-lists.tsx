import type { ReactNode } from 'react'
import { KeyRound } from 'lucide-react'
import type { AdminKey } from '../../../../contract/keys.ts'
import { t } from '../../../platform/i18n.ts'
import { DataTable } from '../../../ui/admin/lists/data-table.tsx'
import { Pagination } from '../../../ui/admin/lists/pagination.tsx'
import { Nothing } from '../../../ui/admin/lists/nothing.tsx'
import { actionsOf, columnsOf, faceOf } from './key-manager-columns.tsx'
import { CursorPages } from './key-manager-pages.tsx'
import { cursorOf } from '../key-manager-queries.ts'
import { BATCHES_PAGE_SIZE } from '../use-key-manager.ts'
import type { KeyManager } from '../use-key-manager.ts'

interface KeyListProps {
  manager: KeyManager
  adding: ReactNode
  onEdit: (row: AdminKey) => void
  onRemove: (row: AdminKey) => void
}

export function KeyList({ manager, adding, onEdit, onRemove }: KeyListProps) {
  const { list, keys, productId, duration, batchId, status, after } = manager
  const isFiltered = (status ?? batchId ?? after) !== undefined || list.search !== ''
  return (
    <DataTable
      label={t('Keys')}
      columns={columnsOf(!productId || !duration)}
      face={faceOf}
      actions={actionsOf({ edit: onEdit, remove: onRemove, isOneBatch: batchId !== undefined })}
      rows={keys.data?.keys}
      rowKey={(row) => row._id}
      error={keys.error}
      onRetry={keys.refetch}
      stale={keys.isPlaceholderData}
      skeletonRows={8}
      empty={
        <Nothing
          icon={<KeyRound size={22} />}
          first={
            !isFiltered && {
              title: t('No keys yet'),
              text: t('Add keys and buyers can buy them right away.'),
              action: adding,
            }
          }
          none={{
            search: list.search,
            title: t('No keys found'),
            text:
              list.search !== '' && !productId
                ? t('Enter the full key, or choose a product to search by part of a key.')
                : undefined,
            showAll: t('Show all keys'),
            onShowAll: () => manager.show('keys'),
          }}
        />
      }
    />
  )
}

/** Returns the footer of the list; null if there is only one page, so that no empty footer is drawn. */
export function keyPagesOf({ list, keys, batches, after, view }: KeyManager) {
  if (view === 'stock') return null
  if (view === 'batches') {
    if (!batches.data || batches.data.total <= BATCHES_PAGE_SIZE) return null
    return <Pagination page={list.page} pageSize={BATCHES_PAGE_SIZE} total={batches.data.total} onPage={list.setPage} />
  }
  if (!keys.data?.hasMore && after === undefined) return null
  return (
    <CursorPages
      page={list.page}
      after={after}
      count={keys.data?.keys.length}
      // While a page loads, the data is of the page before. A second click would start from there again.
      last={keys.isPlaceholderData ? undefined : lastOf(keys.data)}
    />
  )
}

function lastOf(data: { keys: AdminKey[]; hasMore: boolean } | undefined): string | undefined {
  const last = data?.hasMore ? data.keys.at(-1) : undefined
  return last && cursorOf(last)
}
