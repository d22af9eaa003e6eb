import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BUCKET, fault, KEYS, startS3Server, type S3Server } from '../../test/worlds/s3-server.ts'
import { readConfig } from '../platform/config.ts'
import { copyElsewhere, fetchCopy, openPlace } from './copies.ts'
import { openBucket } from './s3-place.ts'

const ADDRESS = `s3://${BUCKET}/shops/one & only`
const FOLDER = 'shops/one & only/'
let server: S3Server
let directory = ''

beforeEach(async () => {
  server = await startS3Server()
  directory = await mkdtemp(path.join(tmpdir(), 'chaabi-s3-'))
})
afterEach(async () => {
  server.stop()
  await rm(directory, { recursive: true, force: true })
})

const keys = (more: object = {}) => ({ ...KEYS, region: 'ap-south-1', endpoint: server.endpoint, ...more })
const nameOf = (day: number) => `chaabi-202611${String(day).padStart(2, '0')}T000000Z.backup`
async function givenBackup(day: number, bytes: string | Buffer = `day ${day}`): Promise<string> {
  const file = path.join(directory, nameOf(day))
  await writeFile(file, bytes)
  return file
}

describe('a bucket', () => {
  test('a copy is read back, the newest comes first, and only the newest 30 stay, over pages of a list', async () => {
    server.pageSize = 7
    for (let day = 1; day <= 31; day++) server.objects.set(FOLDER + nameOf(day), Buffer.from(`day ${day}`))
    server.objects.set(`${FOLDER}archive/1/000.wal`, Buffer.from('log'))
    server.objects.set(`${FOLDER}notes.txt`, Buffer.from('of somebody'))
    expect(await copyElsewhere(ADDRESS, await givenBackup(32), keys())).toBe(6)

    const names = await openPlace(ADDRESS, keys()).list()
    expect(names).toHaveLength(30)
    expect(names[0]).toBe(nameOf(32))
    expect(server.objects.has(`${FOLDER}notes.txt`)).toBe(true)
    const back = await mkdtemp(path.join(directory, 'back-'))
    expect(await readFile(await fetchCopy(ADDRESS, back, undefined, keys()), 'utf8')).toBe('day 32')
    expect(await readFile(await fetchCopy(ADDRESS, back, nameOf(3), keys()), 'utf8')).toBe('day 3')
    await expect(fetchCopy(ADDRESS, back, nameOf(2), keys())).rejects.toThrow('has no such file')
  })

  test('a large file travels in parts, and one that is broken off leaves none', async () => {
    const bytes = Buffer.from('0123456789'.repeat(1_000))
    const place = openBucket(ADDRESS, keys(), 3_000)
    await place.put(await givenBackup(1, bytes))
    expect(server.objects.get(FOLDER + nameOf(1))).toEqual(bytes)
    expect(server.calls.filter((call) => call.includes('partNumber'))).toHaveLength(4)

    server.trouble = ({ query }) => (query.get('partNumber') === '3' ? fault(403, 'QuotaExceeded') : undefined)
    await expect(place.put(await givenBackup(2, bytes))).rejects.toThrow(`${ADDRESS} is full.`)
    expect(server.uploads.size).toBe(0)
    expect(server.objects.has(FOLDER + nameOf(2))).toBe(false)
  })

  test('the parts of an upload that was killed are forgotten a day later, and no younger ones', async () => {
    const old = new Date(Date.now() - 25 * 3_600_000)
    server.uploads.set('killed', { key: `${FOLDER}${nameOf(1)}`, parts: new Map(), at: old })
    server.uploads.set('under way', { key: `${FOLDER}${nameOf(2)}`, parts: new Map(), at: new Date() })
    await openPlace(ADDRESS, keys()).put(await givenBackup(3))
    expect([...server.uploads.keys()]).toEqual(['under way'])
  })

  test('the archived log is the same there after each copy, and comes back whole', async () => {
    const log = path.join(directory, '7512')
    await mkdir(log)
    for (const name of ['a.base', 'b.wal', 'c.wal.part']) await writeFile(path.join(log, name), name)
    const place = openPlace(ADDRESS, keys())
    server.objects.set(`${FOLDER}archive/7512/gone.wal`, Buffer.from('x'))
    await place.putLog(log)
    server.calls = []
    await place.putLog(log)
    expect(server.calls.filter((call) => call.startsWith('PUT'))).toEqual([])
    server.objects.set(`${FOLDER}archive/../../out.wal`, Buffer.from('x'))
    const back = path.join(directory, 'archive')
    await place.getArchive(back)
    expect((await readdir(path.join(back, '7512'))).toSorted()).toEqual(['a.base', 'b.wal'])
  })
})

describe('what a service may answer', () => {
  const copy = async (more: object = {}, address = ADDRESS) =>
    copyElsewhere(address, await givenBackup(1), keys(more)).then(
      () => 'copied',
      (error: Error) => error.message,
    )

  test('each fault of the setup is one sentence that says what to do, and is not tried again', async () => {
    expect(await copy({ accessKeyId: 'AKIDOTHER' })).toBe(
      `${ADDRESS} refuses AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY. Check both.`,
    )
    expect(await copy({ secretAccessKey: 'wrong' })).toContain('refuses AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY')
    expect(await copy({ region: 'us-east-1' })).toBe(`${ADDRESS} is in another region. Set AWS_REGION to ap-south-1.`)
    expect(await copy({}, 's3://no-such/x')).toBe(
      's3://no-such/x has no bucket no-such. Create it, or correct BACKUP_COPY_TO.',
    )
    server.aheadMs = 3_600_000
    expect(await copy()).toBe(`${ADDRESS} refuses the clock of this machine. Set it: sudo timedatectl set-ntp true.`)
    server.aheadMs = 0
    server.trouble = () => fault(403, 'AccessDenied')
    expect(await copy()).toBe(
      `${ADDRESS} does not let this key do that (AccessDenied told). It must list, read, write and delete.`,
    )
    server.trouble = ({ method }) => (method === 'PUT' ? { status: 507, body: 'XMinioStorageFull' } : undefined)
    server.calls = []
    expect(await copy()).toBe(`${ADDRESS} is full. Make room there, or raise its limit.`)
    expect(server.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1)
    expect(server.objects.size).toBe(0)
    await expect(copyElsewhere(ADDRESS, await givenBackup(1))).rejects.toThrow('needs AWS_ACCESS_KEY_ID')
  })

  test('a service that is not where AWS_ENDPOINT_URL says is one sentence, and is not tried again', async () => {
    const { origin, host } = new URL(server.endpoint)
    const named =
      'AWS_ENDPOINT_URL names the bucket shop-copies, and BACKUP_COPY_TO does so already. Leave it out there: '
    expect(await copy({ endpoint: `${origin}/${BUCKET}` })).toBe(named + origin)
    expect(await copy({ endpoint: `https://${BUCKET}.s3.example` })).toBe(`${named}https://s3.example`)
    expect(await copy({ endpoint: `https://${host}` })).toContain('It speaks no HTTPS there. Check AWS_ENDPOINT_URL.')
    expect(await copy({ endpoint: 'http://no-such.invalid' })).toMatch(/ENOTFOUND\. No machine has that name\./)
    server.trouble = () => ({ status: 301, body: '', headers: { location: 'https://s3.example/shop-copies' } })
    expect(await copy()).toBe(`${ADDRESS} has moved. Set AWS_ENDPOINT_URL to https://s3.example.`)
    for (const status of [404, 405]) {
      server.trouble = ({ method }) => (method === 'PUT' ? { status, body: '<html>console</html>' } : undefined)
      server.calls = []
      expect(await copy()).toBe(`${ADDRESS} does not speak S3 (HTTP ${status}). Check AWS_ENDPOINT_URL.`)
      expect(server.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1)
    }
    server.trouble = () => fault(400, 'ExpiredToken')
    expect(await copy()).toBe(`${ADDRESS} says that AWS_ACCESS_KEY_ID is no longer valid. Create a key that lasts.`)
  })

  test('what may pass is tried again: a busy service, one without an answer, and a broken connection', async () => {
    for (const trouble of [
      fault(503, 'SlowDown'),
      fault(500, 'InternalError'),
      { status: 429, body: '' },
      'reset',
    ] as const) {
      let left = 2
      server.trouble = ({ method }) => (method === 'PUT' && left-- > 0 ? trouble : undefined)
      expect(await copy()).toBe('copied')
    }
    for (const isList of [true, false]) {
      let left = 2
      server.trouble = ({ method, key }) =>
        method === 'GET' && (key === '') === isList && left-- > 0 ? 'half' : undefined
      expect(await copy(), isList ? 'half a list' : 'half a file').toBe('copied')
    }
    server.trouble = ({ method }) => (method === 'PUT' ? fault(503, 'SlowDown') : undefined)
    expect(await copy()).toBe(`${ADDRESS} does not answer as it should: SlowDown told`)
    server.stop()
    expect(await copy()).toMatch(/ can’t be reached: (ECONNREFUSED|UND_ERR_SOCKET)\.$/)
  }, 60_000)

  test('an end of an upload that says 200 and means an error is an error, and is tried again', async () => {
    let left = 1
    server.trouble = ({ method, query }) =>
      method === 'POST' && query.has('uploadId') && left-- > 0
        ? { ...fault(500, 'InternalError'), status: 200 }
        : undefined
    const place = openBucket(ADDRESS, keys(), 4)
    await place.put(await givenBackup(1, 'ten bytes.'))
    expect(server.objects.get(FOLDER + nameOf(1))?.toString()).toBe('ten bytes.')
  })

  test('a copy that comes back in half, or changed, does not count', async () => {
    server.trouble = ({ method, key }) => (method === 'GET' && key !== '' ? 'half' : undefined)
    expect(await copy()).toContain('broke off while')
    server.trouble = ({ method, key }) => (method === 'GET' && key !== '' ? { status: 200, body: 'other' } : undefined)
    expect(await copy()).toContain('differs from the file here')
  })

  test('a service that cannot list uploads takes copies all the same', async () => {
    server.trouble = ({ query }) => (query.has('uploads') ? fault(501, 'NotImplemented') : undefined)
    expect(await copy()).toBe('copied')
  }, 30_000)
})

test('the settings name a bucket, and Amazon is the service if there is no other', () => {
  const set = { BACKUP_COPY_TO: 's3://shop-copies/one', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  expect(readConfig({ ...set, AWS_REGION: 'ap-south-1' })).toMatchObject({
    backupCopyTo: 's3://shop-copies/one',
    s3: { endpoint: 'https://s3.ap-south-1.amazonaws.com' },
  })
  expect(readConfig({ ...set, AWS_ENDPOINT_URL: 'https://minio.example:9000/' }).s3?.endpoint).toBe(
    'https://minio.example:9000',
  )
  expect(readConfig({ BACKUP_COPY_TO: 's3://shop-copies' }).s3).toBeUndefined()
  expect(() => readConfig({ BACKUP_COPY_TO: 's3://Shop_Copies' })).toThrow('must look like s3://bucket/path')
})
