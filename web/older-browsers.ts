/**
 * Adds what the oldest browsers served lack and this code calls (scripts/served-browsers.mjs). Imported before all
 * else, so that no other file has to think of it.
 */
function add(to: object, functions: Record<string, (this: unknown[], ...args: never[]) => unknown>): void {
  for (const [name, value] of Object.entries(functions))
    if (!(name in to)) Object.defineProperty(to, name, { value, writable: true, configurable: true })
}

add(Array.prototype, {
  toReversed() {
    return this.map((_, at) => this[this.length - 1 - at])
  },
  toSorted(order?: (one: unknown, other: unknown) => number) {
    return [...this].sort(order)
  },
})
