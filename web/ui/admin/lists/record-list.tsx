import type { ComponentProps } from 'react'
import type { useListSearch } from '../../../platform/admin/list-search.ts'
import { SearchInput } from '../../fields/search-input.tsx'
import { DataTable } from './data-table.tsx'
import { ListPage } from './list-page.tsx'
import { Pagination } from './pagination.tsx'
import { StatusFilter } from './status-filter.tsx'

type Page = ComponentProps<typeof ListPage>
type Table<Row> = ComponentProps<typeof DataTable<Row>>
type Segments<Value extends string> = Omit<ComponentProps<typeof StatusFilter<Value>>, 'list'>

interface RecordListProps<Row, Value extends string>
  extends
    Omit<Page, 'search' | 'children'>,
    Pick<Table<Row>, 'rows' | 'columns' | 'face' | 'buttons' | 'empty' | 'failed' | 'skeletonRows' | 'cards'> {
  /** What can be done with a record, the most used first. */
  actionsOf?: Table<Row>['actions']
  /** Names the list to screen readers, where its heading does not. */
  label?: string
  /** The search and the page, as the address has them. */
  list: ReturnType<typeof useListSearch>
  /** Loads the rows. */
  query: { error: unknown; refetch: () => unknown; isPlaceholderData?: boolean }
  /** Of the search field. */
  search?: Pick<ComponentProps<typeof SearchInput>, 'label' | 'debounceMs'>
  /** The first that it offers is the usual one. */
  filter?: Segments<Value>
  /** Of a list that comes in pages. */
  paging?: Pick<ComponentProps<typeof Pagination>, 'pageSize' | 'isEstimate'> & { page?: number; total: number }
}

/** A screen that is one list of records, by what the address asks for: search, filter, rows and pages. */
export function RecordList<Row extends { _id: string }, Value extends string>({
  list,
  query,
  search,
  filter,
  paging,
  actionsOf,
  label,
  ...shown
}: RecordListProps<Row, Value>) {
  return (
    <ListPage
      {...(filter && {
        activeFilters: filter.value === filter.options[0]?.value ? 0 : 1,
        filters: <StatusFilter list={list} {...filter} />,
      })}
      {...(paging && paging.total > 0 && { footer: <Pagination page={list.page} {...paging} onPage={list.setPage} /> })}
      {...shown}
      search={search && <SearchInput {...search} value={list.search} onChange={list.setSearch} />}
    >
      <DataTable
        {...shown}
        label={label ?? shown.heading ?? shown.title}
        actions={actionsOf}
        rowKey={({ _id }) => _id}
        error={query.error}
        onRetry={query.refetch}
        stale={query.isPlaceholderData}
      />
    </ListPage>
  )
}
