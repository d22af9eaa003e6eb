import { useMemo, useState } from 'react'
import { ChevronDown, Download } from 'lucide-react'
import { UPI_GALLERY_MAX_RUPEES } from '../../../contract/limits.ts'
import { toDecimalText, toRupees, type Paise } from '../../../contract/money.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { qrCode, saveQrCode } from '../../ui/pictures/qr-code.ts'
import { QrImage } from '../../ui/pictures/qr-image.tsx'

interface UpiQrProps {
  payTo: string
  amount: Paise
  link: string
  isMerchant: boolean
}

const SUMMARY = 'inline-flex min-h-11 cursor-pointer items-center rounded-control text-sm text-brand hover:underline'

/** A phone can't scan its own screen, so the code is folded there, and worked out when it is opened. */
export function FoldedUpiQr(props: UpiQrProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="group w-full" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={SUMMARY}>
        {t('Pay from another phone')}
        <ChevronDown size={14} aria-hidden className="ml-1 transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid justify-items-center gap-3">{isOpen && <UpiQr {...props} />}</div>
    </details>
  )
}

/** Shows the QR code for a second screen. */
export function UpiQr({ payTo, amount, link, isMerchant }: UpiQrProps) {
  const rupees = toRupees(amount)
  const qr = useMemo(() => qrCode(link), [link])
  const save = async () => {
    if (await saveQrCode(qr, `upi-${toDecimalText(amount)}.png`)) toast(t('QR code saved'))
    else toast(t('Your browser couldn’t save the QR code. Take a screenshot instead.'), { tone: 'bad' })
  }
  return (
    <>
      <QrImage
        qr={qr}
        label={t('QR code to pay {amount} to {upiId}', { amount: formatRupees(rupees), upiId: payTo })}
        sizePx={280}
        className="max-w-full rounded-card"
      />
      <p className="text-center text-xs text-balance text-fg-2 md:max-w-70">
        {t('Scan with any UPI app on another phone.')}
      </p>
      {rupees > UPI_GALLERY_MAX_RUPEES && !isMerchant && (
        <p className="text-center text-xs text-balance text-warn md:max-w-70">
          {t(
            'Above {amount}, most UPI apps don’t accept a saved QR image. Scan it from another screen, or copy the ' +
              'UPI ID.',
            { amount: formatRupees(UPI_GALLERY_MAX_RUPEES) },
          )}
        </p>
      )}
      <Button
        variant="ghost"
        icon={<Download size={15} aria-hidden />}
        className="px-3! text-sm!"
        onClick={() => void save()}
      >
        {t('Save QR code')}
      </Button>
    </>
  )
}
