import { useRef, useState, type ClipboardEvent, type ComponentProps, type DragEvent } from 'react'
import { FileText, Upload, X } from 'lucide-react'
import { KEYS_PER_IMPORT_MAX } from '../../../../contract/limits.ts'
import { errorMessage } from '../../../platform/calls/api-error.ts'
import { t } from '../../../platform/i18n.ts'
import { formatCount } from '../../../platform/money.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/fields/field.tsx'
import { IconButton } from '../../../ui/buttons/icon-button.tsx'
import { Textarea } from '../../../ui/fields/textarea.tsx'
import { FileFault } from '../../../platform/files/file-fault.ts'
import { readInWorker } from '../../../platform/files/in-worker.ts'
import { trusted } from '../../../platform/trusted-address.ts'
import { toLines, type readKeyFile } from '../key-import.ts'
import { ColumnChoice } from './column-choice.tsx'
// oxlint-disable-next-line import/default -- Vite makes it the address of the built worker
import address from './key-reader.ts?worker&url'

/** More lines than this are not put into the text field, which would make it slow to type in. */
const LINES_SHOWN_MAX = 1_000

const takesTooLong = () => new FileFault(t('This file takes too long to read. Split it into smaller files.'))
const inWorker = (file: File) =>
  readInWorker<Awaited<ReturnType<typeof readKeyFile>>>(
    new Worker(trusted('key-reader', address), { type: 'module' }),
    file,
    takesTooLong,
  )

/** Many lines at once, from a file or the clipboard. */
export interface Bulk {
  name: string
  lines: string[]
}

type Table = Pick<ComponentProps<typeof ColumnChoice>, 'name' | 'rows'>

interface SourceProps {
  text: string
  bulk: Bulk | undefined
  onText: (text: string) => void
  onBulk: (bulk: Bulk | undefined) => void
  onFailure: (failure: string) => void
}

/** A field to paste into, which takes files as well. */
export function Source({ text, bulk, onText, onBulk, onFailure }: SourceProps) {
  const [isOver, setOver] = useState(false)
  /** Files of which somebody must say where their keys are. */
  const [tables, setTables] = useState<readonly Table[]>([])
  const take = (name: string, lines: string[]) => {
    if (lines.length <= LINES_SHOWN_MAX) onText([...(text.trim() === '' ? [] : [text.trimEnd()]), ...lines].join('\n'))
    else if (bulk)
      onBulk({ name: t('{first} and {second}', { first: bulk.name, second: name }), lines: [...bulk.lines, ...lines] })
    else onBulk({ name, lines })
  }
  const read = async (files: readonly File[]) => {
    try {
      const { lines, unsure } = await readFiles(files)
      setTables(unsure)
      const [first] = files
      if (first && lines.length > 0)
        take(files.length === 1 ? first.name : t('{count} files', { count: files.length }), lines)
    } catch (error) {
      onFailure(errorMessage(error))
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    const lines = toLines(event.clipboardData.getData('text'))
    if (files.length === 0 && lines.length <= LINES_SHOWN_MAX) return
    event.preventDefault()
    if (files.length > 0) void read(files)
    else take(t('Pasted text'), lines)
  }
  const onDrop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files]
    setOver(false)
    if (files.length === 0) return
    event.preventDefault()
    void read(files)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <section
      aria-label={t('Keys to add')}
      className={cx('grid gap-3 rounded-control', isOver && 'bg-brand-bg')}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {bulk && <BulkFile bulk={bulk} onRemove={() => onBulk(undefined)} />}
      <Field label={bulk ? t('Add more keys, one per line') : t('Keys, one per line')}>
        <Textarea
          mono
          rows={bulk ? 3 : 8}
          name="keys"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          wrap="off"
          value={text}
          onChange={(event) => onText(event.target.value)}
          onPaste={onPaste}
          data-autofocus
          className="overflow-auto"
        />
      </Field>
      {tables[0] && (
        <ColumnChoice
          key={tables[0].name}
          {...tables[0]}
          onChoose={(lines) => {
            take(tables[0]?.name ?? '', lines)
            setTables(tables.slice(1))
          }}
        />
      )}
      <FilePicker onFiles={(files) => void read(files)} />
    </section>
  )
}

async function readFiles(files: readonly File[]): Promise<{ lines: string[]; unsure: Table[] }> {
  const all = await Promise.all(files.map(async (file) => ({ name: file.name, found: await inWorker(file) })))
  return {
    lines: all.flatMap(({ found }) => ('rows' in found ? [] : found)),
    unsure: all.flatMap(({ name, found }) => ('rows' in found ? [{ name, rows: found.rows }] : [])),
  }
}

function BulkFile({ bulk, onRemove }: { bulk: Bulk; onRemove: () => void }) {
  return (
    <div className="flex items-center gap-3 rounded-control border border-line-2 bg-sunken py-1 pr-1 pl-3 text-sm">
      <FileText size={18} aria-hidden className="shrink-0 text-fg-2" />
      <span className="min-w-0 flex-1 wrap-break-word">{bulk.name}</span>
      <span className="tabular shrink-0 text-fg-3">
        {t('{count, plural, one {# line} other {# lines}}', { count: bulk.lines.length })}
      </span>
      <IconButton
        label={t('Remove {name}', { name: bulk.name })}
        icon={<X size={17} aria-hidden />}
        onClick={onRemove}
      />
    </div>
  )
}

function FilePicker({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        size="sm"
        variant="secondary"
        icon={<Upload size={15} aria-hidden />}
        onClick={() => file.current?.click()}
      >
        {t('Choose file')}
      </Button>
      <span className="text-xs text-fg-3">
        {t('TXT or CSV, up to {most} keys. You can also drop a file here.', {
          most: formatCount(KEYS_PER_IMPORT_MAX),
        })}
      </span>
      <input
        ref={file}
        type="file"
        accept=".txt,.csv,text/plain,text/csv"
        multiple
        tabIndex={-1}
        aria-label={t('Key file')}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // The same file can be chosen again, after it has been corrected.
          event.target.value = ''
          onFiles(files)
        }}
      />
    </div>
  )
}
