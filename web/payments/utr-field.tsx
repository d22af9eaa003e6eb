import { useState } from 'react'
import { Check, ChevronDown } from 'lucide-react'
import { normaliseUtr, utrDoubt, utrFault } from '../../contract/utr.ts'
import { t } from '../platform/i18n.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'

interface UtrFieldProps {
  value: string
  /** The number typed below. A UTR equal to it is most likely a mistake. */
  phone: string
  onChange: (utr: string) => void
  /** The server's error for this field. */
  error: string | undefined
}

const LENGTH_MAX = 60
const UPI_DIGITS = 12

/** Lists where UPI apps show the number. */
const APPS = [
  { app: 'Google Pay', place: () => t('Open the payment > “UPI transaction ID”') },
  { app: 'PhonePe', place: () => t('History > open the payment > “View details” > “UTR”') },
  { app: 'Paytm', place: () => t('Balance & History > open the payment > “UPI Ref No”') },
  { app: 'BHIM', place: () => t('Transaction history > open the payment > “RRN” or “Transaction ID”') },
  { app: 'Bank apps', place: () => t('Payment details > “UTR”, “RRN” or “Reference number”') },
]

/** Asks for the UTR and spots other kinds of numbers while they are typed. */
export function UtrField({ value, phone, onChange, error }: UtrFieldProps) {
  const [hasLeft, setHasLeft] = useState(false)
  const utr = normaliseUtr(value)
  const fault = utr === '' ? undefined : utrFault(value)
  // A number still being typed is not wrong yet, except for the apps' own transaction IDs.
  const isTelling = hasLeft || utr.length >= UPI_DIGITS || utr.startsWith('CIC') || value.includes('@')
  const doubt = fault === undefined && isTelling ? utrDoubt(utr) : undefined
  const shownFault = error ?? (isTelling ? fault && t(fault) : undefined)
  return (
    <div className="grid gap-2">
      <Field
        label={t('UTR (12-digit transaction number)')}
        hint={
          phone !== '' && utr === `91${phone}` ? (
            <span className="text-warn">{t('This looks like your phone number. Enter the UTR instead.')}</span>
          ) : doubt !== undefined && utr !== '' ? (
            <span className="text-warn">{t(doubt)}</span>
          ) : (
            t('Find it in your UPI app’s payment details')
          )
        }
        error={shownFault}
        success={
          utr !== '' && fault === undefined && utrDoubt(utr) === undefined && utr !== `91${phone}` ? (
            <>
              <Check size={15} aria-hidden />
              {t('Format looks right')}
            </>
          ) : undefined
        }
      >
        <Input
          mono
          name="utr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="next"
          maxLength={LENGTH_MAX}
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={() => setHasLeft(value !== '')}
        />
      </Field>
      <details className="group text-sm text-fg-2">
        <summary
          className={
            '-my-1.5 inline-flex min-h-11 cursor-pointer items-center rounded-control text-xs text-brand ' +
            'hover:underline'
          }
        >
          {t('Where do I find my UTR?')}
          <ChevronDown size={14} aria-hidden className="ml-1 transition-transform group-open:rotate-180" />
        </summary>
        <dl className="grid gap-2 rounded-control border border-line bg-sunken p-3">
          {APPS.map(({ app, place }) => (
            <div key={app}>
              <dt className="text-xs font-semibold text-fg">{t(app)}</dt>
              <dd className="text-xs">{place()}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}
