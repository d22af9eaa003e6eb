import { useMemo, useState } from 'react'
import { Download, ExternalLink, Info, QrCode as QrIcon } from 'lucide-react'
import { UPI_GALLERY_MAX_RUPEES, UPI_NOTE } from '../../contract/limits.ts'
import { toDecimalText, toRupees, type Paise } from '../../contract/money.ts'
import { upiLink } from '../../contract/upi.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { useSite } from '../platform/site.ts'
import { toast } from '../platform/toast.ts'
import { useUpi } from '../settings/use-upi.ts'
import { useMedia } from '../platform/use-media.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copyable.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { qrCode, saveQrCode } from './qr-code.ts'
import { QrImage } from './qr-image.tsx'

interface UpiPaymentProps {
  /** UPI ID in the settings. Empty for none, undefined until known. */
  upiId: string | undefined
  /** Undefined until an amount is entered. */
  amount: Paise | undefined
  username: string
}

/** Shows the QR code for a second screen, details to copy, and the link for UPI apps that accept it. */
export function UpiPayment({ upiId, amount, username }: UpiPaymentProps) {
  // A QR code must not change while it is being scanned, so the buyer decides when to use a new UPI ID.
  const [payTo, setPayTo] = useState(upiId ?? '')
  if (!payTo && upiId) setPayTo(upiId)

  if (!payTo && upiId === undefined) return <UnknownUpi />
  if (!payTo) {
    return (
      <p className="flex items-start gap-2.5 rounded-card border border-line bg-sunken p-4 text-sm text-fg-2">
        <Info size={18} className="mt-0.5 shrink-0 text-info" aria-hidden />
        {t('UPI payment isn’t set up yet.')}{' '}
        <SupportLink className="font-semibold text-brand hover:underline">{t('Contact support')}</SupportLink>
      </p>
    )
  }
  return (
    <div className="grid grid-cols-1 justify-items-center gap-3">
      {upiId !== undefined && payTo !== upiId && (
        <div
          className={
            'grid w-full max-w-70 justify-items-start gap-2 rounded-card border border-warn/30 bg-warn/10 p-3 ' +
            'text-sm text-warn'
          }
        >
          {upiId
            ? t('Our UPI ID has changed. If you haven’t paid yet, use the new one.')
            : t('This UPI ID is no longer in use. Please don’t pay to it.')}
          {upiId && (
            <Button
              size="sm"
              variant="secondary"
              onClick={({ currentTarget }) => {
                // The focused button disappears.
                currentTarget.closest('dialog')?.focus({ preventScroll: true })
                setPayTo(upiId)
              }}
            >
              {t('Show new QR code')}
            </Button>
          )}
        </div>
      )}
      {amount === undefined ? <QrPlaceholder /> : <Ways payTo={payTo} amount={amount} username={username} />}
    </div>
  )
}

/** Only this part waits, because a buyer who has paid can still send the UTR. */
function UnknownUpi() {
  const upi = useUpi()
  if (upi.error) {
    return <ErrorState error={upi.error} retrying={upi.isFetching} onRetry={() => upi.refetch()} className="py-6" />
  }
  return (
    <Loading>
      <Skeleton className="mx-auto size-70 max-w-full rounded-card" />
    </Loading>
  )
}

/** As large as the code, so that nothing moves when it arrives. */
function QrPlaceholder() {
  return (
    <div
      className={
        'grid size-70 max-w-full content-center justify-items-center gap-3 rounded-card border border-dashed ' +
        'border-line-2 p-6 text-center text-sm text-fg-2'
      }
    >
      <QrIcon size={28} className="text-fg-3" aria-hidden />
      {t('Enter an amount to see the QR code.')}
    </div>
  )
}

interface WaysProps {
  payTo: string
  amount: Paise
  username: string
}

function Ways({ payTo, amount, username }: WaysProps) {
  const { websiteName } = useSite()
  const isMerchant = useUpi().data?.merchantVpa ?? false
  const isPhone = useMedia('(pointer: coarse)')
  const rupees = toRupees(amount)
  const decimal = toDecimalText(amount)
  // The note tells the admin whose payment it is. UPI apps handle only plain letters reliably.
  const code = /^[\w.-]{1,32}$/.test(username) ? username : undefined
  const note = code ? `${UPI_NOTE} ${code}` : UPI_NOTE
  const link = upiLink(payTo, websiteName, decimal, code)
  const qr = useMemo(() => qrCode(link), [link])

  const save = async () => {
    if (await saveQrCode(qr, `upi-${decimal}.png`)) toast(t('QR code saved'))
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
      <p className="text-center text-balance md:max-w-70 text-xs text-fg-2">
        {isPhone
          ? t('Scan it from another screen. On this phone, copy these details into your UPI app.')
          : t('Scan with any UPI app on your phone.')}
      </p>
      <dl className="w-full md:max-w-70 divide-y divide-line rounded-control border border-line bg-sunken text-sm">
        <Detail name={t('UPI ID')} what={t('UPI ID')} text={payTo} />
        <Detail name={t('Amount')} what={t('amount')} text={formatRupees(rupees)} copied={decimal} />
        <Detail name={t('Note')} what={t('note')} text={note} />
      </dl>
      <div className="flex w-full flex-wrap justify-center gap-x-2 gap-y-1">
        <a href={link} className={buttonClass({ variant: isPhone ? 'secondary' : 'ghost' }, 'px-3! text-sm!')}>
          {t('Open in UPI app')}
          <ExternalLink size={15} aria-hidden />
        </a>
        <Button
          variant="ghost"
          icon={<Download size={15} aria-hidden />}
          className="px-3! text-sm!"
          onClick={() => void save()}
        >
          {t('Save QR code')}
        </Button>
      </div>
      {isPhone && !isMerchant && (
        <p className="text-center text-balance md:max-w-70 text-xs text-fg-3">
          {t('If your UPI app doesn’t open or rejects the link, copy the UPI ID and amount instead.')}
        </p>
      )}
      {rupees > UPI_GALLERY_MAX_RUPEES && !isMerchant && (
        <p className="text-center text-balance md:max-w-70 text-xs text-warn">
          {t(
            'Above {amount}, most UPI apps don’t accept a saved QR image. Scan it from another screen, or copy the ' +
              'UPI ID.',
            { amount: formatRupees(UPI_GALLERY_MAX_RUPEES) },
          )}
        </p>
      )}
    </>
  )
}

interface DetailProps {
  name: string
  /** Names the button: "Copy UPI ID". */
  what: string
  text: string
  /** The copied text, if it differs from the shown one. */
  copied?: string
}

function Detail({ name, what, text, copied = text }: DetailProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 pl-3">
      <dt className="self-end pt-1.5 text-xs text-fg-3">{name}</dt>
      <dd className="tabular col-start-1 self-start pb-1.5 font-medium wrap-anywhere">{text}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <CopyButton text={copied} what={what} />
      </dd>
    </div>
  )
}
