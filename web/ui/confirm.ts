import { createStore, useStore } from '../platform/store.ts'

export interface Question {
  /** Names the thing: "Delete Orbit Arena Pro?" */
  title: string
  /** What happens then, and to whom. */
  body?: string
  /** The verb: "Delete", "Approve". */
  confirmLabel: string
  cancelLabel?: string
  /** Red button; the focus starts on Cancel. */
  danger?: boolean
  /** Has to be typed first, for what can't be undone and is large. */
  typeToConfirm?: string
  /** Only one button: something to be told, not asked. */
  notice?: boolean
}

interface Asked extends Question {
  answer: (yes: boolean) => void
}

const asked = createStore<Asked | null>(null)

/** Asks in a dialog; true for yes. One question at a time: a newer one answers the older with no. */
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

/** Tells something that must be read: a dialog with one button. */
export async function tell(title: string, body?: string): Promise<void> {
  await confirm({ title, ...(body && { body }), confirmLabel: 'OK', notice: true })
}

/**
 *   const confirm = useConfirm()
 *   if (await confirm({ title: t('Delete {name}?', { name }), body: …, confirmLabel: t('Delete'), danger: true })) …
 */
export function useConfirm(): typeof confirm {
  return confirm
}

export function useQuestion(): Asked | null {
  return useStore(asked)
}
