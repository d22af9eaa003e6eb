/**
 * Copies of backups in another place, which BACKUP_COPY_TO names: `s3://bucket/path`, `rsync://host/module/path`,
 * `user@host:/path` over ssh, or `rclone:REMOTE:path`. The files are encrypted, so the place needs no trust. A copy
 * counts when it was read back and is the same.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { NAME, namesIn, type CopyPlace } from './copy-place.ts'
import { openBucket } from './s3-place.ts'
import type { S3Keys } from './sign-s3.ts'

const KEPT = 30
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024
const run = promisify(execFile)

/** The finished files of a log archive. */
const ARCHIVED = ['*.base', '*.wal']
const ARCHIVE = 'archive'

/** @param s3 for a bucket */
export function openPlace(address: string, s3?: S3Keys): CopyPlace {
  if (address.startsWith('s3://')) return openBucket(address, s3)
  return address.startsWith('rclone:') ? rclone(address.slice('rclone:'.length)) : rsync(address)
}

/** Behind a colon a `/` would be the root, and not the home of the account there. */
const folderOf = (address: string): string => (/[:/]$/.test(address) ? address : `${address}/`)

function rsync(address: string): CopyPlace {
  const folder = folderOf(address)
  // A question for a password would wait for ever, because nobody is there
  const shell = address.startsWith('rsync:') ? [] : ['-e', 'ssh -o BatchMode=yes -o ConnectTimeout=20']
  const ask = (...args: string[]) => tell('rsync', ['--timeout=60', ...shell, ...args], address)
  return {
    put: async (file) => void (await ask('--times', '--chmod=F600', '--', file, folder)),
    get: async (name, file) => void (await ask('--', folder + name, file)),
    list: async () => namesIn(await ask('--list-only', '--', folder)),
    async remove(names) {
      // It deletes what an empty folder lacks, among the named files
      const empty = await mkdtemp(path.join(tmpdir(), 'chaabi-empty-'))
      const only = [...names.map((name) => `--include=/${name}`), '--exclude=*']
      try {
        await ask('--recursive', '--delete', ...only, '--', `${empty}/`, folder)
      } finally {
        await rm(empty, { recursive: true, force: true })
      }
    },
    async putLog(directory) {
      const only = [...ARCHIVED.map((name) => `--include=${name}`), '--exclude=*']
      const mirror = ['--recursive', '--times', '--mkpath', '--chmod=D700,F600', '--delete', ...only]
      const both = ['--', `${directory}/`, `${folder}${ARCHIVE}/${path.basename(directory)}/`]
      await ask(...mirror, ...both)
      const differing = await ask(...mirror, '--checksum', '--dry-run', '--itemize-changes', ...both)
      // A file that is new there was archived in the meantime
      if (/^[<>]f(?!\++ )/m.test(differing))
        throw new Error(`The log in ${address} differs from the archive here. Run it again.`)
    },
    getArchive: async (directory) =>
      void (await ask('--recursive', '--times', '--', `${folder}${ARCHIVE}/`, `${directory}/`)),
  }
}

function rclone(remote: string): CopyPlace {
  const folder = folderOf(remote)
  // Quiet, because its notices come before the reason
  const ask = (...args: string[]) => tell('rclone', ['--quiet', ...args], `rclone:${remote}`)
  return {
    put: async (file) => void (await ask('copyto', '--', file, folder + path.basename(file))),
    get: async (name, file) => void (await ask('copyto', '--', folder + name, file)),
    list: async () => namesIn(await ask('lsf', '--files-only', '--', folder)),
    async remove(names) {
      for (const name of names) await ask('deletefile', '--', folder + name)
    },
    async putLog(directory) {
      const only = [...ARCHIVED.map((name) => `+ ${name}`), '- *'].flatMap((rule) => ['--filter', rule])
      await ask('sync', '--checksum', ...only, '--', directory, `${folder}${ARCHIVE}/${path.basename(directory)}`)
    },
    getArchive: async (directory) => void (await ask('copy', '--', folder + ARCHIVE, directory)),
  }
}

const LOGIN = /Host key verification failed|Permission denied \(/
const LOGIN_HINT = 'Log in there once with ssh, as the account that owns DATA_DIR: docs/backup.md, Copies elsewhere.'

/** @throws Error with the program's first line */
async function tell(program: string, args: readonly string[], address: string): Promise<string> {
  try {
    return (await run(program, [...args], { maxBuffer: OUTPUT_BYTES_MAX })).stdout
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string | number; stderr?: string }
    if (code === 'ENOENT')
      throw new Error(`${program} is not installed. BACKUP_COPY_TO=${address} needs it.`, { cause: error })
    const [reason = `exit code ${code}`] = stderr.trim().split(/\s*\n/).filter(Boolean)
    const hint = LOGIN.test(reason) ? ` ${LOGIN_HINT}` : ''
    throw new Error(`${address} does not answer as it should: ${reason}${hint}`, { cause: error })
  }
}

/**
 * Copies a backup and reads it back. Only the newest 30 stay there.
 * @returns the size in bytes
 * @throws Error if the copy is not the same
 */
export async function copyElsewhere(address: string, file: string, s3?: S3Keys): Promise<number> {
  const place = openPlace(address, s3)
  const name = path.basename(file)
  await place.put(file)
  const back = await mkdtemp(path.join(path.dirname(file), '.copy-'))
  try {
    const again = path.join(back, name)
    await place.get(name, again)
    const [here, there] = await Promise.all([file, again].map(fingerprintOf))
    if (here !== there) throw new Error(`The copy of ${name} in ${address} differs from the file here. Run it again.`)
  } finally {
    await rm(back, { recursive: true, force: true })
  }
  // Never this one, though a clock that was ahead may have named others
  const old = (await place.list()).filter((each) => each !== name).slice(KEPT - 1)
  if (old.length > 0) await place.remove(old)
  return (await stat(file)).size
}

async function fingerprintOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return `${(await stat(file)).size} ${hash.digest('hex')}`
}

/**
 * Brings a backup from elsewhere into a folder.
 * @param name the file there. The newest if absent
 * @returns the file here
 */
export async function fetchCopy(address: string, directory: string, name?: string, s3?: S3Keys): Promise<string> {
  const place = openPlace(address, s3)
  const wanted = name ?? (await place.list())[0]
  if (wanted === undefined) throw new Error(`There is no backup in ${address}`)
  if (!NAME.test(wanted) || path.basename(wanted) !== wanted)
    throw new Error(`${wanted} isn’t a backup name. Names look like chaabi-20261123T030000Z.backup`)
  const file = path.join(directory, wanted)
  // Under its own name half a file would count as a backup
  await place.get(wanted, `${file}.part`)
  await rename(`${file}.part`, file)
  return file
}
