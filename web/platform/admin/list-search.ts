import type { Path, SearchOf } from '../navigation/navigation.ts'
import { navigate, useSearch } from '../navigation/router.tsx'

/** The screens whose address carries a page of a list. */
type ListPath = { [P in Path]: 'page' extends keyof SearchOf<P> ? P : never }[Path]

interface ListSearch {
  search?: string | undefined
  page?: number | undefined
  status?: string | undefined
}

const NOWHERE = { after: undefined, before: undefined }

/**
 * Keeps a list's search, page and status in the address, so that a reload, Back and a shared link show the same.
 *
 *   const list = useListSearch('/admin/user-manager')
 *   <SearchInput value={list.search} onChange={list.setSearch} … />
 *   <Pagination page={list.page} onPage={list.setPage} … />
 */
export function useListSearch(path: ListPath) {
  const { search = '', page = 0, status } = useSearch<ListPath>(path)
  const change = (part: ListSearch & Partial<Record<keyof typeof NOWHERE, string | undefined>>, replace: boolean) =>
    void navigate<ListPath>({
      // Every change leads to the first page of another list.
      search: (present) => ({ ...present, page: undefined, ...NOWHERE, request: undefined, ...part }),
      replace,
    })
  return {
    search,
    /** From 0. */
    page,
    status,
    /** Replaces the entry in the history, because Back should not undo a typed word. */
    setSearch: (text: string) => change({ search: text || undefined }, true),
    /** @param rows of this page. The next page begins after its last row, so that new rows move nothing */
    setPage: (next: number, rows: readonly { _id: string }[] = []) => {
      const beside = next > page ? { after: rows.at(-1)?._id } : { before: rows[0]?._id }
      change({ page: next || undefined, ...(next > 0 && beside) }, false)
      scrollTo(0, 0)
    },
    setStatus: (next: string | undefined) => change({ status: next }, false),
    /** Shows everything again, after a search that has found nothing. */
    clear: () => change({ search: undefined, status: undefined }, false),
    /** Shows everything of a list that at first shows a part. */
    showAll: () => change({ search: undefined, status: 'all' }, false),
  }
}
