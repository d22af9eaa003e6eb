/** The worker's side of in-worker.ts: reads what it is given, and answers. */
import { speak } from '../i18n.ts'
import { FileFault, PasswordFault } from './file-fault.ts'
import type { Answer } from './in-worker.ts'

export function answerWork(read: (given: never) => Promise<unknown>): void {
  // The page has the words of its language
  speak('en', (...said) => JSON.stringify(said))
  addEventListener('message', ({ data }: MessageEvent) => {
    void read(data as never).then(
      (done) => postMessage({ read: done } satisfies Answer<unknown>),
      (error: unknown) => postMessage(faultOf(error)),
    )
  })
  postMessage('started')
}

function faultOf(error: unknown): Answer<never> {
  if (!(error instanceof FileFault)) return { error: String(error) }
  const fault = JSON.parse(error.message)
  return error instanceof PasswordFault ? { fault, password: error.isWrong ? 'wrong' : 'none' } : { fault }
}
