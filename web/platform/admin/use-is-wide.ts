import { SIDEBAR_BREAKPOINT_PX } from '../../../contract/limits.ts'
import { getBoot } from '../calls/boot.ts'
import { useMedia } from '../use-media.ts'

/** True where lists are tables. @returns until hydration what the server took the browser for */
export function useIsWide(): { isWide: boolean; isKnown: boolean } {
  const isWide = useMedia(`(min-width: ${SIDEBAR_BREAKPOINT_PX + 1}px)`)
  return { isWide: isWide ?? getBoot().isWide ?? false, isKnown: isWide !== undefined }
}
