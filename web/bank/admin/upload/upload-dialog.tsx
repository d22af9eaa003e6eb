import { FileText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ImportResult, StatementColumns, StatementPreview } from '../../../../contract/bank-shapes.ts'
import { ApiError, errorMessage } from '../../../platform/calls/api-error.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { useFace } from '../../../platform/calls/site.ts'
import { Button, buttonClass } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { WeightyButton } from '../../../ui/buttons/weighty-button.tsx'
import { Select } from '../../../ui/admin/forms/select.tsx'
import { Textarea } from '../../../ui/fields/textarea.tsx'
import { useBankAccounts, useBankChange } from '../bank-queries.ts'
import { FileFault } from '../files/file-fault.ts'
import { textOfFile } from '../files/text-of-file.ts'
import { UploadColumns } from './upload-columns.tsx'
import { PreviewOf, ResultOf } from './upload-preview.tsx'

interface UploadDialogProps {
  open: boolean
  onClose: () => void
  /** One that was dropped on the page, or shared by another app. */
  file?: Blob
  /** Why a shared one is not here. */
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

  const step: Step = result ? 'result' : preview ? 'preview' : rows ? 'columns' : 'file'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="wide"
      sticky
      title={t('Upload statement')}
      footer={<Buttons step={step} upload={upload} onClose={onClose} />}
    >
      <div className="grid gap-4 pb-4">
        {step === 'file' && <FileStep upload={upload} />}
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
                <Link to="/admin/settings/bank" onClick={onClose} className={buttonClass({ variant: 'secondary' })}>
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
            <PreviewOf preview={preview} />
          </>
        )}
        {step === 'result' && result && <ResultOf result={result} onClose={onClose} />}
        <FormError>{upload.fault}</FormError>
      </div>
    </Dialog>
  )
}

/** An account that a file names and the store doesn't know. */
interface Named {
  bank: string
  tail: string
}
const nameOf = ({ bank, tail }: Named): string => `${bank} ··${tail}`

type Upload = ReturnType<typeof useUpload>
type Step = 'file' | 'columns' | 'preview' | 'result'

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
          {t('Add {account} and upload', { account: nameOf(unknown) })}
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
      ) : (
        step === 'file' && (
          // The focus stays in the same button
          <WeightyButton
            does={step}
            pending={upload.isPending}
            disabled={text.trim() === ''}
            onClick={() => upload.read(text)}
          >
            {t('Read')}
          </WeightyButton>
        )
      )}
    </>
  )
}

function FileStep({ upload: { text, setText, take } }: { upload: Upload }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        data-autofocus
        className={
          'grid min-h-24 place-items-center gap-1 rounded-panel border-2 border-dashed border-line-2 p-4 ' +
          'text-center hover:bg-hover'
        }
        onClick={() => picker.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const [file] = event.dataTransfer.files
          if (file) void take(file)
        }}
      >
        <FileText size={22} aria-hidden className="text-fg-3" />
        <span className="font-medium">{t('Choose a file, or drop it here')}</span>
        <span className="text-xs text-fg-3">{t('CSV, TSV or Excel (.xlsx), up to 5 MB')}</span>
      </button>
      <input
        ref={picker}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('Statement file')}
        accept=".csv,.tsv,.txt,.xlsx,.xls"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void take(file)
        }}
      />
      <Field label={t('Or paste the statement')} hint={t('From a PDF: open it, select all, copy, paste here')}>
        <Textarea mono rows={5} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <SampleLink />
    </>
  )
}

/** The demo has a statement to try. */
function SampleLink() {
  if (!useFace().demo) return null
  return (
    <a href={SAMPLE} download className="inline-flex min-h-11 items-center text-sm text-brand hover:underline">
      {t('Download the demo’s statement')}
    </a>
  )
}
const SAMPLE = '/demo-statement.csv'

function useUpload(firstFault: string | undefined) {
  const [text, setText] = useState('')
  const [columns, setColumns] = useState<StatementColumns>()
  const [preview, setPreview] = useState<StatementPreview>()
  const [result, setResult] = useState<ImportResult>()
  /** First rows of a file whose columns are not known. */
  const [rows, setRows] = useState<readonly (readonly string[])[]>()
  const [accountId, setAccountId] = useState('')
  const [fault, setFault] = useState(firstFault)
  const look = useBankChange((input: { text: string; columns?: StatementColumns; accountId?: string | null }) =>
    client.bank.preview(input),
  )
  const send = useBankChange(async (into: string | Named) => {
    const id = typeof into === 'string' ? into : await addAccount(into)
    setAccountId(id)
    return client.bank.import({ text, accountId: id, ...(columns && { columns }) })
  })
  const fail = (error: unknown) => setFault(error instanceof FileFault ? error.message : errorMessage(error))
  const read = (from: string, chosen?: StatementColumns) => {
    setFault(undefined)
    setText(from)
    setColumns(chosen)
    look.mutate(
      { text: from, ...(chosen && { columns: chosen }) },
      {
        onSuccess: (seen) => {
          setRows(undefined)
          setPreview(seen)
          setAccountId(seen.account?._id ?? '')
        },
        onError: (error) => {
          fail(error)
          const shown = error instanceof ApiError ? error.details['rows'] : undefined
          if (isRows(shown)) setRows(shown)
        },
      },
    )
  }
  return {
    text,
    setText,
    preview,
    unknown: accountId === '' ? unknownIn(preview) : undefined,
    result,
    rows,
    accountId,
    chooseAccount(id: string) {
      setFault(undefined)
      setAccountId(id)
      look.mutate(
        { text, accountId: id || null, ...(columns && { columns }) },
        { onSuccess: setPreview, onError: fail },
      )
    },
    fault,
    isPending: look.isPending || send.isPending,
    read,
    choose: (chosen: StatementColumns) => read(text, chosen),
    async take(file: Blob) {
      try {
        read(await textOfFile(file))
      } catch (error) {
        fail(error)
      }
    },
    back() {
      setFault(undefined)
      setPreview(undefined)
      setRows(undefined)
    },
    /** @param into an account, or one to add first */
    send: (into: string | Named) =>
      send.mutate(into, { onSuccess: (stored) => (setFault(undefined), setResult(stored)), onError: fail }),
  }
}

const addAccount = async ({ bank, tail }: Named): Promise<string> =>
  (await client.bank.createAccount({ bank, tail, label: t('{bank} account', { bank }), feedsStore: true }))._id

function unknownIn(preview: StatementPreview | undefined): Named | undefined {
  const { _id = null, bank = null, tail = null } = preview?.account ?? {}
  return _id === null && bank !== null && tail !== null ? { bank, tail } : undefined
}

const isRows = (value: unknown): value is string[][] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => Array.isArray(row))
