/** Puts a known mistake into a copy of the sources. */

export interface PlantedBug {
  name: string
  changes: readonly Change[]
  /** The test that catches it, where the model cannot. */
  test?: string
}

interface Change {
  file: string
  /** Stands in the file exactly once. */
  find: string
  replace: string
}

/** @returns the source with the mistake in it. @throws when it has changed so that the mistake has no place any more */
export function plantIn(source: string, { file, find, replace }: Change): string {
  if (source.split(find).length !== 2) throw new Error(`In ${file} there is not one place with\n${find}`)
  return source.replace(find, () => replace)
}
