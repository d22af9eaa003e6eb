/**
 * A password takes 30 ms to hash, on purpose, and the people of the tests log in thousands of times: half of the CPU
 * time. Theirs are hashed cheaply, except where it is about passwords. No other password is.
 */
import { expect, vi } from 'vitest'

const THEIRS = /^a long (?:owner|buyer|admin) password$/
const ABOUT_PASSWORDS = /\/(?:data|login-storm|lock-out|throttling|register)\.test\.ts$/

vi.mock(import('@node-rs/argon2'), async (load) => {
  const real = await load()
  const isCheap = (password: string | Uint8Array) =>
    THEIRS.test(String(password)) && !ABOUT_PASSWORDS.test(expect.getState().testPath ?? '')
  return {
    ...real,
    hash: (password, options, signal) =>
      real.hash(password, isCheap(password) ? { ...options, memoryCost: 64, timeCost: 1 } : options, signal),
  }
})
