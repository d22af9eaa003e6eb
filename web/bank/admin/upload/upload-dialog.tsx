import { useEffect, useRef } from 'react'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { Button, buttonClass } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { discard, leave } from '../../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { WeightyButton } from '../../../ui/buttons/weighty-button.tsx'
import { Select } from '../../../ui/admin/forms/select.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { useBankAccounts } from '../bank-queries.ts'
import { FileStep, PasswordStep } from './file-step.tsx'
import { UploadColumns } from './upload-columns.tsx'
import { PreviewOf, ResultOf } from './upload-preview.tsx'
import { useUpload, type Named, type Upload } from './use-upload.ts'

interface UploadDialogProps extends DialogProps {
  /** A file that was dropped on the page, or shared by another app. */
  file?: Blob
  /** Why a shared file is not here. */
  fault?: string
}

/** Takes a statement in three steps: the file or its text, what was read, and the result. */
export function UploadDialog({ open, onClose, file: dropped, fault }: UploadDialogProps) {
  const upload = useUpload(fault)
  const { take, preview, result, accountId, rows } = upload
  const accounts = useBankAccounts().data ?? []
  const isTaken = useRef(false)
  useEffect(() => {
    if (!dropped || isTaken.current) return
    isTaken.current = true
    void take(dropped)
  })

  const isDirty = !result && upload.text.trim() !== ''
  const close = () => {
    if (!upload.isSending) void discard(isDirty, onClose)
  }
  const step: Step = result ? 'result' : preview ? 'preview' : rows ? 'columns' : upload.locked ? 'password' : 'file'
  return (
    <Dialog
      open={open}
      onClose={close}
      size="wide"
      sticky
      title={t('Upload statement')}
      footer={<Buttons step={step} upload={upload} onClose={close} />}
    >
      <div key={step} ref={toTop} className="grid gap-4 pb-4">
        {step === 'file' && <FileStep upload={upload} banks={accounts.map(({ bank }) => bank)} />}
        {step === 'password' && <PasswordStep upload={upload} />}
        {step === 'columns' && rows && (
          <UploadColumns rows={rows} pending={upload.isPending} onChosen={upload.choose} />
        )}
        {step === 'preview' && preview && (
          <>
            {upload.unknown ? (
              <p className="text-sm">
                {t('{account} isn’t one of your accounts yet. Add it only if buyers pay to it.', {
                  account: nameOf(upload.unknown),
                })}
              </p>
            ) : (
              accounts.length === 0 && (
                <Link
                  to="/admin/settings/bank"
                  onClick={leave(isDirty)}
                  className={buttonClass({ variant: 'secondary' })}
                >
                  {t('Add your bank account first')}
                </Link>
              )
            )}
            {accounts.length > 0 && (
              <Field label={t('Bank account')}>
                <Select value={accountId} onChange={(event) => upload.chooseAccount(event.target.value)}>
                  <option value="">{t('Choose an account')}</option>
                  {accounts.map(({ _id, label, bank, tail }) => (
                    <option key={_id} value={_id}>
                      {`${label} · ${bank} ··${tail}`}
                    </option>
                  ))}
                </Select>
              </Field>
            )}
            <PreviewOf preview={preview} isPdf={upload.isPdf} />
          </>
        )}
        {step === 'result' && result && <ResultOf result={result} onClose={onClose} />}
        <FormError>{upload.fault}</FormError>
      </div>
    </Dialog>
  )
}

/** Each step begins at its top. */
const toTop = (step: HTMLElement | null) => step?.parentElement?.scrollTo(0, 0)

const nameOf = ({ bank, tail }: Named): string => `${bank} ··${tail}`

type Step = 'file' | 'password' | 'columns' | 'preview' | 'result'

function Buttons({ step, upload, onClose }: { step: Step; upload: Upload; onClose: () => void }) {
  const { text, preview, accountId, unknown } = upload
  return step === 'result' ? (
    <Button onClick={onClose}>{t('Done')}</Button>
  ) : (
    <>
      <Button variant="ghost" onClick={step === 'file' ? onClose : upload.back}>
        {step === 'file' ? t('Cancel') : t('Back')}
      </Button>
      {step === 'preview' && unknown ? (
        <WeightyButton
          does={step}
          pending={upload.isPending}
          denied={denied(calls.bank.createAccount)}
          onClick={() => upload.send(unknown)}
        >
          {t('Add and upload')}
        </WeightyButton>
      ) : step === 'preview' && preview ? (
        <WeightyButton
          does={step}
          pending={upload.isPending}
          disabled={accountId === ''}
          onClick={() => upload.send(accountId)}
        >
          {t('Upload {count, plural, one {# credit} other {# credits}}', { count: preview.credits })}
        </WeightyButton>
      ) : step === 'password' ? (
        <WeightyButton does={step} pending={upload.isPending} disabled={upload.password === ''} onClick={upload.unlock}>
          {t('Open', { context: 'verb' })}
        </WeightyButton>
      ) : (
        step === 'file' && (
          // The focus stays in the same button
          <WeightyButton
            does={step}
            pending={upload.isPending}
            disabled={text.trim() === ''}
            onClick={() => upload.read(text)}
          >
            {t('Check statement')}
          </WeightyButton>
        )
      )}
    </>
  )
}
