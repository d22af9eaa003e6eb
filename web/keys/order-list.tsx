import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { Product } from '../../contract/catalogue.ts'
import { coverSequence } from '../catalogue/cover-sequence.ts'
import type { KeyOrder } from './group-keys.ts'
import { KeyOrderCard } from './key-order-card.tsx'
import { useHydrated } from '../platform/use-hydrated.ts'
import { findable, hideUntilFound, textOf } from './until-found.ts'

export const orderGrid = 'grid min-w-0 gap-3 sm:gap-4 lg:grid-cols-2'

/** Cards in one part of the list. */
const PART_SIZE = 10
/** A card with one key, about; a part that has been seen is as high as it was. */
const CARD_HEIGHT_PX = 200
/** Parts this near to the screen are drawn. */
const MARGIN = '1200px'

interface OrderListProps {
  orders: readonly KeyOrder[]
  products: readonly Product[] | undefined
}

/**
 * The orders as cards, in parts of which only those near the screen are drawn: ten thousand keys would be half a
 * million elements, and each card has a clock.
 */
export function OrderList({ orders, products }: OrderListProps) {
  const parts: (readonly KeyOrder[])[] = []
  for (let at = 0; at < orders.length; at += PART_SIZE) parts.push(orders.slice(at, at + PART_SIZE))
  return (
    <div className="grid min-w-0 gap-3 sm:gap-4">
      {parts.map((part, index) => (
        <Part key={part[0]?.id} orders={part} products={products} isFirst={index === 0} />
      ))}
    </div>
  )
}

interface PartProps extends OrderListProps {
  isFirst: boolean
}

function Part({ orders, products, isFirst }: PartProps) {
  const { ref, isNear, heightPx } = useNearness(isFirst)
  if (!isNear) return <Gap ref={ref} heightPx={heightPx} orders={orders} />
  return (
    <div ref={ref} className={orderGrid}>
      {orders.map((order) => (
        <KeyOrderCard key={order.id} order={order} sequence={coverSequence(products, order.productId)} />
      ))}
    </div>
  )
}

function estimate(count: number): number {
  return Math.ceil(count / (matchMedia('(width >= 64rem)').matches ? 2 : 1)) * CARD_HEIGHT_PX
}

interface GapProps {
  ref: (element: HTMLElement | null) => void
  /** As it was last drawn, if it was. */
  heightPx: number | undefined
  orders: readonly KeyOrder[]
}

/**
 * As high as the part that it stands for; the height is set by script, as the content security policy asks. It holds
 * the part's words, which are not drawn, so that the browser's own "find in page" gets here all the same.
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

/** Whether an element is near the screen, and how high it was when it was last drawn. */
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
        // What has the focus stays, wherever it is scrolled to.
        const stays = entry.isIntersecting || entry.target.contains(document.activeElement)
        if (!stays) setHeight(entry.boundingClientRect.height)
        // Drawn in slices, between which the page goes on scrolling.
        startTransition(() => setNear(stays))
      },
      { rootMargin: `${MARGIN} 0px` },
    )
    observer.current.observe(element)
  }, [])
  return { ref, isNear, heightPx }
}
