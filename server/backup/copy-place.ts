/** A place for copies of backups, however it is reached. */

/** At the end of an address or a line, but not of a longer name. */
export const NAME = /(?<![^\s/:])chaabi-\d{8}T\d{6}Z\.backup$/

/** A folder of backups on another machine. */
export interface CopyPlace {
  put(file: string): Promise<void>
  /** Reads a copy into a local file. */
  get(name: string, file: string): Promise<void>
  /** Lists the names of backups, newest first. */
  list(): Promise<string[]>
  remove(names: readonly string[]): Promise<void>
  /** Makes the archived log of one database there the same as its directory. */
  putLog(directory: string): Promise<void>
  /** Adds the archive of the log there to a directory. */
  getArchive(directory: string): Promise<void>
}

/** Finds the names of backups in a listing, one in each line. */
export const namesIn = (listing: string): string[] =>
  listing
    .split('\n')
    .flatMap((line) => NAME.exec(line.trim())?.[0] ?? [])
    .toSorted()
    .toReversed()
