import { useEffect, useState, type RefObject } from 'react'
import { Info, QrCode as QrIcon } from 'lucide-react'
import { UPI_NOTE } from '../../../contract/limits.ts'
import { toDecimalText, toRupees, type Paise } from '../../../contract/money.ts'
import { isSameUpi, upiLink } from '../../../contract/upi.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { useSite } from '../../platform/calls/site.ts'
import { useUpi } from '../../settings/use-upi.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { SupportLink } from '../../ui/page/support-link.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { UpiDetails } from './upi-details.tsx'
import { FoldedUpiQr, UpiQr } from './upi-qr.tsx'

interface UpiPaymentProps {
  /** UPI ID in the settings. Empty for none, undefined until known. */
  upiId: string | undefined
  /** The name that UPI apps show for it, if it is known. */
  payeeName: string | undefined
  /** Undefined until an amount is entered. */
  amount: Paise | undefined
  username: string
  /** False on a phone. */
  isWide: boolean
  onUse: () => void
  /** Keeps the UPI ID that is shown. */
  payToRef: RefObject<string | undefined>
}

/** Shows details to copy, the link for UPI apps that accept it, and the QR code for a second screen. */
export function UpiPayment({ upiId, payeeName, amount, payToRef, ...rest }: UpiPaymentProps) {
  // A QR code must not change while it is being scanned, so the buyer decides when to use a new UPI ID.
  const [shown, setShown] = useState({ payTo: upiId ?? '', payee: payeeName })
  const { payTo } = shown
  if (upiId && (!payTo || (isSameUpi(payTo, upiId) && shown.payee !== payeeName)))
    setShown({ payTo: upiId, payee: payeeName })

  useEffect(() => {
    payToRef.current = payTo
  }, [payToRef, payTo])

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
      {upiId !== undefined && !isSameUpi(payTo, upiId) && (
        <div
          className={
            'grid w-full justify-items-start gap-2 rounded-card border border-warn/30 bg-warn/10 p-3 text-sm ' +
            'text-warn md:max-w-70'
          }
        >
          {upiId
            ? t('Our UPI ID has changed. If you haven’t paid yet, use the new one.')
            : t('This UPI ID is no longer in use. Please don’t pay to it.')}
          {upiId && (
            <Button size="sm" variant="secondary" onClick={() => setShown({ payTo: upiId, payee: payeeName })}>
              {t('Show new QR code')}
            </Button>
          )}
        </div>
      )}
      {amount === undefined ? <NoAmount {...rest} /> : <Ways {...shown} amount={amount} {...rest} />}
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

/** As large as the code at a desk, so that nothing moves when it arrives. */
function NoAmount({ isWide }: { isWide: boolean }) {
  return (
    <div
      className={cx(
        'grid w-full content-center justify-items-center gap-3 rounded-card border border-dashed border-line-2 p-6 ' +
          'text-center text-sm text-fg-2',
        isWide && 'size-70',
      )}
    >
      {isWide && <QrIcon size={28} className="text-fg-3" aria-hidden />}
      {isWide ? t('Enter an amount to see the QR code.') : t('Enter an amount to see how to pay.')}
    </div>
  )
}

interface WaysProps {
  payTo: string
  payee: string | undefined
  amount: Paise
  username: string
  isWide: boolean
  onUse: () => void
}

/** On a phone, what it can do itself comes first. At a desk, the code for the phone does. */
function Ways({ payTo, payee, amount, username, isWide, onUse }: WaysProps) {
  const { websiteName } = useSite()
  const isMerchant = useUpi().data?.merchantVpa ?? false
  // The note tells the admin whose payment it is. UPI apps handle only plain letters reliably.
  const code = /^[\w.-]{1,32}$/.test(username) ? username : undefined
  const note = code ? `${UPI_NOTE} ${code}` : UPI_NOTE
  const link = upiLink(payTo, payee ?? websiteName, toDecimalText(amount), code)
  const way = { payTo, amount, link, isMerchant }
  const { carefulAbove = Infinity } = useUpi().data ?? {}
  const details = <UpiDetails {...way} payee={payee} note={note} onUse={onUse} />
  return (
    <>
      {payee && <PayeeLine name={payee} />}
      {toRupees(amount) >= carefulAbove && (
        <p className="w-full text-sm text-pretty text-fg-2 md:max-w-70">
          {t('Payments of {amount} and more can take up to an hour.', { amount: formatRupees(carefulAbove) })}
        </p>
      )}
      {isWide && <UpiQr {...way} />}
      {details}
      {!isWide && <FoldedUpiQr {...way} />}
    </>
  )
}

/** A buyer who sees another name than the store's stops, or pays somebody else. */
function PayeeLine({ name }: { name: string }) {
  return (
    <p className="w-full text-sm text-pretty text-fg-2 md:max-w-70">
      {textWith('Your UPI app will show {name}. If it shows another name, don’t pay.', {
        name: (
          <b translate="no" className="font-semibold wrap-anywhere text-fg">
            {name}
          </b>
        ),
      })}{' '}
      <SupportLink className="font-semibold text-brand hover:underline">{t('Contact support')}</SupportLink>
    </p>
  )
}
