import { useEffect } from 'react'
import { Copy, Download, Printer } from 'lucide-react'
import { copyToClipboard } from '../../platform/files/copy-to-clipboard.ts'
import { t } from '../../platform/i18n.ts'
import { saveFile } from '../../platform/files/save-file.ts'
import { useSite } from '../../platform/calls/site.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'

interface RecoveryCodesProps {
  username: string
  codes: readonly string[]
  /** @param areStored the person says that they have them */
  onClose: (areStored: boolean) => void
}

/**
 * Shows the recovery codes this one time: to copy, to save, to print. Over the page, so that no click
 * elsewhere and no step back takes them away unasked.
 */
export function RecoveryCodes({ username, codes, onClose }: RecoveryCodesProps) {
  const { websiteName } = useSite()
  useWarningOnLeave()
  const heading = t('Recovery codes for {username}, {site}', { username, site: websiteName })
  const text = `${heading}\n\n${codes.join('\n')}\n\n${t('Each code works once, in place of the app’s code.')}\n`
  const copy = async () => {
    if (await copyToClipboard(codes.join('\n'))) toast(t('Recovery codes copied'))
    else toast(t('Your browser blocked copying. Select the text and copy it yourself.'), { tone: 'bad' })
  }
  const leave = async () => {
    const isSure = await confirm({
      title: t('Leave without saving the codes?'),
      body: t('You won’t see them again. If you lose your phone, you won’t be able to log in.'),
      confirmLabel: t('Leave'),
      cancelLabel: t('Go back'),
      danger: true,
    })
    if (isSure) onClose(false)
  }
  return (
    <Dialog
      open
      onClose={() => void leave()}
      title={t('Save your recovery codes')}
      description={t('If you lose your phone, each code lets you log in once. They’re shown only now.')}
      sticky
      footer={<Button onClick={() => onClose(true)}>{t('I’ve saved them')}</Button>}
    >
      <div className="grid gap-4 pb-1">
        <div className="print-sheet rounded-card border border-line bg-sunken p-4">
          <p className="print-only mb-4 font-semibold">{heading}</p>
          <ol aria-label={t('Recovery codes')} className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
            {codes.map((code) => (
              <li translate="no" key={code} className="font-mono text-sm select-all">
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

/** Asks before the page is left with codes that are not stored yet. */
function useWarningOnLeave(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}
