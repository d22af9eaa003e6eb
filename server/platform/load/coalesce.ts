/**
 * Shares one query among concurrent callers. Calls that arrive during a query share the next one. No answer is older
 * than its question, because its query begins later. A single caller never waits. Only calls that arrive in the same
 * event-loop turn share a query. (Otherwise the first of thirty concurrent requests goes alone, and the rest wait.)
 */
import { setImmediate as thisTurn } from 'node:timers/promises'
import { Refusal } from '../../../contract/errors.ts'

interface Question<Key, Answer> {
  key: Key
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** A caller gets an error within three seconds if the database does not answer. */
const ANSWER_MS_MAX = 2_500
const KEYS_MAX = 256

/**
 * @param ask returns the answers in the order of the keys
 * @returns a function that asks for one key; it throws Refusal SERVICE_UNAVAILABLE if no answer comes in time
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
