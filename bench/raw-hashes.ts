/**
 * The yardstick of logging in: password checks a second and nothing else, as many in parallel as in the store.
 * Run by fork with the number of milliseconds; answers with checks a second.
 */
import { hashPassword, passwordMatches } from '../server/platform/passwords/passwords.ts'

const ASKING = 8

process.once(
  'message',
  (forMs: number) => void check(forMs).then((perSecond) => process.send?.(perSecond, () => process.exit(0))),
)

async function check(forMs: number): Promise<number> {
  const stored = await hashPassword('a bench buyer key')
  const started = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: ASKING }, async (_, asker) => {
      const turn = { lane: 'bench', network: 'here', account: String(asker), isGone: () => false }
      while (performance.now() < started + forMs) {
        await passwordMatches(stored, 'a bench buyer key', turn)
        done++
      }
    }),
  )
  return done / ((performance.now() - started) / 1_000)
}
