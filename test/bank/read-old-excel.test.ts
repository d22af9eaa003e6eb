import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readStatement } from '../worlds/statements.ts'
import { textOfFile } from '../worlds/statement-files.ts'

const FILES = path.resolve(import.meta.dirname, 'files')
const PASSWORD = 'ravi1990'

const bytesOf = (name: string) => new Uint8Array(readFileSync(path.join(FILES, name)))
const read = (bytes: Uint8Array<ArrayBuffer>, password?: string) =>
  textOfFile(new Blob([bytes]), password).then(
    ({ text }) => text,
    (error: Error) => `${error.name}: ${error.message}`,
  )
const wanted = (JSON.parse(readFileSync(path.join(FILES, 'expected.json'), 'utf8')) as Record<string, unknown>)['calc']
const creditsIn = (text: string) =>
  readStatement(text).lines.flatMap(({ direction, day, amountPaise, refs }) =>
    direction === 'credit' ? [[day, amountPaise, refs.join(' ')]] : [],
  )

interface Stream {
  name: string
  bytes: Uint8Array
}

/** An OLE file with sectors of 512 bytes, whose streams are not small. */
function ole(streams: readonly Stream[]): Uint8Array<ArrayBuffer> {
  const [free, end, fatMark] = [0xff_ff_ff_ff, 0xff_ff_ff_fe, 0xff_ff_ff_fd]
  const padded = streams.map(({ bytes }) => {
    const whole = Buffer.alloc(Math.max(Math.ceil(bytes.length / 512) * 512, 4_096))
    whole.set(bytes)
    return whole
  })
  const folder = Buffer.alloc(512)
  const entry = (
    at: number,
    name: string,
    [type, start, size]: [number, number, number],
    right: number,
    child: number,
  ) => {
    folder.write(name, at * 128, 'utf16le')
    folder.writeUInt16LE(name.length * 2 + 2, at * 128 + 0x40)
    folder.writeUInt8(type, at * 128 + 0x42)
    for (const [place, value] of [
      [0x44, free],
      [0x48, right],
      [0x4c, child],
      [0x74, start],
      [0x78, size],
    ] as const)
      folder.writeUInt32LE(value, at * 128 + place)
  }
  const fat: number[] = [fatMark, end]
  let next = 2
  entry(0, 'Root Entry', [5, end, 0], free, 1)
  for (const [at, { name, bytes }] of streams.entries()) {
    const count = (padded[at]?.length ?? 0) / 512
    entry(at + 1, name, [2, next, Math.max(bytes.length, 4_096)], at + 1 < streams.length ? at + 2 : free, free)
    for (let sector = 1; sector <= count; sector++) fat.push(sector === count ? end : next + sector)
    next += count
  }
  const header = Buffer.alloc(512)
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  header.writeUInt16LE(9, 0x1e)
  for (const [at, value] of [
    [0x30, 1],
    [0x38, 4_096],
    [0x3c, end],
    [0x44, end],
    [0x4c, 0],
  ] as const)
    header.writeUInt32LE(value, at)
  for (let at = 0x50; at < 512; at += 4) header.writeUInt32LE(free, at)
  const table = Buffer.alloc(512, 0xff)
  for (const [at, value] of fat.entries()) table.writeUInt32LE(value, at * 4)
  return new Uint8Array(Buffer.concat([header, table, folder, ...padded]))
}

const hash = (...parts: readonly Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest()
const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** As Excel 2013 and later lock a file, with fewer rounds. */
function locked(file: Uint8Array, password: string, rounds = 1_000): Uint8Array<ArrayBuffer> {
  const [salt, fileSalt, secret, verifier] = [16, 16, 32, 16].map((length) => randomBytes(length)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const aes = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array) => {
    const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(false)
    const whole = Buffer.alloc(Math.ceil(bytes.length / 16) * 16)
    whole.set(bytes)
    return Buffer.concat([cipher.update(whole), cipher.final()])
  }
  let hashed = hash(salt, Buffer.from(password, 'utf16le'))
  for (let round = 0; round < rounds; round++) hashed = hash(number(round), hashed)
  const under = (purpose: string, bytes: Uint8Array) =>
    aes(hash(hashed, Buffer.from(purpose, 'hex')).subarray(0, 32), salt, bytes).toString('base64')
  const method = 'cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" keyBits="256"'
  const info = [
    `<encryption><keyData saltValue="${fileSalt.toString('base64')}" ${method}/>`,
    `<p:encryptedKey spinCount="${rounds}" saltValue="${salt.toString('base64')}" ${method}`,
    ` encryptedVerifierHashInput="${under('fea7d2763b4b9e79', verifier)}"`,
    ` encryptedVerifierHashValue="${under('d7aa0f6d3061344e', hash(verifier))}"`,
    ` encryptedKeyValue="${under('146e0be7abacd0d6', secret)}"/></encryption>`,
  ].join('')
  const parts = [Buffer.from([...number(file.length), 0, 0, 0, 0])]
  for (let at = 0; at < file.length; at += 4_096)
    parts.push(aes(secret, hash(fileSalt, number(at / 4_096)).subarray(0, 16), file.subarray(at, at + 4_096)))
  return ole([
    {
      name: 'EncryptionInfo',
      bytes: Buffer.concat([Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]), Buffer.from(info.padEnd(4_200))]),
    },
    { name: 'EncryptedPackage', bytes: Buffer.concat(parts) },
  ])
}

const record = (kind: number, ...bytes: number[]) =>
  Buffer.from([kind & 255, kind >> 8, bytes.length & 255, bytes.length >> 8, ...bytes])

describe('a file that LibreOffice has saved', () => {
  test('as .xls is read as its .xlsx is', async () => {
    const [old, recent] = [await read(bytesOf('calc.xls')), await read(bytesOf('calc.xlsx'))]

    const bare = (csv: string) => csv.replaceAll(/,+(?=\r\n)/g, '').trim()

    expect(bare(old)).toBe(bare(recent))
    expect(creditsIn(old)).toEqual(wanted)
    expect(readStatement(old)).toMatchObject({ balances: 'proven', problems: [] })
  })

  test('with a password opens with that alone', async () => {
    const file = bytesOf('calc-locked.xlsx')

    expect(await read(file)).toBe('PasswordFault: This file opens with a password.')
    expect(creditsIn(await read(file, PASSWORD))).toEqual(wanted)
  })
})

describe('an Excel file that is locked as Excel does it', () => {
  test('opens with its password alone, also one with letters of India', async () => {
    for (const password of [PASSWORD, 'रवि१९९०']) {
      const file = locked(bytesOf('calc.xlsx'), password)

      expect(await read(file, `${password} `)).toBe('PasswordFault: This password doesn’t open the file.')
      expect(creditsIn(await read(file, password))).toEqual(wanted)
    }
  })

  test('in an old way, or altered, is refused in words', async () => {
    const old = ole([
      { name: 'EncryptionInfo', bytes: Buffer.from([1, 0, 1, 0, 0, 0, 0, 0]) },
      { name: 'EncryptedPackage', bytes: Buffer.alloc(5_000) },
    ])
    const altered = locked(bytesOf('calc.xlsx'), PASSWORD)
    altered.fill(7, altered.length - 2_000, altered.length - 1_000)

    const endless = locked(bytesOf('calc.xlsx'), PASSWORD)
    const place = Buffer.from(endless).indexOf('spinCount="1000"')
    endless.set(Buffer.from('spinCount="9e99"'), place)

    expect(await read(endless, PASSWORD)).toMatch(/^FileFault: .*locked in an old way/)
    expect(await read(old, PASSWORD)).toMatch(/^FileFault: .*locked in an old way/)
    expect(await read(altered, PASSWORD)).toMatch(/^FileFault: .*(?:damaged|can’t be read)/)
  })
})

describe('an old Excel file', () => {
  test('that is cut, altered or goes round in circles is refused within a second, or read', async () => {
    const whole = bytesOf('calc.xls')
    const tries = Array.from({ length: 60 }, (_, at) => whole.slice(0, Math.floor((whole.length * at) / 60)))
    for (let seed = 1; seed <= 200; seed++) {
      const altered = whole.slice()
      for (let nth = 0; nth < 8; nth++)
        altered[(seed * 7_919 + nth * 104_729) % (nth < 4 ? 2_048 : whole.length)] = seed * nth
      tries.push(altered)
    }
    for (const at of [0x2c, 0x30, 0x3c, 0x44, 0x48, 0x4c, 0x50]) {
      for (const value of [0, 1, 2, 0x7f_ff_ff_ff, 0xff_ff_ff_f0]) {
        const altered = whole.slice()
        new DataView(altered.buffer).setUint32(at, value, true)
        tries.push(altered)
      }
    }
    // Each sector leads to itself
    const looped = whole.slice()
    const fat = (new DataView(looped.buffer).getUint32(0x4c, true) + 1) * 512
    for (let at = 0; at < 128; at++) new DataView(looped.buffer).setUint32(fat + at * 4, at, true)
    tries.push(looped)

    for (const bytes of tries) {
      const started = performance.now()
      const result = await read(bytes)
      expect(result).not.toMatch(/^(?!FileFault|PasswordFault)\w*(?:Error|Fault):/)
      expect(performance.now() - started).toBeLessThan(1_000)
    }
  })

  test.each([
    ['a password', Buffer.concat([record(0x08_09, 0, 6, 5, 0), record(0x2f, 0, 0)]), 'password and save it as CSV'],
    ['the form of Excel 95', record(0x08_09, 0, 5, 5, 0), 'save it as CSV'],
    ['no sheet', Buffer.concat([record(0x08_09, 0, 6, 5, 0), record(0x0a)]), 'save it as CSV'],
    ['a record that ends too soon', Buffer.concat([record(0x08_09, 0, 6, 5, 0), record(0x04_1e, 1)]), 'damaged'],
    [
      'a million texts in none',
      Buffer.concat([record(0x08_09, 0, 6), record(0xfc, 0, 0, 0, 0, 255, 255, 0, 0)]),
      'damaged',
    ],
  ])('with %s is refused in words', async (_, book, words) => {
    expect(await read(ole([{ name: 'Workbook', bytes: book }]))).toMatch(new RegExp(`^FileFault: .*${words}`))
  })

  test('without a workbook is refused in words', async () => {
    expect(await read(ole([{ name: 'WordDocument', bytes: Buffer.alloc(10) }]))).toContain('save it as CSV')
  })
})
