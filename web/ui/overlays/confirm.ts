import { createStore, useStore } from '../../platform/store.ts'

export interface Question {
  /** Names the thing: "Delete Orbit Arena Pro?" */
  title: string
  /** The consequence, and whom it affects. */
  body?: string
  /** The verb: "Delete", "Approve". */
  confirmLabel: string
  cancelLabel?: string
  /** Makes the button red and starts the focus on Cancel. */
  danger?: boolean
  /** Takes a yes by a key, too, after a second only, because the press before it may have been the first of two. */
  rests?: boolean
  /** Shows only one button, for news instead of a question. */
  notice?: boolean
}

interface Asked extends Question {
  answer: (yes: boolean) => void
}

const asked = createStore<Asked | null>(null)

/**
 * Asks in a dialog. True means yes. A newer question answers an open one with no.
 *
 *   if (await confirm({ title: t('Delete {name}?', { name }), body: …, confirmLabel: t('Delete'), danger: true })) …
 */
export function confirm(question: Question): Promise<boolean> {
  answerNo()
  return new Promise((resolve) => {
    asked.set({
      ...question,
      answer(yes) {
        asked.set(null)
        resolve(yes)
      },
    })
  })
}

export function answerNo(): void {
  asked.get()?.answer(false)
}

/** Shows news that must be read, in a dialog with one button. */
export async function tell(title: string, body?: string): Promise<void> {
  await confirm({ title, ...(body && { body }), confirmLabel: 'OK', notice: true })
}

export const useQuestion = (): Asked | null => useStore(asked)
