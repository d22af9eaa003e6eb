/**
 * Hashes passwords with argon2id (OWASP: 19 MiB, 2 passes, 1 lane). A storm of logins leaves one core to buyers,
 * because hashing is bounded. Fair turns let honest callers log in during it.
 */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Turns, type Turn } from './turns.ts'

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const turns = new Turns({
  atOnce: Math.max(1, availableParallelism() - 1),
  ofAccountMax: 2,
  // Less than a store has to end, and than a page waits for an answer
  waitMsMax: 8_000,
  waitingMax: 2_000,
})

/**
 * @param turn of the caller. Without it, as in the operator's commands, hashing starts at once
 * @throws Refusal SERVICE_UNAVAILABLE when the caller's turn does not come within some seconds
 */
export function hashPassword(password: string, turn?: Turn): Promise<string> {
  return inTurn(turn, () => hash(password, OPTIONS))
}

let nobody: Promise<string> | undefined

/**
 * Compares with a dummy hash if there is none, so that an unknown name takes the same time as a wrong password.
 * @throws Refusal SERVICE_UNAVAILABLE as above
 */
export async function passwordMatches(stored: string | undefined, password: string, turn?: Turn): Promise<boolean> {
  nobody ??= hash('no one has this password', OPTIONS)
  const against = stored ?? (await nobody)
  const matches = await inTurn(turn, () => verify(against, password))
  return matches && stored !== undefined
}

function inTurn<T>(turn: Turn | undefined, work: () => Promise<T>): Promise<T> {
  return turn ? turns.take(turn, work) : work()
}
