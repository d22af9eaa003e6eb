import { useMemo } from 'react'
import { qrCode } from '../pictures/qr-code.ts'
import { QrImage } from '../pictures/qr-image.tsx'
import { hasShareSheet, share as openSheet } from '../../platform/admin/share-sheet.ts'
import { isOnlyHere } from '../../platform/admin/only-here.ts'
import { t } from '../../platform/i18n.ts'
import { useSite } from '../../platform/calls/site.ts'
import { useHydrated } from '../../platform/use-hydrated.ts'
import { OnlyHereNote } from './only-here-note.tsx'
import { Copyable } from '../buttons/copyable.tsx'
import { Dialog } from '../overlays/dialog.tsx'
import { openDialog, type DialogProps } from '../overlays/open-dialog.ts'

interface Shared {
  /** A path of the store. */
  path: string
  /** What a messenger shows before the link. */
  text: string
  /** The dialog's title: "Sign-up link". */
  title: string
  description: string
  /** The name of the QR code. */
  qrLabel: string
}

/** Shares a link into the store: by the phone's share sheet, elsewhere as a link to copy and a QR code to point at. */
export function useShareLink() {
  const { websiteName: site } = useSite()
  // A link that nobody else can open is shown with a warning, and handed to no messenger
  const hasSheet = useHydrated() && hasShareSheet() && !isOnlyHere()
  const show = (shared: Shared) => openDialog(LinkDialog, { shared })
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

function LinkDialog({ shared: { path, title, description, qrLabel }, ...dialog }: DialogProps & { shared: Shared }) {
  const link = location.origin + path
  const qr = useMemo(() => qrCode(link), [link])
  return (
    <Dialog {...dialog} title={title} description={description}>
      <div className="grid justify-items-center gap-4">
        <QrImage qr={qr} label={qrLabel} sizePx={240} className="size-60 max-w-full rounded-control" />
        <OnlyHereNote />
        <Copyable text={link} what={t('link')} className="w-full" />
      </div>
    </Dialog>
  )
}
