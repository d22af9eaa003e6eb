import { Download, Printer } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { saveFile } from '../../platform/files/save-file.ts'
import { useSite } from '../../platform/calls/site.ts'
import { CodesShownOnce } from '../../ui/admin/codes-shown-once.tsx'
import { Button } from '../../ui/buttons/button.tsx'

interface RecoveryCodesProps {
  username: string
  codes: readonly string[]
  onClose: (areStored: boolean) => void
}

/** Shows the recovery codes: to save, to print, to copy. */
export function RecoveryCodes({ username, codes, onClose }: RecoveryCodesProps) {
  const { websiteName } = useSite()
  const heading = t('Recovery codes for {username}, {site}', { username, site: websiteName })
  const text = `${heading}\n\n${codes.join('\n')}\n\n${t('Each code works once, in place of the app’s code.')}\n`
  return (
    <CodesShownOnce
      open
      onClose={onClose}
      title={t('Save your recovery codes')}
      description={t('If you lose your phone, each code lets you log in once. They’re shown only now.')}
      label={t('Recovery codes')}
      codes={codes}
      lost={t('You won’t see them again. If you lose your phone, you won’t be able to log in.')}
      printed={heading}
      ways={
        <>
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
        </>
      }
    />
  )
}
