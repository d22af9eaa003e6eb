import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const RANDOM = 'bkaTZFLNxiiQRYP4ZiAY4DuUKXGwZ2HUnRYQbxYo/iM='
const PLACEHOLDER = Buffer.alloc(32, 'changeme').toString('base64')

test('a secret is the base64 of 32 bytes, and not what a decoder makes of another text', () => {
  for (const text of [RANDOM, RANDOM.slice(0, -1), RANDOM.replace('/', '_')])
    expect(readConfig({ SECRET_KEY: text }).secretKeys).toEqual([Buffer.from(RANDOM, 'base64')])
  for (const text of [
    'please-change-this-secret-key-to-something!!!',
    RANDOM.slice(0, -2),
    `${RANDOM.slice(0, -1)}N`,
    `${RANDOM.slice(0, 20)} ${RANDOM.slice(20)}`,
    Buffer.alloc(31, 1).toString('base64'),
    `${RANDOM},`,
  ])
    expect(() => readConfig({ SECRET_KEY: text })).toThrow('SECRET_KEY must be 32 bytes in base64')
})

test('a placeholder is no secret to seal with, and can be left behind', () => {
  for (const bytes of [Buffer.alloc(32), Buffer.alloc(32, 9), Buffer.alloc(32, 'secret!')])
    expect(() => readConfig({ SECRET_KEY: bytes.toString('base64') })).toThrow('SECRET_KEY is a placeholder')
  expect(() => readConfig({ SECRET_KEY: `${PLACEHOLDER},${RANDOM}` })).toThrow('SECRET_KEY is a placeholder')
  expect(readConfig({ SECRET_KEY: `${RANDOM},${PLACEHOLDER}` }).secretKeys).toHaveLength(2)
})

test('the end of a line of Windows is no part of a setting', () => {
  const read = readConfig({ PUBLIC_URL: 'https://shop.example\r', AWS_REGION: '\r', LOG_LEVEL: 'warn\r' })
  expect(read).toMatchObject({ publicOrigin: 'https://shop.example', logLevel: 'warn' })
})

test('a password in DATABASE_URL whose signs break it, and a proxy by its name, are told how to be written', () => {
  for (const url of ['postgres://u:p#w@db/shop', 'postgres://u:p/w@db/shop', 'postgres://u:p?w@db/shop'])
    expect(() => readConfig({ DATABASE_URL: url }), url).toThrow('In its password write % as %25, / as %2F')
  for (const url of ['postgres://u:p%23w@db:5433/shop', 'postgres://u@/shop?host=/run/postgresql', 'postgres:///shop'])
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  for (const list of ['caddy', 'true', '127.0.0.1,', '10.0.0'])
    expect(() => readConfig({ TRUST_PROXY: list }), list).toThrow('TRUST_PROXY must be addresses of proxies')
  expect(readConfig({ TRUST_PROXY: '127.0.0.1, ::1,10.0.0.0/8,loopback' }).trustProxy).toHaveLength(4)
})

test('behind HTTPS without a word about the proxy there is a doubt, and none once something is said', () => {
  const PUBLIC_URL = 'https://shop.example'
  expect(readConfig({ PUBLIC_URL }).mistakes).toEqual([
    expect.stringContaining('All visitors then share the proxy’s address and one rate limit'),
  ])
  expect(readConfig({ PUBLIC_URL, TRUST_PROXY: '127.0.0.1' })).toMatchObject({
    mistakes: [],
    trustProxy: ['127.0.0.1'],
  })
  expect(readConfig({ PUBLIC_URL, TRUST_PROXY: 'none' })).toMatchObject({ mistakes: [], trustProxy: false })
  expect(readConfig({ PUBLIC_URL: 'http://shop.example' }).mistakes).toEqual([])
  expect(readConfig({}).mistakes).toEqual([])
})

test('the public address is the origin that browsers send, however it is written', () => {
  for (const [written, origin] of [
    ['https://shop.example', 'https://shop.example'],
    ['https://Shop.example', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['http://shop.example:8080', 'http://shop.example:8080'],
    ['https://दुकान.example', 'https://xn--11b7ah1gn.example'],
  ] as const)
    expect(readConfig({ PUBLIC_URL: written }).publicOrigin).toBe(origin)
  for (const written of ['shop.example', 'https://shop.example/', 'https://shop.example:99999', 'https://['])
    expect(() => readConfig({ PUBLIC_URL: written })).toThrow(
      /^PUBLIC_URL must be an origin, like https:\/\/shop.example$/,
    )
})
