import { useMemo } from 'react'
import { qrCode } from '../../ui/pictures/qr-code.ts'
import { QrImage } from '../../ui/pictures/qr-image.tsx'
import { hasShareSheet, share as openSheet } from '../../platform/admin/share-sheet.ts'
import { isOnlyHere } from '../../platform/admin/only-here.ts'
import { t } from '../../platform/i18n.ts'
import { useSite } from '../../platform/calls/site.ts'
import { useHydrated } from '../../platform/use-hydrated.ts'
import { OnlyHereNote } from '../../ui/admin/only-here-note.tsx'
import { Copyable } from '../../ui/buttons/copyable.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { openDialog, type DialogProps } from '../../ui/overlays/open-dialog.ts'

/** A link to the sign-up page with the code filled in. */
const linkOf = (code: string) => `${location.origin}/signup?ref=${encodeURIComponent(code)}`

/** Shares a sign-up link: by the phone's share sheet, elsewhere as a link to copy and a QR code to point at. */
export function useShareLink() {
  const { websiteName: site } = useSite()
  // A link that nobody else can open is shown with a warning, and handed to no messenger
  const hasSheet = useHydrated() && hasShareSheet() && !isOnlyHere()
  const show = (code: string) => openDialog(LinkDialog, { code })
  const share = async (code: string) => {
    const isShared = await openSheet({ title: site, text: t('Sign up at {site}', { site }), url: linkOf(code) })
    if (!isShared) show(code)
  }
  return {
    share: (code: string) => (hasSheet ? void share(code) : show(code)),
    /** The QR code, where Share does not show it. */
    ...(hasSheet && { show }),
  }
}

function LinkDialog({ code, ...dialog }: DialogProps & { code: string }) {
  const link = linkOf(code)
  const qr = useMemo(() => qrCode(link), [link])
  return (
    <Dialog {...dialog} title={t('Sign-up link')} description={t('Code {code} is filled in already.', { code })}>
      <div className="grid justify-items-center gap-4">
        <QrImage
          qr={qr}
          label={t('QR code of the sign-up link')}
          sizePx={240}
          className="size-60 max-w-full rounded-control"
        />
        <OnlyHereNote />
        <Copyable text={link} what={t('link')} className="w-full" />
      </div>
    </Dialog>
  )
}
