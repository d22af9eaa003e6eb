import { lazyPart } from '../ui/page/lazy-part.tsx'

/** Apart from the screen that shows it, which has no room for its name. */
export const ShareProduct = lazyPart(() => import('./invite-parts.tsx').then((file) => file.loadShare()), {
  missing: 'nothing',
})
