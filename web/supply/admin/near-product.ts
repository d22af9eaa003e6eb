import type { TheirPrice } from '../../../contract/supply.ts'

interface Own {
  product: string
  duration: string
}

const words = (name: string) => name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
/** The same for both stores if it is the same thing. Capitals and signs don’t count. */
export const nameOf = ({ name, duration }: Pick<TheirPrice, 'name' | 'duration'>): string =>
  `${words(name).join(' ')}, ${duration}`

/** Their list, what is most like `own` first: by the words of its name, then by its duration. */
export function nearestFirst(own: Own | undefined, theirs: readonly TheirPrice[]): readonly TheirPrice[] {
  if (!own) return theirs
  const wanted = new Set(words(own.product))
  const ranked = theirs.map((each) => {
    const named = words(each.name)
    const shared = new Set(named.filter((word) => wanted.has(word))).size
    const isAsLong = each.duration === own.duration ? 0.1 : 0
    return { each, likeness: (2 * shared) / Math.max(1, wanted.size + named.length) + isAsLong }
  })
  return ranked.toSorted((a, b) => b.likeness - a.likeness).map(({ each }) => each)
}
