/** "Orbit Arena Pro", "10 Days" → "keys-orbit-arena-pro-10-days.csv" */
export function exportName(...parts: (string | undefined)[]): string {
  const words = ['keys', ...parts.filter((part) => part !== undefined)].join(' ')
  const slug = words.toLocaleLowerCase('en').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return `${slug.replaceAll(/^-|-$/g, '').slice(0, 80)}.csv`
}
