/**
 * Opens an Excel file that a password locks (.xlsx within OLE), by the browser's own cryptography. Excel 2010 and later
 * lock "agile", and some programs "standard", both with AES. Older ways with RC4 are refused in words.
 */
import { t } from '../../../platform/i18n.ts'
import { FileFault, PasswordFault } from '../../../platform/files/file-fault.ts'
import { damagedExcel, joined, type Streams } from './ole.ts'

type Bytes = Uint8Array<ArrayBuffer>

const BLOCK = 16
const SEGMENT = 4_096
/** Excel uses 100,000. A file with many more would only keep the person waiting. */
const ROUNDS_MAX = 1_000_000
const STANDARD_ROUNDS = 50_000
const ROUNDS_PER_TURN = 1_000
const HASHES: Record<string, string> = { SHA1: 'SHA-1', SHA256: 'SHA-256', SHA384: 'SHA-384', SHA512: 'SHA-512' }
/** What Excel adds to the password's hash, for each of the keys that it makes. */
const FOR = {
  verifier: bytesOf('fea7d2763b4b9e79'),
  verified: bytesOf('d7aa0f6d3061344e'),
  file: bytesOf('146e0be7abacd0d6'),
}

function bytesOf(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export const isLocked = (streams: Streams): boolean => streams('EncryptionInfo') !== undefined

/**
 * @returns the file as it would be without a password
 * @throws PasswordFault for a wrong one; FileFault for another way of locking
 */
export async function unlockXlsx(streams: Streams, password: string): Promise<Bytes> {
  const [info, locked] = [streams('EncryptionInfo'), streams('EncryptedPackage')]
  if (!info || !locked || info.length < 8 || locked.length < 8) throw damagedExcel()
  // Without TLS a browser has no cryptography
  if (!globalThis.crypto?.subtle) throw otherLock()
  const version = [viewOf(info).getUint16(0, true), viewOf(info).getUint16(2, true)].join('.')
  const size = viewOf(locked).getUint32(0, true)
  const open = version === '4.4' ? agile : /^[234]\.2$/.test(version) ? standard : undefined
  if (!open) throw otherLock()
  const file = await open(info.subarray(8), locked.subarray(8), password).catch((error: unknown) => {
    throw error instanceof FileFault ? error : damagedExcel()
  })
  return file.length < size ? Promise.reject(damagedExcel()) : file.slice(0, size)
}

const otherLock = () =>
  new FileFault(t('This Excel file is locked in an old way. Open it with its password and save it as CSV.'))
const wrong = () => new PasswordFault(t('This password doesn’t open the file.'), true)
const viewOf = (bytes: Bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

type Open = (info: Bytes, locked: Bytes, password: string) => Promise<Bytes>

interface Lock {
  salt: Bytes
  hash: string
  /** In bytes. */
  keyLength: number
}

const agile: Open = async (info, locked, password) => {
  const xml = new TextDecoder().decode(info)
  const [file = '', key = ''] = [/<keyData\b[^<>]*>/, /<(?:\w+:)?encryptedKey\b[^<>]*>/].map(
    (tag) => tag.exec(xml)?.[0] ?? '',
  )
  const rounds = Number(attribute(key, 'spinCount'))
  const [fileLock, keyLock] = [lockOf(file), lockOf(key)]
  if (!Number.isInteger(rounds) || rounds > ROUNDS_MAX) throw otherLock()
  const hashed = await spun(keyLock, password, rounds)
  const opened = async (purpose: Bytes, name: string) =>
    cbc(await keyFor(keyLock, joined([hashed, purpose])), keyLock.salt, base64(attribute(key, name)))
  const [verifier, verified] = [
    await opened(FOR.verifier, 'encryptedVerifierHashInput'),
    await opened(FOR.verified, 'encryptedVerifierHashValue'),
  ]
  if (!startsWith(verified, await digest(keyLock.hash, verifier.slice(0, keyLock.salt.length)))) throw wrong()
  const secret = (await opened(FOR.file, 'encryptedKeyValue')).slice(0, fileLock.keyLength)
  const parts: Bytes[] = []
  for (let at = 0; at < locked.length; at += SEGMENT) {
    const start = await digest(fileLock.hash, joined([fileLock.salt, number(at / SEGMENT)]))
    parts.push(await cbc(secret, filled(start, BLOCK), locked.subarray(at, at + SEGMENT)))
  }
  return joined(parts)
}

function lockOf(tag: string): Lock {
  const hash = HASHES[attribute(tag, 'hashAlgorithm').replace('-', '')]
  const isKnown = attribute(tag, 'cipherAlgorithm') === 'AES' && attribute(tag, 'cipherChaining') === 'ChainingModeCBC'
  const keyLength = Number(attribute(tag, 'keyBits')) / 8
  if (hash === undefined || !isKnown || ![16, 24, 32].includes(keyLength)) throw otherLock()
  return { salt: filled(base64(attribute(tag, 'saltValue')), BLOCK), hash, keyLength }
}

const attribute = (tag: string, name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''

function base64(text: string): Bytes {
  return Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0)
}

/** The older lock: one SHA-1 key for all blocks, which do not depend on each other. */
const standard: Open = async (info, locked, password) => {
  const view = viewOf(info)
  const [headerSize, algorithm, keyBits] = [0, 12, 20].map((at) => view.getUint32(at, true))
  if (algorithm === undefined || algorithm < 0x66_0e || algorithm > 0x66_10) throw otherLock()
  const verifierAt = 4 + (headerSize ?? 0)
  const salt = info.slice(verifierAt + 4, verifierAt + 20)
  const lock = { salt, hash: 'SHA-1', keyLength: (keyBits ?? 128) / 8 }
  if (![16, 24, 32].includes(lock.keyLength)) throw otherLock()
  const hashed = await digest('SHA-1', joined([await spun(lock, password, STANDARD_ROUNDS), number(0)]))
  const halves = [0x36, 0x5c].map((byte) =>
    digest(
      'SHA-1',
      Uint8Array.from({ length: 64 }, (_, at) => byte ^ (hashed[at] ?? 0)),
    ),
  )
  const secret = joined(await Promise.all(halves)).slice(0, lock.keyLength)
  const verifier = await singly(secret, info.slice(verifierAt + 20, verifierAt + 36))
  const verified = await singly(secret, info.slice(verifierAt + 40, verifierAt + 72))
  if (!startsWith(verified, await digest('SHA-1', verifier))) throw wrong()
  return singly(secret, locked.subarray(0, locked.length - (locked.length % BLOCK)))
}

/** The password's hash, hashed again so often that guessing takes long. */
async function spun({ salt, hash }: Lock, password: string, rounds: number): Promise<Bytes> {
  const letters = new Uint8Array(password.length * 2)
  for (let at = 0; at < password.length; at++) viewOf(letters).setUint16(at * 2, password.charCodeAt(at), true)
  let hashed = await digest(hash, joined([salt, letters]))
  const turn = new Uint8Array(4 + hashed.length)
  for (let round = 0; round < rounds; round++) {
    viewOf(turn).setUint32(0, round, true)
    turn.set(hashed, 4)
    // The page must answer while this runs
    if (round % ROUNDS_PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve))
    hashed = await digest(hash, turn)
  }
  return hashed
}

const keyFor = async ({ hash, keyLength }: Lock, from: Bytes): Promise<Bytes> =>
  filled(await digest(hash, from), keyLength)

const digest = async (hash: string, bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest(hash, bytes))

/** Cut or filled up to a length, as Excel does it. */
function filled(bytes: Bytes, length: number): Bytes {
  const whole = new Uint8Array(length).fill(0x36)
  whole.set(bytes.subarray(0, length))
  return whole
}

function number(value: number): Bytes {
  const bytes = new Uint8Array(4)
  viewOf(bytes).setUint32(0, value, true)
  return bytes
}

const startsWith = (bytes: Bytes, start: Bytes): boolean =>
  bytes.length >= start.length && start.every((byte, at) => bytes[at] === byte)

/** Browsers take off a filling that Excel does not add, so one is added first. */
async function cbc(secret: Bytes, start: Bytes, locked: Bytes): Promise<Bytes> {
  if (locked.length === 0 || locked.length % BLOCK !== 0) throw damagedExcel()
  const key = await crypto.subtle.importKey('raw', secret, 'AES-CBC', false, ['encrypt', 'decrypt'])
  // Nothing, encrypted, is a filling alone
  const filling = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: locked.slice(-BLOCK) }, key, new Uint8Array())
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-CBC', iv: start }, key, joined([locked, new Uint8Array(filling)])),
  )
}

/** Each block alone: what CBC mixes in from the block before is taken out again. */
async function singly(secret: Bytes, locked: Bytes): Promise<Bytes> {
  const mixed = await cbc(secret, new Uint8Array(BLOCK), locked)
  return mixed.map((byte, at) => byte ^ (at < BLOCK ? 0 : (locked[at - BLOCK] ?? 0)))
}
