import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { Product } from '../../contract/catalogue.ts'
import { coverOf } from '../catalogue/cover-of.ts'
import type { KeyOrder } from './group-keys.ts'
import { KeyOrderCard } from './key-order-card.tsx'
import { useHydrated } from '../platform/use-hydrated.ts'
import { KeysAtLeast } from './keys-at-least.tsx'
import { findable, hideUntilFound, textOf } from './until-found.ts'

export const orderGrid = 'grid min-w-0 items-start gap-3 sm:gap-4 lg:grid-cols-2'

/** Cards per part of the list, beside an open one at its start, which has a row to itself. */
const PART_SIZE = 10
/** Approximate height of a card with one key, in px. A part seen before keeps its measured height. */
const CARD_HEIGHT_PX = 176
/** Parts within this distance of the screen are drawn. */
const MARGIN = '1200px'

interface OrderListProps {
  orders: readonly KeyOrder[]
  products: readonly Product[] | undefined
  /** The order that begins with its details open. */
  openId?: string | undefined
}

/**
 * Draws only the parts of the list near the screen. Ten thousand keys would be half a million elements, and each card
 * has a clock.
 */
export function OrderList({ orders, products, openId }: OrderListProps) {
  const parts: (readonly KeyOrder[])[] = []
  for (let at = 0, end = PART_SIZE + (openId ? 1 : 0); at < orders.length; at = end, end += PART_SIZE)
    parts.push(orders.slice(at, end))
  return (
    <div className="grid min-w-0 gap-3 sm:gap-4">
      {parts.map((part, index) => (
        <Part key={part[0]?.id} orders={part} products={products} openId={openId} isFirst={index === 0} />
      ))}
    </div>
  )
}

interface PartProps extends OrderListProps {
  isFirst: boolean
}

function Part({ orders, products, openId, isFirst }: PartProps) {
  const { ref, isNear, heightPx } = useNearness(isFirst)
  if (!isNear) return <Gap ref={ref} heightPx={heightPx} orders={orders} />
  return (
    <div ref={ref} className={orderGrid}>
      {orders.map((order) => (
        <KeysAtLeast key={order.id} keys={order.keys}>
          <KeyOrderCard order={order} cover={coverOf(products, order.productId)} isOpen={order.id === openId} />
        </KeysAtLeast>
      ))}
    </div>
  )
}

function estimate(count: number): number {
  return Math.ceil(count / (matchMedia('(min-width: 64rem)').matches ? 2 : 1)) * CARD_HEIGHT_PX
}

interface GapProps {
  ref: (element: HTMLElement | null) => void
  /** Height when last drawn, in px. Undefined if never drawn. */
  heightPx: number | undefined
  orders: readonly KeyOrder[]
}

/**
 * Keeps the height of the part that it replaces. A script sets it, because the content security policy forbids style
 * attributes. It holds the part's undrawn text, so that the browser's "find in page" still works.
 */
function Gap({ ref, heightPx, orders }: GapProps) {
  const isAlive = useHydrated()
  const place = useCallback(
    (element: HTMLElement | null) => {
      if (element) element.style.height = `${heightPx ?? estimate(orders.length)}px`
      hideUntilFound(element)
      ref(element)
    },
    [ref, heightPx, orders.length],
  )
  const words = () => orders.map(({ productName, keys }) => `${productName} ${textOf(keys)}`).join(' ')
  return <div ref={place}>{isAlive && findable(words)}</div>
}

/** Reports if an element is near the screen, and its height when last drawn. */
function useNearness(atFirst: boolean) {
  const [isNear, setNear] = useState(atFirst)
  const [heightPx, setHeight] = useState<number>()
  const observer = useRef<IntersectionObserver>(undefined)
  useEffect(() => () => observer.current?.disconnect(), [])
  const ref = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (!element) return
    observer.current = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (!entry) return
        // Keeps a part with the focus, wherever it is scrolled to.
        const stays = entry.isIntersecting || entry.target.contains(document.activeElement)
        if (!stays) setHeight(entry.boundingClientRect.height)
        // Draws in slices, so that the page can scroll in between.
        startTransition(() => setNear(stays))
      },
      { rootMargin: `${MARGIN} 0px` },
    )
    observer.current.observe(element)
  }, [])
  return { ref, isNear, heightPx }
}
