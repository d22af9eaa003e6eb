import { FileText } from 'lucide-react'
import { useRef } from 'react'
import { useFace } from '../../../platform/calls/site.ts'
import { t } from '../../../platform/i18n.ts'
import { Field } from '../../../ui/fields/field.tsx'
import { PasswordInput } from '../../../ui/fields/password-input.tsx'
import { Textarea } from '../../../ui/fields/textarea.tsx'
import { WhatToDownload } from './what-to-download.tsx'
import type { Upload } from './use-upload.ts'

/** @param banks of the store's accounts */
export function FileStep({ upload, banks }: { upload: Upload; banks: readonly string[] }) {
  const { text, setText, take, isPending } = upload
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
        <span className="font-medium">
          {isPending ? (
            t('Reading…')
          ) : (
            <>
              {/* A thumb drops nothing */}
              <span className="pointer-coarse:hidden">{t('Choose a file, or drop it here')}</span>
              <span className="not-pointer-coarse:hidden">{t('Choose a file')}</span>
            </>
          )}
        </span>
        <span className="text-xs text-fg-3">{t('CSV or Excel up to 5 MB, PDF up to 10 MB')}</span>
      </button>
      <input
        ref={picker}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('Statement file')}
        accept=".csv,.tsv,.txt,.xlsx,.xls,.pdf"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void take(file)
        }}
      />
      <WhatToDownload banks={banks} />
      <Field label={t('Or paste the statement')}>
        <Textarea mono rows={5} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <SampleLink />
    </>
  )
}

/** Asks for the password of a file. It is used in this browser alone. */
export function PasswordStep({ upload: { password, setPassword, unlock, isPending } }: { upload: Upload }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (password !== '' && !isPending) unlock()
      }}
    >
      <Field
        label={t('Password of the file')}
        hint={t('Your bank says what it is, in the e-mail or where you download it. It stays in this browser.')}
      >
        <PasswordInput
          data-autofocus
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
    </form>
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
