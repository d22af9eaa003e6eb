/** Passwords as argon2id (OWASP: 19 MiB, 2 passes, 1 lane). Hashing is bounded, so that a storm of logins leaves a core to buyers. */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = Math.max(1, availableParallelism() - 1)

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, OPTIONS))
}

let nobody: Promise<string> | undefined

/** Compares with nobody's hash when there is none, so that an unknown name takes the same time as a wrong password. */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('no one has this password')
  const against = stored ?? (await nobody)
  const matches = await inTurn(() => verify(against, password))
  return matches && stored !== undefined
}
