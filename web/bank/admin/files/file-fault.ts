/** Why a file can’t be read, in words for the person who chose it. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}
