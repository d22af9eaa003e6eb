import { useDeferredValue, useMemo, useRef, useState, type ClipboardEvent, type DragEvent } from 'react'
import { CircleCheck, FileText, TriangleAlert, Upload, X } from 'lucide-react'
import { KEYS_PER_IMPORT_MAX } from '../../contract/limits.ts'
import { errorMessage } from '../platform/api-error.ts'
import { t } from '../platform/i18n.ts'
import { formatCount } from '../platform/money.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.ts'
import { cx } from '../ui/cx.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ShareBar } from '../ui/share-bar.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { addFailure } from './key-failures.ts'
import {
  checkLines,
  NOTHING_DONE,
  readKeyFile,
  sendKeys,
  toLines,
  type ImportCheck,
  type ImportProgress,
} from './key-import.ts'
import { addKeys, useKeysChanged, type Place } from './key-manager-queries.ts'

/** More lines than this are not put into the text field, which would make it slow to type in. */
const LINES_SHOWN_MAX = 1_000
const FAULTS_SHOWN_MAX = 5

interface KeyImportDialogProps {
  open: boolean
  place: Place
  onClose: () => void
}

/** Many lines at once, from a file or the clipboard. */
interface Bulk {
  name: string
  lines: string[]
}

/** Adds keys from a paste or a file: first it says what it has found, then it sends. */
export function KeyImportDialog({ open, place, onClose }: KeyImportDialogProps) {
  const [text, setText] = useState('')
  const [bulk, setBulk] = useState<Bulk>()
  const [progress, setProgress] = useState<ImportProgress>(NOTHING_DONE)
  const [stage, setStage] = useState<'filling' | 'sending' | 'done'>('filling')
  const [failure, setFailure] = useState<string>()
  const keysChanged = useKeysChanged()

  const settled = useDeferredValue(text)
  const check = useMemo(() => checkLines([...(bulk?.lines ?? []), ...toLines(settled)]), [bulk, settled])
  const count = check.keys.length
  const isTooMuch = count > KEYS_PER_IMPORT_MAX

  const startOver = () => {
    setText('')
    setBulk(undefined)
    setProgress(NOTHING_DONE)
    setFailure(undefined)
    setStage('filling')
  }
  // What was answered for stays answered for only as long as the keys are the same ones.
  const changed = () => {
    setProgress(NOTHING_DONE)
    setFailure(undefined)
  }
  const isStopped = useRef(false)
  const send = async () => {
    if (stage !== 'filling') return
    isStopped.current = false
    if (count === 0) {
      setFailure(t('Paste at least one key, or choose a file.'))
      return
    }
    setStage('sending')
    setFailure(undefined)
    try {
      const result = await sendKeys(
        check.keys,
        progress,
        (part) => addKeys(place, part),
        setProgress,
        () => isStopped.current,
      )
      setStage(result.done === count ? 'done' : 'filling')
    } catch (error) {
      setFailure(addFailure(error))
      setStage('filling')
    } finally {
      void keysChanged()
    }
  }
  const close = async () => {
    if (stage === 'sending') return
    const isSure =
      stage === 'done' ||
      count === 0 ||
      (await confirm({
        title: t('Discard {count, plural, one {# key} other {# keys}}?', { count: count - progress.done }),
        body: t('They are not added yet.'),
        confirmLabel: t('Discard'),
        cancelLabel: t('Keep'),
        danger: true,
      }))
    if (isSure) onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={() => void close()}
      title={t('Add keys')}
      description={t('{product}, {duration}', { product: place.productName, duration: place.duration })}
      sticky
      footer={
        stage === 'done' ? (
          <>
            <Button variant="ghost" onClick={startOver}>
              {t('Add more')}
            </Button>
            <Button onClick={onClose}>{t('Done')}</Button>
          </>
        ) : (
          <>
            <div className="w-full">
              <FormError>{failure}</FormError>
            </div>
            {stage === 'sending' ? (
              <Button
                variant="ghost"
                onClick={() => {
                  isStopped.current = true
                }}
              >
                {t('Stop')}
              </Button>
            ) : (
              <Button variant="ghost" onClick={() => void close()}>
                {t('Cancel')}
              </Button>
            )}
            <Button pending={stage === 'sending'} disabled={isTooMuch} onClick={() => void send()}>
              {count === 0
                ? t('Add keys')
                : t('{count, plural, one {Add # key} other {Add {text} keys}}', {
                    count: count - progress.done,
                    text: formatCount(count - progress.done),
                  })}
            </Button>
          </>
        )
      }
    >
      {stage === 'done' ? (
        <Result progress={progress} />
      ) : (
        <div className="grid gap-4 pb-1">
          {stage === 'filling' && (
            <Source
              text={text}
              bulk={bulk}
              onText={(next) => {
                setText(next)
                changed()
              }}
              onBulk={(next) => {
                setBulk(next)
                changed()
              }}
              onFailure={setFailure}
            />
          )}
          <DryRun check={check} isTooMuch={isTooMuch} />
          {(stage === 'sending' || progress.done > 0) && <Progress progress={progress} total={count} />}
        </div>
      )}
    </Dialog>
  )
}

interface SourceProps {
  text: string
  bulk: Bulk | undefined
  onText: (text: string) => void
  onBulk: (bulk: Bulk | undefined) => void
  onFailure: (failure: string) => void
}

/** A field to paste into, which takes files as well. */
function Source({ text, bulk, onText, onBulk, onFailure }: SourceProps) {
  const file = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (name: string, lines: string[]) => {
    if (lines.length <= LINES_SHOWN_MAX) onText([...(text.trim() === '' ? [] : [text.trimEnd()]), ...lines].join('\n'))
    else if (bulk)
      onBulk({ name: t('{first} and {second}', { first: bulk.name, second: name }), lines: [...bulk.lines, ...lines] })
    else onBulk({ name, lines })
  }
  const read = async (files: readonly File[]) => {
    try {
      const read = await Promise.all(files.map(readKeyFile))
      const [first] = files
      if (first) take(files.length === 1 ? first.name : t('{count} files', { count: files.length }), read.flat())
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
    // Dropping is the mouse's way; the field and the button below do the same for everyone.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
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
      {bulk && (
        <div className="flex items-center gap-3 rounded-control border border-line-2 bg-sunken py-1 pr-1 pl-3 text-sm">
          <FileText size={18} aria-hidden className="shrink-0 text-fg-2" />
          <span className="min-w-0 flex-1 wrap-break-word">{bulk.name}</span>
          <span className="tabular shrink-0 text-fg-3">
            {t('{count} lines', { count: formatCount(bulk.lines.length) })}
          </span>
          <IconButton
            label={t('Remove {name}', { name: bulk.name })}
            icon={<X size={17} aria-hidden />}
            onClick={() => onBulk(undefined)}
          />
        </div>
      )}
      <Field label={bulk ? t('More keys, one per line') : t('Keys, one per line')}>
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
          {t('TXT or CSV, up to {most} keys. You can drop it here.', { most: formatCount(KEYS_PER_IMPORT_MAX) })}
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
            void read(files)
          }}
        />
      </div>
    </section>
  )
}

/** What the lines are, before anything is sent. */
function DryRun({ check, isTooMuch }: { check: ImportCheck; isTooMuch: boolean }) {
  const { keys, blank, repeated, faulty } = check
  const isEmpty = keys.length + repeated + faulty.length === 0
  return (
    <div aria-live="polite" className="grid gap-2 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className={cx('tabular text-xl font-semibold', isEmpty && 'text-fg-3')}>{formatCount(keys.length)}</span>
        <span className="text-fg-2">
          {t('{count, plural, one {key to add} other {keys to add}}', { count: keys.length })}
        </span>
      </p>
      {!isEmpty && (blank > 0 || repeated > 0 || faulty.length > 0) && (
        <ul className="grid gap-1 text-fg-2">
          {repeated > 0 && <li>{t('{text} repeated here, sent once', { text: formatCount(repeated) })}</li>}
          {blank > 0 && (
            <li>
              {t('{count, plural, one {# blank line} other {{text} blank lines}} dropped', {
                count: blank,
                text: formatCount(blank),
              })}
            </li>
          )}
          {faulty.length > 0 && (
            <li className="text-warn">
              {t(
                '{count, plural, one {# line is left out, as it cannot be a key:} other {{text} lines are left out, as they cannot be keys:}}',
                {
                  count: faulty.length,
                  text: formatCount(faulty.length),
                },
              )}
              <ul className="mt-1 grid gap-0.5 text-xs">
                {faulty.slice(0, FAULTS_SHOWN_MAX).map(({ line, text, fault }) => (
                  <li key={line} className="flex gap-2">
                    <span className="tabular">{t('Line {line}', { line })}</span>
                    <span className="min-w-0 flex-1 truncate text-fg-2" title={text.slice(0, 300)}>
                      {fault}: <span className="font-mono">{text.slice(0, 60)}</span>
                    </span>
                  </li>
                ))}
                {faulty.length > FAULTS_SHOWN_MAX && (
                  <li>{t('and {count} more', { count: formatCount(faulty.length - FAULTS_SHOWN_MAX) })}</li>
                )}
              </ul>
            </li>
          )}
        </ul>
      )}
      {isTooMuch && (
        <p className="text-bad">
          {t('At most {most} keys at once. Split them into smaller parts.', { most: formatCount(KEYS_PER_IMPORT_MAX) })}
        </p>
      )}
    </div>
  )
}

function Progress({ progress, total }: { progress: ImportProgress; total: number }) {
  return (
    <div className="grid gap-1.5">
      <ShareBar share={total === 0 ? 0 : progress.done / total} />
      <output className="tabular text-sm text-fg-2">
        {t('{done} of {total} sent, {added} added', {
          done: formatCount(progress.done),
          total: formatCount(total),
          added: formatCount(progress.added),
        })}
      </output>
    </div>
  )
}

function Result({ progress: { added, duplicates } }: { progress: ImportProgress }) {
  return (
    <div role="status" className="grid gap-3 pb-1">
      {added > 0 && (
        <p className="flex items-center gap-2.5">
          <CircleCheck size={22} aria-hidden className="shrink-0 text-ok" />
          <span className="text-lg font-semibold">
            {t('{count, plural, one {# key added} other {{text} keys added}}', {
              count: added,
              text: formatCount(added),
            })}
          </span>
        </p>
      )}
      {duplicates > 0 && (
        <div className="flex items-start gap-2.5 rounded-control bg-warn/10 px-3 py-2.5 text-sm">
          <TriangleAlert size={17} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <div>
            <p className="font-medium">{t('Some or all keys were duplicates and were not added')}</p>
            <p className="text-fg-2">
              {t('{count, plural, one {# key is} other {{text} keys are}} in stock or sold already.', {
                count: duplicates,
                text: formatCount(duplicates),
              })}
            </p>
          </div>
        </div>
      )}
    </div>
  )
}
