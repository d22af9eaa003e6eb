/** Why a file can’t be read, in words for the person who chose it. */
export class FileFault extends Error {
  override readonly name: string = 'FileFault'
}

/** A file that opens with a password: none was given, or another one. */
export class PasswordFault extends FileFault {
  override readonly name = 'PasswordFault'
  readonly isWrong: boolean

  constructor(message: string, isWrong: boolean) {
    super(message)
    this.isWrong = isWrong
  }
}
