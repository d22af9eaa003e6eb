/** Returns only the members that differ, so that a save overwrites nothing else. Another admin may have changed it. */
export function changesOf<Terms extends object>(wanted: Terms, before: Terms): Partial<Terms> {
  const known: Partial<Record<string, unknown>> = { ...before }
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name])),
  ) as Partial<Terms>
}
