import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasRsync, startRsyncServer } from '../../test/worlds/rsync-server.ts'
import { copyElsewhere, fetchCopy, openPlace } from './copies.ts'
import { readConfig } from '../platform/config.ts'

let directory = ''
let address = ''
let stop = () => {}

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'chaabi-copies-'))
  if (hasRsync) ({ address, stop } = await startRsyncServer(path.join(directory, 'server')))
})
afterAll(async () => {
  stop()
  await rm(directory, { recursive: true, force: true })
})

async function givenBackup(day: number, text = `day ${day}`): Promise<string> {
  const file = path.join(directory, `chaabi-202611${String(day).padStart(2, '0')}T000000Z.backup`)
  await writeFile(file, text)
  return file
}

test.runIf(hasRsync)(
  'a copy elsewhere is read back, the newest comes first, and only the newest 30 stay',
  async () => {
    for (let day = 1; day <= 32; day++) await copyElsewhere(address, await givenBackup(day))

    const names = await openPlace(address).list()
    expect(names).toHaveLength(30)
    expect(names[0]).toBe('chaabi-20261132T000000Z.backup')
    expect(names.at(-1)).toBe('chaabi-20261103T000000Z.backup')

    const back = await mkdtemp(path.join(directory, 'back-'))
    expect(await readFile(await fetchCopy(address, back), 'utf8')).toBe('day 32')
    expect(await readFile(await fetchCopy(address, back, names.at(-1)), 'utf8')).toBe('day 3')
    await expect(fetchCopy(address, back, '../../etc/passwd')).rejects.toThrow('is no name of a backup')
    expect((await readdir(back)).length).toBe(2)
  },
  60_000,
)

test('a place that does not answer is named with the reason', async () => {
  const file = await givenBackup(1)
  if (hasRsync)
    await expect(copyElsewhere('rsync://127.0.0.1:1/shop', file)).rejects.toThrow(/does not answer as it should/)
  expect((await readdir(directory)).filter((name) => name.startsWith('.copy-'))).toEqual([])
})

test('only a place on another machine is taken', () => {
  for (const place of ['rsync://nas.local/shop', 'me@nas.local:/backups', 'me@nas:backups', 'rclone:b2:shop/backups'])
    expect(readConfig({ BACKUP_COPY_TO: place }).backupCopyTo).toBe(place)
  for (const place of ['/mnt/disk', '-e sh@x:/y', 'http://nas/x', 'me@:/x', 'rclone:', 'rsync://'])
    expect(() => readConfig({ BACKUP_COPY_TO: place }), place).toThrow('BACKUP_COPY_TO must look like')
})
