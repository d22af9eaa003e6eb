import { SIDEBAR_BREAKPOINT_PX } from '../../../contract/limits.ts'
import { useMedia } from '../use-media.ts'

/** True where lists are tables. @returns undefined until hydration: draw both faces, as `AtWidth` does */
export const useIsWide = (): boolean | undefined => useMedia(`(min-width: ${SIDEBAR_BREAKPOINT_PX + 1}px)`)
