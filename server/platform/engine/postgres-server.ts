/** Runs a PostgreSQL server once, from its start to its end, together with a guard. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, copyFileSync, openSync, readFileSync, statSync, statfsSync, truncateSync } from 'node:fs'
import type { Socket } from 'node:net'
import { totalmem } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_ENVIRONMENT, type Account } from './postgres-identity.ts'
import { readPidFile, signal } from './postgres-processes.ts'

/** Long, because recovery after a crash takes minutes on a slow disk and must not be interrupted. */
const START_MS_MAX = 10 * 60_000
const START_MS_USUAL = 5_000
export const FAST_SHUTDOWN_MS = 8_000
const LOG_BYTES_MAX = 10 * 1024 * 1024

const MB = 1024 * 1024
/** A large list that several processes read together needs as much. Docker gives a container 64 MB. */
const SHARED_MB_MIN = 256

/**
 * @param memoryBytes what this machine or container has. The store, backups and the system need most of it
 * @param sharedBytes the size of /dev/shm
 */
export const memorySettings = (memoryBytes: number, sharedBytes = Infinity): Readonly<Record<string, string>> => {
  const mb = Math.floor(memoryBytes / MB)
  return {
    shared_buffers: `${Math.min(Math.max(Math.floor(mb / 8), 64), 1_024)}MB`,
    effective_cache_size: `${Math.max(Math.floor(mb / 2), 128)}MB`,
    // Needs no room there
    ...(sharedBytes < SHARED_MB_MIN * MB && { dynamic_shared_memory_type: 'sysv' }),
  }
}

/** A container has less than its machine. */
const ownMemory = () => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** @returns the size of /dev/shm, which only Linux has */
function sharedMemory(): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const { blocks, bsize } = statfsSync('/dev/shm')
    return blocks * bsize
  } catch {
    return 0
  }
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // A refused duplicate is normal, and its details are personal data. Neither belongs in a log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

/**
 * The guard ends the server when Node is gone, even by kill -9, because its input is a pipe from Node that then closes.
 *
 * The guard forks twice, so that it is no child of the server. Then the shell becomes the server, so there is never a
 * server without a guard. A fast shutdown during crash recovery hangs for ever in PostgreSQL 16 to 18. So a server that
 * is not ready, or takes too long, gets SIGQUIT.
 */
const GUARDED_SERVER = `
server=$$
pidfile=$1
shift
(
  {
    read -r word
    [ "$word" = released ] && exit 0
    case "$(sed -n 8p "$pidfile")" in
      ready*) kill -INT "$server" ;;
      *) kill -QUIT "$server" ;;
    esac
    tenths=0
    while kill -0 "$server" && [ "$tenths" -lt 50 ]; do
      sleep 0.1
      tenths=$((tenths + 1))
    done
    kill -0 "$server" && kill -QUIT "$server"
  } <&3 3<&- >/dev/null 2>&1 &
) 3<&0
exec "$@" </dev/null
`

interface ServerOptions {
  dataDir: string
  /** Marks the server's processes in the process list. */
  clusterName: string
  socketDir: string
  port: number
  logFile: string
  /** The path of the `postgres` program. */
  postgres: string
  account: Account
  settings: Readonly<Record<string, string>>
  log: (line: string) => void
}

export class PostgresServer {
  private readonly process: ChildProcess
  private readonly logBegin: number
  private spawnError = ''

  constructor(private readonly options: ServerOptions) {
    shortenLog(options.logFile, options.log)
    this.logBegin = statSync(options.logFile, { throwIfNoEntry: false })?.size ?? 0
    this.process = this.spawn()
    this.process.once('error', (error) => (this.spawnError = error.message))
    // A write into the pipe of a killed guard fails, and nothing is lost by that.
    this.process.stdin!.on('error', () => {})
    // The guard must not outlive the server, because another process may get its id.
    this.process.once('exit', () => this.process.stdin!.end('released\n'))
    // Node may end when it has nothing else to do. The guard then ends the server.
    this.process.unref()
    ;(this.process.stdin as Socket).unref()
  }

  get pid(): number {
    return this.process.pid ?? 0
  }

  /** The cause of its end, for the log. */
  get ending(): string {
    return this.spawnError || (this.process.signalCode ?? `exit code ${this.process.exitCode}`)
  }

  /** Runs `react` when the server has ended, or at once if it has already. */
  whenEnded(react: () => void): void {
    if (this.hasEnded()) react()
    else this.process.once('exit', react)
  }

  /** @returns true when the server takes connections; false if it ended before, or was `cancelled` */
  async untilReady(cancelled: () => boolean): Promise<boolean> {
    const began = performance.now()
    let told = false
    while (!this.hasEnded()) {
      const found = readPidFile(this.options.dataDir)
      if (found?.pid === this.pid && found.status === 'ready') return true
      const waitedMs = performance.now() - began
      if (cancelled() || waitedMs > START_MS_MAX) {
        signal(this.pid, 'SIGQUIT')
      } else if (!told && waitedMs > START_MS_USUAL) {
        told = true
        this.options.log(
          'The database is still starting. After a crash it recovers first, which can take a few minutes.',
        )
      }
      await sleep(10)
    }
    return false
  }

  /** Ends the server and its connections. Commits are safe. Resolves when it is gone. */
  async shutDown(): Promise<void> {
    if (this.hasEnded()) return
    this.process.ref()
    const ended = new Promise<void>((resolve) => this.whenEnded(resolve))
    signal(this.pid, 'SIGINT')
    const escalate = setTimeout(() => {
      this.options.log('The database is slow to stop. Stopping it now. It will recover at the next start.')
      signal(this.pid, 'SIGQUIT')
    }, FAST_SHUTDOWN_MS)
    await ended
    clearTimeout(escalate)
  }

  /** Returns the last lines that this run wrote to its log. */
  lastWords(): string {
    const written = readFileSync(this.options.logFile).subarray(this.logBegin).toString('utf8').trim()
    return [this.spawnError, ...written.split('\n').slice(-4)].filter((line) => line !== '').join(' | ')
  }

  private hasEnded(): boolean {
    return this.process.pid === undefined || this.process.exitCode !== null || this.process.signalCode !== null
  }

  private spawn(): ChildProcess {
    const { dataDir, account, postgres, logFile, socketDir } = this.options
    const settings = {
      ...SETTINGS,
      ...memorySettings(ownMemory(), sharedMemory()),
      ...this.options.settings,
      cluster_name: this.options.clusterName,
      unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
      port: String(this.options.port),
    }
    const guard = ['-c', GUARDED_SERVER, 'chaabi-postgres', path.join(dataDir, 'postmaster.pid')]
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const [file, args] = account.command('/bin/sh', [...guard, postgres, '-D', dataDir, ...flags])
    const log = openSync(logFile, 'a', 0o600)
    try {
      return spawn(file, args, {
        stdio: ['pipe', log, log],
        cwd: '/',
        env: POSTGRES_ENVIRONMENT,
        // Starts a new session, so that Ctrl-C in the terminal reaches only Node, which drains first.
        detached: true,
        ...account.ids,
      })
    } finally {
      closeSync(log)
    }
  }
}

/** Moves a long log to `.old` and empties it. The server may be running, because PostgreSQL appends. */
export function shortenLog(logFile: string, log: (line: string) => void): void {
  try {
    if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) <= LOG_BYTES_MAX) return
    copyFileSync(logFile, `${logFile}.old`)
    truncateSync(logFile)
  } catch (error) {
    log(`The database's log could not be shortened: ${(error as Error).message}`)
  }
}
