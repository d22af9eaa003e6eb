/** Runs commands as the store's owner, because root would leave files there that the owner can't use. */
import { accessSync, constants, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { osUsers } from './postgres-identity.ts'

/** Adds a method that Node has and its types leave out. */
type WithGroups = NodeJS.Process & { initgroups(user: string, extraGroup: number): void }

/**
 * Turns root into the account that owns the store, before anything is read or created there.
 *
 * A store that root created stays root's, even if its database runs as another account. Then `files` have several
 * owners.
 * @param files decide who owns the store. Missing ones don't count
 * @param program the program's folder, which the account must be able to read
 * @returns the account's name; undefined if nothing was changed
 * @throws Error that says what to do, if the account can't read the program
 */
export function becomeOwner(files: readonly string[], program: string): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [owner, ...others] = files.flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? [])
  if (!owner || owner.uid === 0 || others.some(({ uid }) => uid !== owner.uid)) return undefined
  const user = osUsers().find(({ uid }) => uid === owner.uid)
  const { name, gid } = user ?? { name: `the account with uid ${owner.uid}`, gid: owner.gid }
  if (user) (process as WithGroups).initgroups(name, gid)
  else process.setgroups!([gid])
  process.setgid!(gid)
  process.setuid!(owner.uid)
  // Programs that send copies look for their settings there
  if (user) process.env.HOME = userInfo().homedir
  try {
    accessSync(program, constants.R_OK | constants.X_OK)
  } catch {
    throw new Error(
      `${files[0]} belongs to ${name}, who can’t read the program in ${program}. ` +
        'Move the program to a folder that all accounts can read (not below /root).',
    )
  }
  return name
}
