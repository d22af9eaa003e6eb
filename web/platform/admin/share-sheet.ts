/** True on phones: a share sheet with messengers in it. A desk has one in name only. */
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
