import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasRclone, hasSsh, openRclonePlace, startSshServer, type SshServer } from '../../test/worlds/copy-places.ts'
import { hasRsync, startRsyncServer } from '../../test/worlds/rsync-server.ts'
import { namesIn } from './copy-place.ts'
import { copyElsewhere, fetchCopy, openPlace } from './copies.ts'
import { readConfig } from '../platform/config.ts'

let directory = ''
let rsyncAddress = ''
let ssh: SshServer | undefined
let stop = () => {}

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'chaabi-copies-'))
  if (hasRsync) ({ address: rsyncAddress, stop } = await startRsyncServer(path.join(directory, 'server')))
  if (hasSsh) ssh = await startSshServer(path.join(directory, 'ssh'))
})
afterAll(async () => {
  stop()
  ssh?.stop()
  await rm(directory, { recursive: true, force: true })
})

const nameOf = (day: number) => `chaabi-202611${String(day).padStart(2, '0')}T000000Z.backup`

async function givenBackup(day: number, text = `day ${day}`): Promise<string> {
  const file = path.join(directory, nameOf(day))
  await writeFile(file, text)
  return file
}

describe.each([
  ['rsync', hasRsync, 'server/there', () => rsyncAddress],
  ['ssh', hasSsh, 'ssh/there', () => ssh?.address ?? ''],
  ['rclone', hasRclone, 'remote/shop/backups', () => openRclonePlace(path.join(directory, 'remote'))],
])('by %s', (_, isInstalled, there, addressOf) => {
  test.runIf(isInstalled)(
    'a copy elsewhere is read back, the newest comes first, and only the newest 30 stay',
    async () => {
      const address = addressOf()
      await copyElsewhere(address, await givenBackup(1))
      for (let day = 2; day <= 31; day++)
        await copyFile(await givenBackup(day), path.join(directory, there, nameOf(day)))
      await copyElsewhere(address, await givenBackup(32))

      const names = await openPlace(address).list()
      expect(names).toHaveLength(30)
      expect(names[0]).toBe('chaabi-20261132T000000Z.backup')
      expect(names.at(-1)).toBe('chaabi-20261103T000000Z.backup')

      const back = await mkdtemp(path.join(directory, 'back-'))
      expect(await readFile(await fetchCopy(address, back), 'utf8')).toBe('day 32')
      expect(await readFile(await fetchCopy(address, back, names.at(-1)), 'utf8')).toBe('day 3')
      await expect(fetchCopy(address, back, '../../etc/passwd')).rejects.toThrow('isn’t a backup name')
      expect((await readdir(back)).length).toBe(2)
    },
    60_000,
  )

  test.runIf(isInstalled)('a copy stays, though a clock that was ahead has named thirty others', async () => {
    const address = addressOf()
    await mkdir(path.join(directory, there), { recursive: true })
    const ahead = await givenBackup(31)
    for (let day = 10; day < 40; day++)
      await copyFile(ahead, path.join(directory, there, `chaabi-205101${day}T000000Z.backup`))

    await copyElsewhere(address, await givenBackup(9))

    expect(await openPlace(address).list()).toContain(nameOf(9))
    for (const name of await readdir(path.join(directory, there)))
      if (name.startsWith('chaabi-2051')) await rm(path.join(directory, there, name))
  })

  test.runIf(isInstalled)('the archived log there is that of here, and another database’s stays', async () => {
    const place = openPlace(addressOf())
    const given = async (system: string, names: readonly string[]) => {
      const log = path.join(directory, `archive-${names.length}`, system)
      await mkdir(log, { recursive: true })
      for (const name of names) await writeFile(path.join(log, name), name)
      return log
    }
    await place.putLog(await given('71', ['chaabi-a.base', '000A.wal', '000B.wal', '000C.wal.x.part']))
    await place.putLog(await given('72', ['000A.wal']))
    await place.putLog(await given('71', ['000B.wal', '000C.wal']))

    const back = await mkdtemp(path.join(directory, 'archive-'))
    await place.getArchive(back)
    const found = await readdir(back, { recursive: true })
    expect(found.toSorted()).toEqual(['71', '71/000B.wal', '71/000C.wal', '72', '72/000A.wal'])
    expect(await readFile(path.join(back, '71/000C.wal'), 'utf8')).toBe('000C.wal')
  })
})

test.runIf(hasSsh)('who may not log in by ssh is told so at once, and what to do', async () => {
  ssh?.setKnown(false)
  await expect(copyElsewhere(ssh?.address ?? '', await givenBackup(1))).rejects.toThrow(
    /Permission denied \(publickey\)\. Log in there once with ssh, as the account that owns DATA_DIR/,
  )
})

test.runIf(hasRclone)('a place that rclone does not know is named with the reason', async () => {
  await expect(copyElsewhere('rclone:unknown:shop', await givenBackup(1))).rejects.toThrow(
    /^rclone:unknown:shop does not answer as it should: .*didn't find section in config file/,
  )
})

test('a fetch that breaks off leaves nothing that counts as a backup', async () => {
  const [programs, back] = [await mkdtemp(path.join(directory, 'bin-')), await mkdtemp(path.join(directory, 'back-'))]
  const breaksOff = '#!/bin/sh\nfor last; do :; done\nprintf half > "$last"\nexit 1\n'
  await writeFile(path.join(programs, 'rclone'), breaksOff, { mode: 0o755 })
  vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`)
  try {
    await expect(fetchCopy('rclone:nas:shop', back, nameOf(1))).rejects.toThrow('does not answer as it should')
    expect((await readdir(back)).filter((name) => name.endsWith('.backup'))).toEqual([])
  } finally {
    vi.unstubAllEnvs()
  }
})

test.each([
  ['me@nas:', `me@nas:${nameOf(1)}`],
  ['me@nas:/', `me@nas:/${nameOf(1)}`],
  ['me@nas:backups', `me@nas:backups/${nameOf(1)}`],
])('a copy in %s is fetched from %s', async (place, from) => {
  const [programs, back] = [await mkdtemp(path.join(directory, 'bin-')), await mkdtemp(path.join(directory, 'back-'))]
  const saysFrom = '#!/bin/sh\nfor each; do from=$to; to=$each; done\nprintf %s "$from" > "$to"\n'
  await writeFile(path.join(programs, 'rsync'), saysFrom, { mode: 0o755 })
  vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`)
  try {
    expect(await readFile(await fetchCopy(place, back, nameOf(1)), 'utf8')).toBe(from)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a file whose name ends like a backup’s is none', () => {
  expect(namesIn(`-rw------- 5 2026/11/01 00:00:00 ${nameOf(2)}\nold-${nameOf(3)}\n${nameOf(1)}`)).toEqual([
    nameOf(2),
    nameOf(1),
  ])
})

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
