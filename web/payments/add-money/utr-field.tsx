import { useRef, useState, type ClipboardEvent } from 'react'
import { Check, ChevronDown, ClipboardPaste } from 'lucide-react'
import { normaliseUtr, pickUtr, referencesIn, utrFault, utrWarning } from '../../../contract/utr.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'

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

/** Says a fault or a hint. Two of them count the digits. */
const said = (text: string | undefined, utr: string) =>
  text && t(text.replace(/This one has \d+/, 'This one has {count}'), { count: utr.length })

/** Asks for the UTR and spots other kinds of numbers while they are typed. */
export function UtrField({ value, phone, onChange, error }: UtrFieldProps) {
  const [hasLeft, setHasLeft] = useState(false)
  /** Of what was pasted, where it holds more than one. */
  const [choices, setChoices] = useState<readonly string[]>([])
  const take = (text: string) => {
    setChoices([])
    onChange(text)
  }
  /** Takes the number out of a whole message. A field would cut the message first. @returns false if there is none */
  const read = (copied: string): boolean => {
    const found = referencesIn(copied)
    if (found.length > 1) setChoices(found)
    else if (found.length === 1) take(normaliseUtr(pickUtr(copied)))
    return found.length > 0
  }
  const paste = (event: ClipboardEvent) => {
    if (read(event.clipboardData.getData('text'))) event.preventDefault()
  }
  const utr = normaliseUtr(value)
  const fault = utr === '' ? undefined : utrFault(value)
  // A number still being typed is not wrong yet, except for the apps' own transaction IDs.
  const isTelling = hasLeft || utr.length >= UPI_DIGITS || utr.startsWith('CIC') || value.includes('@')
  const warning = fault === undefined && isTelling ? utrWarning(utr) : undefined
  const shownFault = said(error ?? (isTelling ? fault : undefined), utr)
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field
        label={t('UTR (12-digit transaction number)')}
        hint={
          phone !== '' && utr === `91${phone}` ? (
            <span className="text-warn">{t('This looks like your phone number. Enter the UTR instead.')}</span>
          ) : warning !== undefined && utr !== '' ? (
            <span className="text-warn">{said(warning, utr)}</span>
          ) : (
            t('Find it in your UPI app’s payment details.')
          )
        }
        error={shownFault}
        success={
          utr !== '' && fault === undefined && utrWarning(utr) === undefined && utr !== `91${phone}` ? (
            <>
              <Check size={15} aria-hidden />
              {t('Format looks right')}
            </>
          ) : undefined
        }
      >
        <div className="relative">
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
            onChange={(event) => take(event.target.value)}
            onPaste={paste}
            onBlur={() => setHasLeft(value !== '')}
            className="pr-24! large-text:pr-3!"
          />
          <PasteButton onPaste={(copied) => read(copied) || take(copied.trim().slice(0, LENGTH_MAX))} />
        </div>
      </Field>
      <Choices utrs={choices} onTake={take} />
      <WhereToFind />
    </div>
  )
}

function Choices({ utrs, onTake }: { utrs: readonly string[]; onTake: (utr: string) => void }) {
  if (utrs.length === 0) return null
  return (
    <fieldset className="grid gap-2">
      <legend role="alert" className="text-sm text-warn">
        {t('Which of these is the UTR?')}
      </legend>
      {utrs.map((each) => (
        <Button key={each} variant="secondary" size="sm" onClick={() => onTake(each)}>
          {each}
        </Button>
      ))}
    </fieldset>
  )
}

/** Fetched when it is opened. */
const UtrReceipts = lazyPart(() => import('./utr-receipts.tsx').then((file) => file.UtrReceipts), { missing: 'line' })

function WhereToFind() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      // A press before the scripts came has opened it without a word to them
      ref={(each) => {
        if (each?.open) setOpen(true)
      }}
      className="group text-sm text-fg-2"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary
        className={
          '-my-1.5 inline-flex min-h-11 cursor-pointer items-center rounded-control text-xs text-brand ' +
          'hover:underline'
        }
      >
        {t('Where do I find my UTR?')}
        <ChevronDown size={14} aria-hidden className="ml-1 transition-transform group-open:rotate-180" />
      </summary>
      {isOpen && <UtrReceipts />}
    </details>
  )
}

/** Reads the clipboard, where the browser lets a page do that. */
function PasteButton({ onPaste }: { onPaste: (utr: string) => void }) {
  const button = useRef<HTMLButtonElement>(null)
  // Plain HTTP has no clipboard, and older browsers don't read it.
  if (typeof navigator.clipboard?.readText !== 'function') return null
  const paste = async () => {
    const text = await navigator.clipboard.readText().catch(() => '')
    if (text.trim()) onPaste(text)
    else {
      button.current?.parentElement?.querySelector('input')?.focus()
      toast(t('Nothing to paste. Copy the UTR in your UPI app first.'), { tone: 'info' })
    }
  }
  return (
    <Button
      ref={button}
      variant="secondary"
      size="sm"
      className="absolute! top-1 right-1 large-text:static!"
      icon={<ClipboardPaste size={15} aria-hidden />}
      onClick={() => void paste()}
    >
      {t('Paste')}
    </Button>
  )
}
