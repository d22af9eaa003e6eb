import { useEffect, useRef, useState } from 'react'
import { Archive, Download } from 'lucide-react'
import { dayOf } from '../../../contract/india.ts'
import { PASSPHRASE_LENGTH_MIN } from '../../../contract/limits.ts'
import { download, files } from '../../platform/admin/download.ts'
import { fieldErrorsOf } from '../../platform/admin/form-errors.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useChange } from '../../platform/calls/use-call.ts'
import { serverNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { BACKUP_SECTION, failure } from '../../ui/admin/forms/settings-form.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { Row } from '../../ui/page/row.tsx'

/** Section of the settings: the whole store as a file, for who has no terminal. Leaving the screen gives it up. */
export function BackupSection() {
  const [passphrase, setPassphrase] = useState('')
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const saveFile = async () => {
    abort.current = new AbortController()
    const name = `store-${dayOf(serverNow())}.backup`
    await download(files.backup.download({ passphrase }, { signal: abort.current.signal }), name)
    return name
  }
  const save = useChange('backup', saveFile, {
    onSuccess(name) {
      setPassphrase('')
      toast(t('{name} saved', { name }))
    },
  })
  return (
    <Row
      id={BACKUP_SECTION}
      icon={<Archive size={18} aria-hidden />}
      label={t('Backup')}
      value={t('Your whole store in one encrypted file: buyers, wallets, keys and settings')}
    >
      <form
        className="grid gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <Field
          label={t('Passphrase')}
          hint={t(
            'Use at least {count} characters. Write it down. Without it nobody can open the file, not even you.',
            {
              count: PASSPHRASE_LENGTH_MIN,
            },
          )}
          error={fieldErrorsOf(save.error)['passphrase']}
        >
          <PasswordInput
            autoComplete="new-password"
            disabled={denied(calls.backup.download) !== undefined}
            value={passphrase}
            onChange={(event) => {
              setPassphrase(event.target.value)
              if (save.isError) save.reset()
            }}
          />
        </Field>
        <FormError>{failure(t('Failed to download the backup.'), save.error)}</FormError>
        <Button
          type="submit"
          className="justify-self-start"
          pending={save.isPending}
          denied={denied(calls.backup.download)}
          disabled={passphrase === ''}
        >
          <Download size={16} aria-hidden />
          {t('Download a backup')}
        </Button>
        <p className="text-xs text-fg-3">
          {t(
            'Keep it away from this server, for example in your cloud storage. The person who looks after the server ' +
              'can restore your store with the file and the passphrase.',
          )}
        </p>
      </form>
    </Row>
  )
}
