/** `ids` with one of them at another place, counted from 0. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((each) => each !== id)
  const place = Math.max(0, Math.min(others.length, to))
  return [...others.slice(0, place), id, ...others.slice(place)]
}

/** `ids` as in `chosen`; those that it does not name follow, as they were. */
export function inOrder(ids: readonly string[], chosen: readonly string[] | undefined): readonly string[] {
  if (!chosen) return ids
  const place = new Map(chosen.map((id, index) => [id, index]))
  const placeOf = (id: string) => place.get(id) ?? chosen.length
  return ids.toSorted((one, other) => placeOf(one) - placeOf(other))
}
