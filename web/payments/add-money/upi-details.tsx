import { ExternalLink } from 'lucide-react'
import { toDecimalText, type Paise } from '../../../contract/money.ts'
import { t } from '../../platform/i18n.ts'
import { useMedia } from '../../platform/use-media.ts'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { CopyTextButton } from '../../ui/buttons/copy-text-button.tsx'
import { CopyButton } from '../../ui/buttons/copyable.tsx'

interface UpiDetailsProps {
  payTo: string
  /** The name that UPI apps show for it, if it is known. */
  payee: string | undefined
  note: string
  amount: Paise
  /** Opens the UPI app. */
  link: string
  /** UPI apps accept links to verified merchants. They often refuse others. */
  isMerchant: boolean
  /** Called when the buyer goes on in the UPI app. */
  onUse: () => void
}

/** Shows where to pay, to copy or to open. The amount is in its field above. */
export function UpiDetails({ payTo, payee, note, amount, link, isMerchant, onUse }: UpiDetailsProps) {
  const isPhone = useMedia('(pointer: coarse)')
  return (
    <div className="grid w-full gap-2.5 md:max-w-70">
      <dl className="divide-y divide-line rounded-control border border-line bg-sunken text-sm">
        <Detail name={t('UPI ID')}>
          <span className="font-semibold">{payTo}</span>
        </Detail>
        {payee && <Detail name={t('Name')}>{payee}</Detail>}
        <Detail name={t('Note')} aside={<CopyButton text={note} what={t('note')} />}>
          {note}
        </Detail>
      </dl>
      <div className="grid grid-cols-2 gap-2 large-text:grid-cols-1">
        <CopyTextButton text={payTo} what={t('UPI ID')} onClick={onUse} />
        <CopyTextButton text={toDecimalText(amount)} what={t('amount')} onClick={onUse} />
      </div>
      <a href={link} onClick={onUse} className={buttonClass({ variant: isMerchant ? 'primary' : 'secondary' })}>
        {t('Open in UPI app')}
        <ExternalLink size={15} aria-hidden />
      </a>
      {isPhone && !isMerchant && (
        <p className="text-center text-xs text-balance text-fg-3">
          {t('If your UPI app doesn’t open or rejects the link, copy the UPI ID and amount instead.')}
        </p>
      )}
    </div>
  )
}

interface DetailProps {
  name: string
  children: React.ReactNode
  aside?: React.ReactNode
}

function Detail({ name, children, aside }: DetailProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 px-3 py-1.5">
      <dt className="text-xs text-fg-3">{name}</dt>
      <dd translate="no" className="tabular col-start-1 wrap-anywhere">
        {children}
      </dd>
      {aside && <dd className="col-start-2 row-span-2 row-start-1 -my-1.5 -mr-3">{aside}</dd>}
    </div>
  )
}
