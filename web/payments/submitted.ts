/** Holds 'Request submitted' for the time that the specification gives it on Offers. */
import { TOPUP_MESSAGE_MS } from '../../contract/limits.ts'
import { createStore } from '../platform/store.ts'

export const submittedMessage = createStore(false)

let timer: ReturnType<typeof setTimeout> | undefined

export function showSubmitted(): void {
  clearTimeout(timer)
  submittedMessage.set(true)
  timer = setTimeout(() => submittedMessage.set(false), TOPUP_MESSAGE_MS)
}
