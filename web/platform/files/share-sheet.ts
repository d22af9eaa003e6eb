/** True on phones, whose share sheet has messengers in it. That of a computer seldom has any. */
export const hasShareSheet = () =>
  typeof navigator.share === 'function' && !matchMedia('(hover: hover) and (pointer: fine)').matches

/** Opens the share sheet. @returns false if it can't be used. Closing it is an answer, too */
export async function share(what: ShareData): Promise<boolean> {
  try {
    await navigator.share(what)
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
