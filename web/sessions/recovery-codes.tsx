import { useEffect } from 'react'
import { Copy, Download, Printer } from 'lucide-react'
import { copyToClipboard } from '../platform/copy-to-clipboard.ts'
import { t } from '../platform/i18n.ts'
import { saveFile } from '../platform/save-file.ts'
import { useSite } from '../platform/site.ts'
import { toast } from '../platform/toast.ts'
import { Button } from '../ui/button.tsx'

interface RecoveryCodesProps {
  username: string
  codes: readonly string[]
  /** The person says that they have them. */
  onStored: () => void
}

/** The codes for a lost phone, which the server shows this once: to copy, to save, to print. */
export function RecoveryCodes({ username, codes, onStored }: RecoveryCodesProps) {
  const { websiteName } = useSite()
  useWarningOnLeave()
  const heading = t('Recovery codes of {username}, {site}', { username, site: websiteName })
  const text = `${heading}\n\n${codes.join('\n')}\n\n${t('Each works once, in place of a code of the app.')}\n`
  const copy = async () => {
    if (await copyToClipboard(codes.join('\n'))) toast(t('Recovery codes copied'))
    else toast(t('Your browser did not allow copying. Select the text and copy it by hand.'), { tone: 'bad' })
  }
  return (
    <div className="grid gap-4">
      <div role="status" className="text-sm text-fg-2">
        <p className="font-semibold text-fg">{t('Store your recovery codes')}</p>
        <p className="mt-0.5">
          {t('Without your phone, each of them lets you in once. They are shown now and never again.')}
        </p>
      </div>
      <div className="print-sheet rounded-card border border-line bg-sunken p-4">
        <p className="print-only mb-4 font-semibold">{heading}</p>
        <ol aria-label={t('Recovery codes')} className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code} className="font-mono text-sm select-all">
              {code}
            </li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" icon={<Copy size={16} aria-hidden />} onClick={() => void copy()}>
          {t('Copy all')}
        </Button>
        <Button
          variant="secondary"
          size="sm"
          icon={<Download size={16} aria-hidden />}
          onClick={() => saveFile(`recovery-codes-${username}.txt`, 'text/plain', text)}
        >
          {t('Download')}
        </Button>
        <Button
          variant="secondary"
          size="sm"
          icon={<Printer size={16} aria-hidden />}
          onClick={() => globalThis.print()}
        >
          {t('Print')}
        </Button>
      </div>
      <Button className="justify-self-start" onClick={onStored}>
        {t('I have stored them')}
      </Button>
    </div>
  )
}

/** The browser asks before it leaves a page with codes that nobody has stored yet. */
function useWarningOnLeave(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}
