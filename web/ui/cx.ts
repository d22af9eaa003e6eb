/** Joins class names and skips false ones. A kit part's `className` sets its place and size, not its looks. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
