/** Changes the machine step by step, or only says what it would change. What is there already is left alone. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

export interface Machine {
  /** True if nothing is changed. */
  readonly dry: boolean
  say(line: string): void
  /** Writes a file that differs, whole or not at all. @returns true if it differs */
  write(file: string, content: string, mode?: number, group?: string): boolean
  /** Makes a directory that is missing. The service's own one is given to its account by systemd. */
  directory(place: string, mode: number, owner?: string): void
  remove(file: string): void
  /** Runs a command that changes something. @throws Error with its last line */
  run(program: string, ...args: string[]): void
  /** Asks a command, also in a dry run. @returns what it says; undefined if it fails or is missing */
  ask(program: string, ...args: string[]): string | undefined
}

/** A refusal in one line. Nothing was changed. */
export class SetupRefusal extends Error {}

export function openMachine(dry: boolean, say: (line: string) => void): Machine {
  const ids = (name: string): { uid: number; gid: number } => {
    const [, , uid, gid] = (ask('getent', 'passwd', name) ?? '').split(':')
    return { uid: Number(uid), gid: Number(gid) }
  }
  const ask = (program: string, ...args: string[]) => {
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  /** Mends the rights of a file that somebody else made. Never widens them. */
  const guard = (file: string, mode: number, group: string | undefined) => {
    const { mode: found, gid } = statSync(file)
    const wanted = group === undefined ? gid : ids(group).gid
    if ((found & 0o777 & ~mode) === 0 && gid === wanted) return
    say(`run chmod ${mode.toString(8)} ${file}`)
    if (dry) return
    chmodSync(file, mode)
    if (group !== undefined) chownSync(file, 0, wanted)
  }
  return {
    dry,
    say,
    ask,
    write(file, content, mode = 0o644, group) {
      if (existsSync(file) && readFileSync(file, 'utf8') === content) {
        guard(file, mode, group)
        return false
      }
      say(`write ${file}`)
      if (dry) return true
      const whole = `${file}.new`
      writeFileSync(whole, content, { mode })
      chmodSync(whole, mode)
      if (group !== undefined) chownSync(whole, 0, ids(group).gid)
      renameSync(whole, file)
      return true
    },
    directory(place, mode, owner) {
      if (existsSync(place) && statSync(place).isDirectory()) return
      say(`make ${place}`)
      if (dry) return
      mkdirSync(place, { recursive: true, mode })
      if (owner !== undefined) chownSync(place, ids(owner).uid, ids(owner).gid)
    },
    remove(file) {
      if (!existsSync(file)) return
      say(`remove ${file}`)
      if (!dry) rmSync(file, { recursive: true })
    },
    run(program, ...args) {
      say(`run ${[program, ...args].join(' ')}`)
      if (dry) return
      const { status, stderr, stdout, error } = spawnSync(program, args, { encoding: 'utf8' })
      if (status === 0) return
      const reason = error?.message ?? (stderr.trim() || stdout.trim()).split('\n').at(-1)
      throw new Error(`${program} ${args.join(' ')} failed: ${reason}`)
    },
  }
}
