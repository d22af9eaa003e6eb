import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { KEYS_PER_IMPORT_MAX } from '../../../../contract/limits.ts'
import { t } from '../../../platform/i18n.ts'
import { randomUuid } from '../../../platform/calls/random-uuid.ts'
import { useOneAtATime } from '../../../platform/use-one-at-a-time.ts'
import { costFaultOf } from '../delivery-fields.tsx'
import {
  linesOf,
  NOTHING_DONE,
  sendKeys,
  textsToAdd,
  toLines,
  type CheckedText,
  type ImportProgress,
} from '../key-import.ts'
import type { Bulk } from './key-import-source.tsx'
import { addFailure } from '../key-failures.ts'
import { renew } from '../../../platform/calls/use-call.ts'
import { addKeys, checkLines, type Delivery, type Variant } from '../key-manager-queries.ts'

interface Draft {
  stage: 'filling' | 'checking' | 'checked' | 'sending' | 'done'
  text: string
  bulk: Bulk | undefined
  /** The server's report on each line. */
  checked: CheckedText[]
  /** True once the admin has said that the doubtful lines are keys. */
  takesDoubtful: boolean
  delivery: Delivery
  progress: ImportProgress
  failure: string | undefined
}

export type KeyImport = ReturnType<typeof useKeyImport>

const fresh = (): Draft => ({
  stage: 'filling',
  text: '',
  bulk: undefined,
  checked: [],
  takesDoubtful: false,
  delivery: { batchId: randomUuid(), supplier: '', costPerKey: '', note: '' },
  progress: NOTHING_DONE,
  failure: undefined,
})

/**
 * The way of pasted keys into stock: the server checks each line, and only new keys are sent. Doubtful ones are sent
 * if the admin says so.
 * @param place undefined until product and duration are chosen
 */
export function useKeyImport(place: Variant | undefined) {
  const [draft, setDraft] = useState(fresh)
  const { stage, text, bulk, checked, takesDoubtful, delivery, progress } = draft
  const change = (part: Partial<Draft>) => setDraft((present) => ({ ...present, ...part }))
  const giveUp = useRef<() => void>(undefined)
  useEffect(() => () => giveUp.current?.(), [])

  const settled = useDeferredValue(text)
  const lines = useMemo(() => linesOf([...(bulk?.lines ?? []), ...toLines(settled)]), [bulk, settled])
  const added = useMemo(() => textsToAdd(checked, takesDoubtful), [checked, takesDoubtful])
  const costFault = costFaultOf(delivery.costPerKey)

  const check = useOneAtATime(async () => {
    if (stage !== 'filling') return
    if (!place || lines.length === 0) {
      change({
        failure: place ? t('Paste keys or choose a file.') : t('Please select a product and duration first.'),
      })
      return
    }
    const ending = new AbortController()
    giveUp.current = () => ending.abort()
    change({ stage: 'checking', failure: undefined })
    try {
      change({ checked: await checkLines(place, lines, ending.signal), stage: 'checked' })
    } catch (error) {
      const failure = addFailure(error)
      change({ stage: 'filling', ...(!ending.signal.aborted && { failure }) })
    }
  })
  const send = useOneAtATime(async () => {
    if (stage !== 'checked' || costFault || !place) return
    let isStopped = false
    giveUp.current = () => {
      isStopped = true
    }
    change({ stage: 'sending', failure: undefined })
    const onProgress = (next: ImportProgress) => change({ progress: next })
    try {
      const { done } = await sendKeys(
        added,
        progress,
        (part) => addKeys(place, part, delivery),
        onProgress,
        () => isStopped,
      )
      change({ stage: done === added.length ? 'done' : 'checked' })
    } catch (error) {
      change({ failure: addFailure(error), stage: 'checked' })
    } finally {
      void renew('keys')
    }
  })
  return {
    ...draft,
    change,
    lines,
    added,
    duplicates: progress.duplicates + checked.filter(({ group }) => group.startsWith('duplicate')).length,
    left: added.length - progress.done,
    isTooMuch: lines.length > KEYS_PER_IMPORT_MAX,
    costFault,
    check,
    send,
    stop: () => giveUp.current?.(),
    /** Discards the server's check, because it counts only for the same lines. */
    goBack: () => {
      const next = fresh()
      change({ ...next, text, bulk, delivery: { ...delivery, batchId: next.delivery.batchId } })
    },
    startOver: () => setDraft(fresh()),
  }
}
