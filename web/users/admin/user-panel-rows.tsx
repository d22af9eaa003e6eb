import type { ComponentProps, ReactNode } from 'react'
import { Loaded } from '../../ui/page/loaded.tsx'

interface RowsProps<Row> {
  query: ComponentProps<typeof Loaded<readonly Row[]>>['query']
  empty: ReactNode
  children: (row: Row) => ReactNode
}

export function Rows<Row>({ query, empty, children }: RowsProps<Row>) {
  return (
    <Loaded query={query} skeleton="mt-3 h-52">
      {(rows) => (rows.length === 0 ? empty : <ul className="divide-y divide-line">{rows.map(children)}</ul>)}
    </Loaded>
  )
}
