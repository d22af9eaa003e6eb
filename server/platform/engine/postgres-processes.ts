/**
 * Finds living processes and those of a cluster.
 *
 * A process id alone proves nothing, because ids are used again. In a container the same small numbers come back at
 * every start. So a process is known here by its id and the moment of its birth.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, fchownSync, openSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'

const LINUX = process.platform === 'linux'

/** Returns the start of a process as an opaque text; undefined if it does not exist or is a zombie. */
export function birthOf(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if (!LINUX) return birthAccordingToPs(pid)
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The command's name is in parentheses and may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startedTicks] = [fields[0], fields[19]]
  if (state === undefined || state === 'Z' || state === 'X' || startedTicks === undefined) return undefined
  // Ticks count from the boot, so the same pair could come back after a reboot.
  return `${bootId()}:${startedTicks}`
}

/** Names this boot of the machine; empty if the system does not tell. */
export const bootId = (): string => readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''

function birthAccordingToPs(pid: number): string | undefined {
  try {
    const answer = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return answer === '' || answer.startsWith('Z') ? undefined : answer.replace(/^\S+\s+/, '')
  } catch {
    return undefined
  }
}

/** The state that a server writes into its data directory. */
interface PidFile {
  pid: number
  status: 'starting' | 'ready' | 'stopping' | 'standby' | ''
}

/** Reads postmaster.pid; undefined if there is none, because no server ran or it ended cleanly. */
export function readPidFile(dataDir: string): PidFile | undefined {
  const lines = readIfThere(path.join(dataDir, 'postmaster.pid'))?.split('\n')
  if (lines === undefined) return undefined
  return { pid: Number(lines[0]), status: (lines[7] ?? '').trim() as PidFile['status'] }
}

/**
 * Lets PostgreSQL start although another program now has the process id in postmaster.pid.
 *
 * Only the holder of the claim may call it, when no process of the cluster is left. The file is not removed, because
 * its line about shared memory is PostgreSQL's own proof that nobody else uses the cluster. Instead the id becomes that
 * of this process. PostgreSQL knows it as its parent, so not as a rival.
 */
export function disownPidFile(dataDir: string): void {
  const file = path.join(dataDir, 'postmaster.pid')
  const text = readIfThere(file)
  if (text === undefined) return
  const pid = Number.parseInt(text, 10)
  if (birthOf(pid) !== undefined && mayServe(pid, dataDir)) return
  const { uid, gid } = statSync(file)
  const beside = `${file}.disowned`
  rmSync(beside, { force: true })
  // `wx` follows no link, because this may run as root where an account without rights can plant one.
  const descriptor = openSync(beside, 'wx', 0o600)
  writeSync(descriptor, `${process.pid}${text.slice(text.indexOf('\n'))}`)
  fchownSync(descriptor, uid, gid)
  closeSync(descriptor)
  renameSync(beside, file)
}

/** False only if `pid` is certainly no PostgreSQL server on `dataDir`, not even one started by hand. */
function mayServe(pid: number, dataDir: string): boolean {
  if (!/\bpostgres\b/.test(commandLine(pid))) return false
  try {
    return !LINUX || readlinkSync(`/proc/${pid}/cwd`) === dataDir
  } catch {
    return true
  }
}

/** Returns the ids of all living processes of the cluster with this name: the server and its children. */
export function serverProcesses(clusterName: string): number[] {
  const isOne = (command: string): boolean =>
    command.startsWith(`postgres: ${clusterName}`) ||
    // Leaves out the guard shell, which has the server's arguments too.
    (command.includes(`cluster_name=${clusterName}`) && !command.startsWith('/bin/sh '))
  if (LINUX) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => isOne(commandLine(pid)))
  }
  const processes = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  return processes.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    return pid !== undefined && command !== undefined && isOne(command) ? [Number(pid)] : []
  })
}

function commandLine(pid: number): string {
  if (LINUX) return readIfThere(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Sends a signal. A process that has ended is no error. */
export function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended already, which is what the signal was for
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}
