import type { Path, SearchOf } from '../navigation/navigation.ts'
import { navigate, useSearch } from '../navigation/router.tsx'

/** The screens whose address carries a page of a list. */
type ListPath = { [P in Path]: 'page' extends keyof SearchOf<P> ? P : never }[Path]

interface ListSearch {
  search?: string | undefined
  page?: number | undefined
  status?: string | undefined
}

/**
 * Keeps a list's search, page and status in the address, so that a reload, Back and a shared link show the same.
 *
 *   const list = useListSearch('/admin/user-manager')
 *   <SearchInput value={list.search} onChange={list.setSearch} … />
 *   <Pagination page={list.page} onPage={list.setPage} … />
 */
export function useListSearch(path: ListPath) {
  const { search = '', page = 0, status } = useSearch<ListPath>(path)
  const change = (part: ListSearch, replace: boolean) =>
    void navigate<ListPath>({
      // Every change leads to the first page of another list.
      search: (present) => ({ ...present, page: undefined, after: undefined, request: undefined, ...part }),
      replace,
    })
  return {
    search,
    /** From 0. */
    page,
    status,
    /** Replaces the entry in the history, because Back should not undo a typed word. */
    setSearch: (text: string) => change({ search: text || undefined }, true),
    setPage: (next: number) => {
      change({ page: next || undefined }, false)
      scrollTo(0, 0)
    },
    setStatus: (next: string | undefined) => change({ status: next }, false),
    /** Shows everything again, after a search that has found nothing. */
    clear: () => change({ search: undefined, status: undefined }, false),
    /** Shows everything of a list that at first shows a part. */
    showAll: () => change({ search: undefined, status: 'all' }, false),
  }
}
