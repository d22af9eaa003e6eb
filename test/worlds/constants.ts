/** Shared by every test world. */
import { randomBytes } from 'node:crypto'
import { createSealer } from '../../server/platform/secrets/sealing.ts'

export const TEST_SEALER = createSealer([Buffer.alloc(32, 7)])
export const TEST_NOW = '2026-11-20T15:44:00.000Z'

/** A name that no other row of the run has. */
export const unique = (stem: string): string => `${stem}${randomBytes(5).toString('hex')}`
