/** Joins class names, leaving out what is false. The kit's `className` is for place and size, not for looks. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
