import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { ChevronLeft, CircleCheck, TriangleAlert } from 'lucide-react'
import { KEYS_PER_IMPORT_MAX } from '../../../contract/limits.ts'
import { errorMessage } from '../../platform/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { randomUuid } from '../../platform/admin/random-uuid.ts'
import { useOneAtATime } from '../../platform/use-one-at-a-time.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { costFaultOf, DeliveryFields } from './delivery-fields.tsx'
import { addFailure } from './key-failures.ts'
import { KeyImportReview } from './key-import-review.tsx'
import { linesOf, NOTHING_DONE, sendKeys, toLines, type CheckedText, type ImportProgress } from './key-import.ts'
import { Source, type Bulk } from './key-import-source.tsx'
import { addKeys, checkLines, keysChanged, type Delivery, type Place } from './key-manager-queries.ts'

interface KeyImportDialogProps {
  open: boolean
  place: Place
  onClose: () => void
}

type Stage = 'filling' | 'checking' | 'checked' | 'sending' | 'done'

const newDelivery = (): Delivery => ({ batchId: randomUuid(), supplier: '', costPerKey: '', note: '' })

/** Adds keys from a paste or a file. The server first checks each line; then only new keys are sent. */
export function KeyImportDialog({ open, place, onClose }: KeyImportDialogProps) {
  const [text, setText] = useState('')
  const [bulk, setBulk] = useState<Bulk>()
  const [checked, setChecked] = useState<CheckedText[]>([])
  const [delivery, setDelivery] = useState(newDelivery)
  const [progress, setProgress] = useState<ImportProgress>(NOTHING_DONE)
  const [stage, setStage] = useState<Stage>('filling')
  const [failure, setFailure] = useState<string>()

  const settled = useDeferredValue(text)
  const lines = useMemo(() => linesOf([...(bulk?.lines ?? []), ...toLines(settled)]), [bulk, settled])
  const fresh = useMemo(() => checked.filter(({ group }) => group === 'new').map((line) => line.text), [checked])
  const isTooMuch = lines.length > KEYS_PER_IMPORT_MAX
  const costFault = costFaultOf(delivery.costPerKey)
  const left = fresh.length - progress.done

  const giveUp = useRef<() => void>(undefined)
  useEffect(() => () => giveUp.current?.(), [])

  /** Discards the server's check, because it counts only for the same lines. */
  const goBack = () => {
    setChecked([])
    setProgress(NOTHING_DONE)
    setDelivery({ ...delivery, batchId: randomUuid() })
    setFailure(undefined)
    setStage('filling')
  }
  const startOver = () => {
    goBack()
    setText('')
    setBulk(undefined)
    setDelivery(newDelivery())
  }
  const check = useOneAtATime(async () => {
    if (stage !== 'filling') return
    if (lines.length === 0) {
      setFailure(t('Paste keys or choose a file.'))
      return
    }
    const ending = new AbortController()
    giveUp.current = () => ending.abort()
    setStage('checking')
    setFailure(undefined)
    try {
      setChecked(await checkLines(place, lines, ending.signal))
      setStage('checked')
    } catch (error) {
      if (!ending.signal.aborted) setFailure(t('Couldn’t check the keys. {reason}', { reason: errorMessage(error) }))
      setStage('filling')
    }
  })
  const send = useOneAtATime(async () => {
    if (stage !== 'checked' || costFault) return
    let isStopped = false
    giveUp.current = () => {
      isStopped = true
    }
    setStage('sending')
    setFailure(undefined)
    try {
      const result = await sendKeys(
        fresh,
        progress,
        (part) => addKeys(place, part, delivery),
        setProgress,
        () => isStopped,
      )
      setStage(result.done === fresh.length ? 'done' : 'checked')
    } catch (error) {
      setFailure(addFailure(error))
      setStage('checked')
    } finally {
      keysChanged()
    }
  })
  const close = async () => {
    if (stage === 'sending') return
    giveUp.current?.()
    const count = stage === 'checked' ? left : lines.length
    const isSure =
      stage === 'done' ||
      count === 0 ||
      (await confirm({
        title: t('Discard {count, plural, one {# key} other {# keys}}?', { count }),
        body: t('These keys have not been added yet.'),
        confirmLabel: t('Discard'),
        cancelLabel: t('Keep editing'),
        danger: true,
      }))
    if (isSure) onClose()
  }
  const stop = (
    <Button variant="ghost" onClick={() => giveUp.current?.()}>
      {stage === 'sending' ? t('Stop') : t('Cancel')}
    </Button>
  )
  return (
    <Dialog
      open={open}
      onClose={() => void close()}
      title={t('Add keys')}
      description={t('{product}, {duration}', { product: place.productName, duration: place.duration })}
      sticky
      footer={
        <>
          <div className="w-full empty:hidden">
            <FormError>{failure}</FormError>
          </div>
          {stage === 'filling' && (
            <>
              <Button variant="ghost" onClick={() => void close()}>
                {t('Cancel')}
              </Button>
              <Button disabled={isTooMuch} onClick={check}>
                {lines.length === 0
                  ? t('Check keys')
                  : t('{count, plural, one {Check # key} other {Check {text} keys}}', {
                      count: lines.length,
                      text: formatCount(lines.length),
                    })}
              </Button>
            </>
          )}
          {stage === 'checking' && (
            <>
              {stop}
              <Button pending>{t('Checking')}</Button>
            </>
          )}
          {stage === 'checked' && (
            <>
              <Button variant="ghost" icon={<ChevronLeft size={16} aria-hidden />} onClick={goBack}>
                {t('Edit keys')}
              </Button>
              <Button disabled={left === 0} onClick={send}>
                {progress.done > 0
                  ? t('{count, plural, one {Add remaining key} other {Add remaining {text} keys}}', {
                      count: left,
                      text: formatCount(left),
                    })
                  : t('{count, plural, =0 {No new keys} one {Add # new key} other {Add {text} new keys}}', {
                      count: left,
                      text: formatCount(left),
                    })}
              </Button>
            </>
          )}
          {stage === 'sending' && (
            <>
              {stop}
              <Button pending>{t('Adding')}</Button>
            </>
          )}
          {stage === 'done' && (
            <>
              <Button variant="ghost" onClick={startOver}>
                {t('Add more')}
              </Button>
              <Button onClick={onClose}>{t('Done')}</Button>
            </>
          )}
        </>
      }
    >
      {stage === 'filling' && (
        <div className="grid gap-4 pb-1">
          <Source
            text={text}
            bulk={bulk}
            onText={(next) => {
              setText(next)
              setFailure(undefined)
            }}
            onBulk={(next) => {
              setBulk(next)
              setFailure(undefined)
            }}
            onFailure={setFailure}
          />
          {isTooMuch && (
            <p role="status" className="text-sm text-bad">
              {t('You can add up to {most} keys at a time. Split the list and try again.', {
                most: formatCount(KEYS_PER_IMPORT_MAX),
              })}
            </p>
          )}
        </div>
      )}
      {stage === 'checking' && (
        <output className="grid gap-2 py-6 text-center text-sm text-fg-2">
          {t('{count, plural, one {Checking # line} other {Checking {text} lines}}. Nothing has been added yet.', {
            count: lines.length,
            text: formatCount(lines.length),
          })}
        </output>
      )}
      {(stage === 'checked' || stage === 'sending') && (
        <div className="grid grid-cols-1 gap-4 pb-1">
          {(stage === 'sending' || progress.done > 0) && <Progress progress={progress} total={fresh.length} />}
          {stage === 'checked' && (
            <>
              <KeyImportReview lines={checked} />
              {progress.done === 0 && fresh.length > 0 && (
                <DeliveryFields
                  facts={delivery}
                  costFault={costFault}
                  count={fresh.length}
                  onChange={(facts) => setDelivery({ ...delivery, ...facts })}
                  className="border-t border-line pt-4"
                />
              )}
            </>
          )}
        </div>
      )}
      {stage === 'done' && <Result progress={progress} />}
    </Dialog>
  )
}

function Progress({ progress, total }: { progress: ImportProgress; total: number }) {
  return (
    <div className="grid gap-1.5">
      <ShareBar share={total === 0 ? 0 : progress.done / total} />
      <output className="tabular text-sm text-fg-2">
        {t('Processed {done} of {total}. Added {added}.', {
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
              {t('{count, plural, one {# key is} other {{text} keys are}} already in stock or sold.', {
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
