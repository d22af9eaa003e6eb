import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { ChevronDown } from 'lucide-react'
import { openLayer } from '../../platform/navigation/layers.ts'
import { useLocation } from '../../platform/navigation/router.tsx'
import { useHydrated } from '../../platform/use-hydrated.ts'

/** For a row that does not open, too. */
export const rowLook = 'flex min-h-12 items-center gap-3'

interface RowProps {
  /** A link to this part of the page opens the row. */
  id?: string | undefined
  /** Makes a taller row, with the value under the label. */
  icon?: ReactNode
  label: string
  /** Undefined while it loads. */
  value: ReactNode
  children: ReactNode
}

/** One line that opens in place: "Notice: Payments made between…". What is typed stays when it is closed. */
export function Row({ id, icon, label, value, children }: RowProps) {
  const { row, isMeant, wasOpened, ...marks } = useOpening(id)
  return (
    <details ref={row} id={id} open={isMeant} className="group scroll-mt-20" onToggle={marks.onToggle}>
      <summary className={`${rowLook} cursor-pointer rounded-control ${icon ? 'py-2.5' : ''}`} onClick={marks.onPress}>
        {icon && <span className="shrink-0 text-fg-3">{icon}</span>}
        {icon ? (
          <span className="min-w-0 flex-1">
            <span className="block font-medium">{label}</span>
            <span className="block text-sm wrap-anywhere text-fg-3">{value}</span>
          </span>
        ) : (
          <span className="min-w-0 flex-1 truncate text-fg-2">
            <span className="font-medium text-fg">{label}:</span> {value ?? '…'}
          </span>
        )}
        <ChevronDown size={17} aria-hidden className="shrink-0 text-fg-3 transition-transform group-open:rotate-180" />
      </summary>
      {wasOpened && <div className="pt-1 pb-4">{children}</div>}
    </details>
  )
}

/** Opens the row for a press or for a link to it. Back closes what a press has opened. */
function useOpening(id: string | undefined) {
  const { hash } = useLocation()
  // The server does not know what the address ends with
  const isMeant = useHydrated() && id !== undefined && hash === `#${id}`
  const [wasOpened, setWasOpened] = useState(isMeant)
  const [isByHand, setByHand] = useState(false)
  if (isMeant && !wasOpened) setWasOpened(true)
  const row = useRef<HTMLDetailsElement>(null)
  const isPressed = useRef(false)
  const isOpenedByLink = useRef(isMeant)
  // A press before the scripts came has opened it without a word to them
  useEffect(() => {
    if (!row.current?.open || isOpenedByLink.current) return
    setWasOpened(true)
    setByHand(true)
  }, [])
  useLayoutEffect(() => {
    if (!isByHand) return undefined
    return openLayer(() => {
      if (row.current) row.current.open = false
      // Without waiting for the toggle event. Until that comes, the history would get the entry again
      setByHand(false)
    })
  }, [isByHand])
  return {
    row,
    isMeant,
    wasOpened,
    onPress: () => {
      isPressed.current = true
    },
    onToggle: ({ currentTarget: { open } }: { currentTarget: HTMLDetailsElement }) => {
      if (open) setWasOpened(true)
      setByHand(open && isPressed.current)
      isPressed.current = false
    },
  }
}
