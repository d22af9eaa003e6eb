/**
 * Chooses the account that the database runs as.
 *
 * PostgreSQL refuses to run as root. If Chaabi is started as root (a container, a small server), the database gets an
 * account without rights. If no such account can reach the files (a project below /root), it gets a user namespace in
 * which root is an ordinary user. The files then stay root's own.
 */
import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The environment of the database's processes. Takes nothing from the shell that started Chaabi: neither LANG, which
 * initdb would build into the cluster, nor PG… variables.
 */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

export interface Account {
  /** Names the account in the log; undefined if it is the one that started Chaabi. */
  description: string | undefined
  /** For `spawn`; undefined if the process keeps its account. */
  ids: { uid: number; gid: number } | undefined
  /** Wraps a command so that it runs as this account. */
  command(file: string, args: readonly string[]): [file: string, args: string[]]
}

const direct = (file: string, args: readonly string[]): [string, string[]] => [file, [...args]]

const inUserNamespace = (file: string, args: readonly string[]): [string, string[]] => [
  'unshare',
  ['--user', '--map-user=1000', '--map-group=1000', '--', file, ...args],
]

/**
 * Finds an account that can run `postgres` (the binary's path) and reach the folder around `dataDir`.
 *
 * A cluster keeps the account that created it. `wanted` is PG_OS_USER, an account's name.
 * @throws Error that says what to do, if there is none.
 */
export async function chooseAccount(dataDir: string, postgres: string, wanted: string | undefined): Promise<Account> {
  const ownUid = process.getuid?.()
  const clusterOwner = ownerOfCluster(dataDir)
  if (ownUid !== 0) {
    if (clusterOwner !== undefined && clusterOwner.uid !== ownUid) {
      throw new Error(
        `The database in ${dataDir} belongs to the account with uid ${clusterOwner.uid}, ` +
          `and Chaabi runs as uid ${ownUid}. Start Chaabi as that account or as root.`,
      )
    }
    return { description: undefined, ids: undefined, command: direct }
  }

  const accounts = candidates(clusterOwner, wanted)
  const folder = path.dirname(dataDir)
  const plain = await firstThatReaches(accounts, postgres, folder)
  if (plain !== undefined) return plain
  if (wanted !== undefined && clusterOwner === undefined) {
    throw new Error(`PG_OS_USER=${wanted} cannot be used for the database: it cannot reach ${postgres} and ${folder}.`)
  }
  const namespaced = { description: 'root inside a user namespace', ids: undefined, command: inUserNamespace }
  const madeByRoot = clusterOwner === undefined || clusterOwner.uid === 0
  if (madeByRoot && (await canReach(namespaced, postgres, folder))) return namespaced

  // Containers often forbid namespaces. If only the folder is in the way and belongs to root, let other accounts pass
  // through it. They can still not list it, nor read others' files.
  const { uid, mode } = statSync(folder)
  if (uid === 0 && (mode & 0o011) !== 0o011 && folder !== userInfo().homedir) {
    chmodSync(folder, (mode & 0o777) | 0o011)
    const admitted = await firstThatReaches(accounts, postgres, folder)
    if (admitted !== undefined) {
      return { ...admitted, description: `${admitted.description}, which may now pass through ${folder}` }
    }
    chmodSync(folder, mode & 0o777)
  }
  if (clusterOwner?.uid === 0) {
    throw new Error(
      `The database in ${dataDir} belongs to root and ran in a user namespace, which this system does not allow. ` +
        `Give it to an account without rights that can reach ${folder} and ${postgres}, for example: ` +
        `chown -R nobody ${dataDir} ${dataDir}.run`,
    )
  }
  throw new Error(
    `You started Chaabi as root, but PostgreSQL can’t run as root, and no other account can reach both ${folder} and ` +
      `${postgres}. ` +
      'Do one of these: start Chaabi as an ordinary user; or put DATA_DIR and the program where others may enter ' +
      '(not below /root); or name an account that can reach them in PG_OS_USER; ' +
      'or set DATABASE_URL to a server of your own.',
  )
}

async function firstThatReaches(users: OsUser[], postgres: string, folder: string): Promise<Account | undefined> {
  for (const { name, uid, gid } of users) {
    const account = { description: `the account ${name} (uid ${uid})`, ids: { uid, gid }, command: direct }
    if (uid !== 0 && (await canReach(account, postgres, folder))) return account
  }
  return undefined
}

interface OsUser {
  name: string
  uid: number
  gid: number
}

function candidates(clusterOwner: OsUser | undefined, wanted: string | undefined): OsUser[] {
  if (clusterOwner !== undefined) return [clusterOwner]
  const users = osUsers()
  if (wanted !== undefined) {
    const user = users.find(({ name }) => name === wanted)
    if (user === undefined) throw new Error(`PG_OS_USER=${wanted}: there is no such account on this machine.`)
    if (user.uid === 0) throw new Error(`PG_OS_USER=${wanted}: PostgreSQL refuses to run as root.`)
    return [user]
  }
  return ['postgres', 'nobody'].flatMap((name) => users.find((user) => user.name === name) ?? [])
}

function ownerOfCluster(dataDir: string): OsUser | undefined {
  const made = statSync(path.join(dataDir, 'PG_VERSION'), { throwIfNoEntry: false })
  if (made === undefined) return undefined
  const name = osUsers().find((user) => user.uid === made.uid)?.name ?? 'without a name'
  return { name, uid: made.uid, gid: made.gid }
}

/** Returns the accounts of this machine; none if the system keeps them elsewhere. */
export function osUsers(): OsUser[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map((fields) => ({ name: fields[0] ?? '', uid: Number(fields[2]), gid: Number(fields[3]) }))
      .filter((user) => user.name !== '' && Number.isInteger(user.uid) && Number.isInteger(user.gid))
  } catch {
    return []
  }
}

async function canReach(account: Account, postgres: string, folder: string): Promise<boolean> {
  const script = 'cd "$1" && exec "$2" --version'
  const [file, args] = account.command('/bin/sh', ['-c', script, 'reach', folder, postgres])
  try {
    await run(file, args, { env: POSTGRES_ENVIRONMENT, cwd: '/', ...account.ids })
    return true
  } catch {
    return false
  }
}
