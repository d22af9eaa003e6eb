import { isOnlyHere } from '../../platform/admin/only-here.ts'
import { useSite } from '../../platform/calls/site.ts'
import { hasShareSheet, share as openSheet } from '../../platform/files/share-sheet.ts'
import { useHydrated } from '../../platform/use-hydrated.ts'
import type { Shared } from '../pictures/link-dialog.tsx'
import { openDialog } from '../overlays/open-dialog.ts'
import { lazyPart } from '../page/lazy-part.tsx'
import { OnlyHereNote } from './only-here-note.tsx'

const LinkDialog = lazyPart(() => import('../pictures/link-dialog.tsx').then((file) => file.LinkDialog))

/** Shares a link into the store: by the phone's share sheet, elsewhere as a link to copy and a QR code to point at. */
export function useShareLink() {
  const { websiteName: site } = useSite()
  // A link that nobody else can open is shown with a warning, and handed to no messenger
  const hasSheet = useHydrated() && hasShareSheet() && !isOnlyHere()
  const show = (shared: Shared) => openDialog(LinkDialog, { shared, note: <OnlyHereNote /> })
  const share = async (shared: Shared) => {
    const { text, path } = shared
    if (!(await openSheet({ title: site, text, url: location.origin + path }))) show(shared)
  }
  return {
    site,
    share: (shared: Shared) => (hasSheet ? void share(shared) : show(shared)),
    /** The QR code, where Share does not show it. */
    ...(hasSheet && { show }),
  }
}
