import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

const HUES = 8
const PATTERNS = ['rings', 'rays', 'grid'] as const

interface ProductCoverProps {
  name: string
  /** The product's own number, counting up. It sets hue and pattern, so that neighbours differ. */
  sequence: number
  /** The address of the product's own picture, if it has one. */
  picture?: string | undefined
  /** Makes it grey: out of stock or expired. */
  grey?: boolean
  /** On the screen at once, so that browsers fetch its picture with the page. */
  isFirst?: boolean
  /** Sets height and width, and the monogram's size by `[--monogram:64px]`. */
  className?: string
  /** Chips over it. */
  children?: ReactNode
}

/**
 * Shows a product's picture, or draws art by CSS. Decoration only, because the name is next to it. `<ProductCover name
 * sequence grey />`
 */
export function ProductCover({ name, sequence, picture, grey, isFirst, className, children }: ProductCoverProps) {
  return (
    <div
      className={cx('cover', className)}
      data-hue={(sequence * 3 + 1) % HUES}
      data-pattern={PATTERNS[sequence % PATTERNS.length]}
      data-grey={grey || undefined}
    >
      {picture ? (
        <img
          src={picture}
          alt=""
          width={640}
          height={640}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          decoding="async"
        />
      ) : (
        <span aria-hidden className="monogram">
          {monogram(name)}
        </span>
      )}
      {children}
    </div>
  )
}

/** Returns "SS" for "Skyforge Season Pass", "HE" for "Hexfall". */
function monogram(name: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => Array.from(word)[0]) : Array.from(words[0] ?? '').slice(0, 2)
  return letters.join('').toLocaleUpperCase('en')
}
