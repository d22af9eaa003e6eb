import type { ComponentProps } from 'react'
import { Segmented } from '../../fields/segmented.tsx'

interface StatusFilterProps<Value extends string> extends Omit<ComponentProps<typeof Segmented<Value>>, 'onChange'> {
  /** From `useListSearch`. */
  list: { search: string; setStatus: (status: string | undefined) => void }
}

/**
 * Chooses which rows a list shows. The first choice is the usual one, so it is not kept in the address. With a
 * search it is, because a search alone looks everywhere.
 */
export function StatusFilter<Value extends string>({ list, ...segmented }: StatusFilterProps<Value>) {
  return (
    <Segmented
      {...segmented}
      onChange={(next) => list.setStatus(next === segmented.options[0]?.value && !list.search ? undefined : next)}
    />
  )
}
