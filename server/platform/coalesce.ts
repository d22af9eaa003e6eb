/**
 * One query for many who ask at the same time: while a query is under way, the questions that arrive gather and
 * share the next one. No answer is older than its question, since its query begins after it. Who asks alone is
 * answered at once: only what has arrived already, and is read in the same turn of the event loop, is waited for.
 * (Without that the first of thirty requests that come together goes alone, and twenty-nine wait for it.)
 */
import { setImmediate as thisTurn } from 'node:timers/promises'
import { Refusal } from '../../contract/errors.ts'

interface Question<Key, Answer> {
  key: Key
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** Where the database does not answer, the caller is told so within three seconds. */
const ANSWER_MS_MAX = 2_500
const KEYS_MAX = 256

/**
 * @param ask gives the answers in the order of the keys
 * @returns asks for one; throws Refusal SERVICE_UNAVAILABLE when no answer comes in time
 */
export function coalesce<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  const waiting: Question<Key, Answer>[] = []
  let underWay = false

  async function answerAll(): Promise<void> {
    underWay = true
    for (await thisTurn(); waiting.length > 0; await thisTurn()) {
      const questions = waiting.splice(0, KEYS_MAX)
      try {
        const answers = await ask(questions.map(({ key }) => key))
        for (const [index, { resolve }] of questions.entries()) resolve(answers[index] as Answer)
      } catch (error) {
        for (const { reject } of questions) reject(error as Error)
      }
    }
    underWay = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Refusal('SERVICE_UNAVAILABLE', { retryAfterMs: 1_000 })), ANSWER_MS_MAX)
      waiting.push({
        key,
        resolve(answer) {
          clearTimeout(late)
          resolve(answer)
        },
        reject(error) {
          clearTimeout(late)
          reject(error)
        },
      })
      if (!underWay) void answerAll()
    })
}
