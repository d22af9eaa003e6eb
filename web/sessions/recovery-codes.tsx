import { useEffect } from 'react'
import { Copy, Download, Printer } from 'lucide-react'
import { copyToClipboard } from '../platform/copy-to-clipboard.ts'
import { t } from '../platform/i18n.ts'
import { saveFile } from '../platform/save-file.ts'
import { useSite } from '../platform/site.ts'
import { toast } from '../platform/toast.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.ts'
import { Dialog } from '../ui/dialog.tsx'

interface RecoveryCodesProps {
  username: string
  codes: readonly string[]
  /** @param areStored the person says that they have them */
  onClose: (areStored: boolean) => void
}

/**
 * The codes for a lost phone, which the server shows this once: to copy, to save, to print. Over the page, so that no click
 * elsewhere and no step back takes them away unasked.
 */
export function RecoveryCodes({ username, codes, onClose }: RecoveryCodesProps) {
  const { websiteName } = useSite()
  useWarningOnLeave()
  const heading = t('Recovery codes of {username}, {site}', { username, site: websiteName })
  const text = `${heading}\n\n${codes.join('\n')}\n\n${t('Each works once, in place of a code of the app.')}\n`
  const copy = async () => {
    if (await copyToClipboard(codes.join('\n'))) toast(t('Recovery codes copied'))
    else toast(t('Your browser did not allow copying. Select the text and copy it by hand.'), { tone: 'bad' })
  }
  const leave = async () => {
    const isSure = await confirm({
      title: t('Leave without the recovery codes?'),
      body: t('They are not shown again. Without your phone you could not log in.'),
      confirmLabel: t('Leave'),
      cancelLabel: t('Back to the codes'),
      danger: true,
    })
    if (isSure) onClose(false)
  }
  return (
    <Dialog
      open
      onClose={() => void leave()}
      title={t('Store your recovery codes')}
      description={t('Without your phone, each of them lets you in once. They are shown now and never again.')}
      sticky
      footer={<Button onClick={() => onClose(true)}>{t('I have stored them')}</Button>}
    >
      <div className="grid gap-4 pb-1">
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
      </div>
    </Dialog>
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
