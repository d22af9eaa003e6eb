/**
 * Confirms that it is the admin. Any call may be answered STEP_UP_REQUIRED. One dialog then asks for the password or a
 * code, and the same call is sent again. The form that made the call keeps its text.
 */
import { ApiError } from '../../platform/calls/api-error.ts'
import { onRefusalOf } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { createStore, useStore } from '../../platform/store.ts'

interface Asked {
  answer: (isProven: boolean) => void
}

const asked = createStore<Asked | null>(null)
let waiting: Promise<boolean> | undefined

export function useStepUp(): Asked | null {
  return useStore(asked)
}

export function declineStepUp(): void {
  asked.get()?.answer(false)
}

/** Starts to ask for a proof when a call needs one. @returns stops it */
export function watchForStepUp(): () => void {
  return onRefusalOf('STEP_UP_REQUIRED', async (refusal) =>
    (await askForProof())
      ? undefined
      : new ApiError({
          status: refusal.status,
          code: refusal.code,
          message: t('Nothing changed. You didn’t confirm.'),
        }),
  )
}

/** Calls that need a proof at the same moment wait for the same one. */
function askForProof(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    asked.set({
      answer(isProven) {
        waiting = undefined
        asked.set(null)
        resolve(isProven)
      },
    })
  })
  return waiting
}
