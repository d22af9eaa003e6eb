import { useMemo, type ReactNode } from 'react'
import { t } from '../../platform/i18n.ts'
import { Copyable } from '../buttons/copyable.tsx'
import { qrCode } from './qr-code.ts'
import { QrImage } from './qr-image.tsx'
import { Dialog } from '../overlays/dialog.tsx'
import type { DialogProps } from '../overlays/open-dialog.ts'

export interface Shared {
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

interface LinkDialogProps extends DialogProps {
  shared: Shared
  /** Between the code and the link. */
  note?: ReactNode
}

/** A link to copy, and a QR code to point at. */
export function LinkDialog({ shared: { path, title, description, qrLabel }, note, ...dialog }: LinkDialogProps) {
  const link = location.origin + path
  const qr = useMemo(() => qrCode(link), [link])
  return (
    <Dialog {...dialog} title={title} description={description}>
      <div className="grid justify-items-center gap-4">
        <QrImage qr={qr} label={qrLabel} sizePx={240} className="max-w-full rounded-card" />
        {note}
        <Copyable text={link} what={t('link')} className="w-full" />
      </div>
    </Dialog>
  )
}
