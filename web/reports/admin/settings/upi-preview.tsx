import { useMemo } from 'react'
import { isVpa, upiLink } from '../../../../contract/upi.ts'
import { qrCode } from '../../../ui/pictures/qr-code.ts'
import { QrImage } from '../../../ui/pictures/qr-image.tsx'
import { t } from '../../../platform/i18n.ts'
import { useSite } from '../../../platform/calls/site.ts'

const SAMPLE_AMOUNT = '1.00'

/** The QR code that buyers will see, for one rupee. */
export function UpiPreview({ upiId }: { upiId: string }) {
  const { websiteName } = useSite()
  const isUsable = isVpa(upiId)
  const qr = useMemo(
    () => (isUsable ? qrCode(upiLink(upiId, websiteName, SAMPLE_AMOUNT)) : undefined),
    [isUsable, upiId, websiteName],
  )
  if (!qr) {
    return (
      <p
        className={
          'grid min-h-50 place-items-center rounded-card border border-dashed border-line-2 p-6 text-center text-sm ' +
          'text-fg-2'
        }
      >
        {upiId ? t('Enter a valid UPI ID, like name@bank.') : t('Add a UPI ID to show buyers a QR code.')}
      </p>
    )
  }
  return (
    <figure
      className={
        'flex min-h-50 flex-wrap items-center justify-center gap-4 rounded-card border border-line bg-sunken p-4'
      }
    >
      <QrImage qr={qr} label={t('QR code to pay {upiId}', { upiId })} sizePx={168} className="rounded-control" />
      <figcaption className="min-w-0 flex-1 basis-36 text-sm text-fg-2 max-sm:text-center">
        {t('Preview of what buyers see, for ₹1.')}
        <span translate="no" className="mt-1 block font-mono wrap-anywhere text-fg">
          {upiId}
        </span>
      </figcaption>
    </figure>
  )
}
