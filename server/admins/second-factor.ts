/**
 * Codes of an authenticator app (RFC 6238: six digits, 30 seconds) and recovery codes. A code works once: the step
 * of the last one is kept, and it and earlier steps are refused.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'
import { writeAdmin, type Admin } from './admins.ts'

const STEP_S = 30
/** A phone's clock may be one step behind the store's, or ahead of it. */
const STEPS_OFF_MAX = 1
const SECRET_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_CODE_BYTES = 10

const totpOf = (secret: string, label = 'admin', issuer = 'Chaabi') =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: STEP_S, secret: Secret.fromBase32(secret) })

/** @returns a new secret, in base32 */
export const newSecret = (): string => new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32

/** Returns the text of the QR code for an authenticator app. */
export const secretUri = (secret: string, admin: string, store: string): string =>
  totpOf(secret, admin, store.replaceAll(':', ' ')).toString()

/** @returns the step of the code; undefined for a wrong code, or one of a used step */
export function stepOfCode(secret: string, code: string, now: Date, lastStep: number | null): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf(secret).validate({ token, timestamp: now.getTime(), window: STEPS_OFF_MAX })
  if (delta === null) return undefined
  const step = Math.floor(now.getTime() / 1000 / STEP_S) + delta
  return lastStep !== null && step <= lastStep ? undefined : step
}

/**
 * Uses up a code of an enrolled admin, or one of their recovery codes. The account must be locked in this
 * transaction.
 * @returns true if it was right
 */
export async function takeCode(
  tx: Transaction,
  { admin, code, sealer, now }: { admin: Admin; code: string; sealer: Sealer; now: Date },
): Promise<boolean> {
  if (!admin.totpSealed) return false
  const step = stepOfCode(sealer.open('second-factor', admin.id, admin.totpSealed), code, now, admin.totpStep)
  if (step !== undefined) {
    await writeAdmin(tx, { ...admin, totpStep: step })
    return true
  }
  const used = await tx.run(sql`
    update admin_recovery_codes set used_at = ${now}
     where admin_id = ${admin.id} and code_hash = ${hashOfRecoveryCode(code)} and used_at is null`)
  return used > 0
}

/** Replaces an admin's recovery codes. @returns the new ones, to be shown once */
export async function renewRecoveryCodes(tx: Transaction, adminId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await dropRecoveryCodes(tx, adminId)
  await tx.run(sql`
    insert into admin_recovery_codes (admin_id, code_hash)
    select ${adminId}, hash from unnest(${codes.map(hashOfRecoveryCode)}::bytea[]) as code (hash)`)
  return codes
}

export async function dropRecoveryCodes(tx: Transaction, adminId: string): Promise<void> {
  await tx.run(sql`delete from admin_recovery_codes where admin_id = ${adminId}`)
}

function newRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_CODE_BYTES)).buffer })
  return base32.match(/.{4}/g)?.join('-') ?? base32
}

function hashOfRecoveryCode(code: string): Buffer {
  const bare = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')
  return createHash('sha256').update(bare).digest()
}
