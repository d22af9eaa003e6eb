/**
 * The built-in database: a PostgreSQL server that lives and dies with Chaabi.
 *
 * One process owns the server and runs it. Others that start on the same directory use it too. When the owner ends, one
 * of them becomes the owner and restarts the server. Three rules hold at any moment, whatever is killed: never two
 * servers on one directory, never a server without an owner, never SIGKILL to a server. SIGQUIT ends it at once and
 * leaves the rest to the write-ahead log.
 *
 * The log, the claim (postgres-claim.ts) and the socket's directory are next to the data directory. Files that Chaabi
 * writes as root are kept outside it, because the database account could plant symlinks there.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { archiveSettings, spoolOf } from './log-archive.ts'
import { Claim, inUseElsewhere, inWords, ownerOf, SILENCE_MS } from './postgres-claim.ts'
import { clusterExists, createCluster, privateDirectory, SUPERUSER } from './postgres-cluster.ts'
import { findPrograms, majorVersion, refuseOtherMajor, type Programs } from './postgres-cluster.ts'
import { chooseAccount, type Account } from './postgres-identity.ts'
import { PORT, realPath, socketDirectory, socketIn } from './postgres-paths.ts'
import { disownPidFile, readPidFile, serverProcesses, signal } from './postgres-processes.ts'
import { FAST_SHUTDOWN_MS, PostgresServer, shortenLog } from './postgres-server.ts'
import { RestartPause } from './restart-pause.ts'

const START_ATTEMPTS = 3
/** The time that the guard of a killed owner gets to end its server, before a new owner helps. */
const GUARD_MS = 3_000
/** The time that the children of our own dead server get to end, because no guard ends them. */
const ORPHANS_MS = 250
const ADOPTION_PAUSE_MS = 150
const OWNER_WATCH_INTERVAL_MS = 500
const LOG_WATCH_INTERVAL_MS = 60_000

export interface EmbeddedPostgresOptions {
  /** The cluster's own directory. Created if absent. */
  dataDir: string
  /** Takes one line for the person who runs Chaabi. */
  log: (line: string) => void
  /** PostgreSQL settings over the built-in ones, e.g. `{ fsync: 'off' }` in tests. */
  settings?: Readonly<Record<string, string>>
  /** PG_OS_USER: the account for the database when Chaabi runs as root. */
  osUser?: string | undefined
  /** True to archive the log, for a restore to any moment (log-archive.ts). */
  archive?: boolean | undefined
  /** Tries of the first start. Three if absent. */
  attempts?: number
}

export interface EmbeddedPostgres {
  /** The directory of the Unix socket. Give it to the driver as the host. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: 'postgres'
  /** True while another process owns the server. */
  readonly adopted: boolean
  readonly logFile: string
  /** The server's process id, which changes with each restart; 0 while there is none. */
  readonly pid: number
  /** Ends the server if this process owns it. Otherwise only leaves it. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on `dataDir`, or joins the server that another process runs there. The first start creates the
 * cluster. Resolves when the server takes connections.
 *
 * @throws Error whose message says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const programs = await findPrograms()
  const dataDir = realPath(options.dataDir)
  const account = await chooseAccount(dataDir, programs.postgres, options.osUser)
  const supervisor = new Supervisor(dataDir, programs, account, options)
  await supervisor.start()
  return supervisor
}

class Supervisor implements EmbeddedPostgres {
  readonly host: string
  readonly port = PORT
  readonly user = SUPERUSER
  readonly database = 'postgres'
  readonly logFile: string

  private readonly clusterName: string
  private claim: Claim | undefined
  private server: PostgresServer | undefined
  private stopping = false
  /** A restart or a takeover that runs in the background. */
  private inBackground: Promise<void> = Promise.resolve()
  private readonly restartPause = new RestartPause()
  private readonly timers: NodeJS.Timeout[] = []

  constructor(
    private readonly dataDir: string,
    private readonly programs: Programs,
    private readonly account: Account,
    private readonly options: EmbeddedPostgresOptions,
  ) {
    this.clusterName = `chaabi-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
    this.logFile = `${dataDir}.log`
    this.host = socketDirectory(dataDir, this.clusterName)
  }

  get adopted(): boolean {
    return this.claim === undefined
  }

  get pid(): number {
    return this.server?.pid ?? readPidFile(this.dataDir)?.pid ?? 0
  }

  async start(): Promise<void> {
    let told = false
    let elsewhere: { beat: number; since: number } | undefined
    for (;;) {
      const silent = elsewhere !== undefined && performance.now() - elsewhere.since > SILENCE_MS
      const outcome = Claim.take(this.dataDir, silent ? elsewhere?.beat : undefined)
      if (outcome instanceof Claim) return this.own(outcome)
      if (outcome.by === 'process' && outcome.serverPid !== 0) {
        // An owner that was just killed looks alive for some milliseconds.
        await sleep(ADOPTION_PAUSE_MS)
        const later = ownerOf(this.dataDir)
        if (later?.by === 'process' && later.serverPid === outcome.serverPid) return this.adopt()
        continue
      }
      if (outcome.by === 'elsewhere') {
        elsewhere ??= { beat: outcome.beat, since: performance.now() }
        if (outcome.beat !== elsewhere.beat) throw inUseElsewhere(this.dataDir, outcome.host)
      }
      if (!told) this.options.log(`Waiting for the database in ${this.dataDir}: ${inWords(outcome)}`)
      told = true
      await sleep(50)
    }
  }

  async stop(): Promise<void> {
    this.stopping = true
    for (const timer of this.timers) clearInterval(timer)
    await this.inBackground
    if (this.claim === undefined) return
    await this.server?.shutDown()
    rmSync(this.host, { recursive: true, force: true })
    this.claim.giveUp()
    this.claim = undefined
  }

  private async own(claim: Claim): Promise<void> {
    this.claim = claim
    try {
      if (!clusterExists(this.dataDir)) {
        await createCluster(this.dataDir, this.programs, this.account, this.options.settings?.['fsync'] !== 'off')
      }
      refuseOtherMajor(this.dataDir, await majorVersion(this.programs, this.account))
      await this.launch(claim)
    } catch (error) {
      claim.giveUp()
      this.claim = undefined
      throw error
    }
    this.watchLog()
    if (this.account.description !== undefined) {
      this.options.log(`PostgreSQL can’t run as root, so the database runs as ${this.account.description}`)
    }
  }

  /** Uses the owner's server. Becomes the owner when the owner ends. */
  private adopt(): void {
    let complaint = ''
    const watch = this.every(OWNER_WATCH_INTERVAL_MS, () => {
      try {
        if (ownerOf(this.dataDir) !== undefined) return
        const outcome = Claim.take(this.dataDir)
        if (!(outcome instanceof Claim)) return
        clearInterval(watch)
        this.claim = outcome
        this.options.log('The process running the database has stopped. Restarting the database.')
        this.inBackground = this.relaunch(outcome)
        this.watchLog()
      } catch (error) {
        const { message } = error as Error
        if (message !== complaint) this.options.log(`Can’t take over the database: ${message}`)
        complaint = message
      }
    })
  }

  /**
   * Starts the server and waits until it is ready.
   * @param othersMs the time that processes of an earlier server get to end
   */
  private async launch(claim: Claim, othersMs = GUARD_MS): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.untilNoServer(othersMs)
      disownPidFile(this.dataDir)
      privateDirectory(this.host, this.account)
      const spool = spoolOf(this.dataDir)
      if (this.options.archive) privateDirectory(spool, this.account)
      for (const suffix of ['', '.lock']) rmSync(socketIn(this.host) + suffix, { force: true })

      const server = new PostgresServer({
        dataDir: this.dataDir,
        clusterName: this.clusterName,
        socketDir: this.host,
        port: PORT,
        logFile: this.logFile,
        postgres: this.programs.postgres,
        account: this.account,
        settings: { ...(this.options.archive ? archiveSettings(spool) : {}), ...this.options.settings },
        log: this.options.log,
      })
      if (await server.untilReady(() => this.stopping)) {
        claim.announce(server.pid)
        this.server = server
        this.keepAlive(server, claim)
        return
      }
      if (this.stopping) throw new Error('The database was stopped while it started.')
      if (attempt >= (this.options.attempts ?? START_ATTEMPTS)) {
        throw new Error(`The database didn’t start. Last lines of its log (${this.logFile}): ${server.lastWords()}`)
      }
      await sleep(200)
    }
  }

  /**
   * Waits until no process of this cluster is left, because the guard of a killed owner ends them. If the guard was
   * killed as well, ends them itself.
   */
  private async untilNoServer(othersMs: number): Promise<void> {
    const began = performance.now()
    let asked: 'nothing' | 'fast' | 'immediate' = 'nothing'
    for (;;) {
      const processes = serverProcesses(this.clusterName)
      if (processes.length === 0) return
      const waitedMs = performance.now() - began
      if (asked === 'nothing' && waitedMs > othersMs) {
        asked = 'fast'
        const server = readPidFile(this.dataDir)
        // Without their server, or in recovery, they only obey SIGQUIT.
        if (server?.status === 'ready' && processes.includes(server.pid)) signal(server.pid, 'SIGINT')
        else for (const pid of processes) signal(pid, 'SIGQUIT')
      } else if (asked === 'fast' && waitedMs > othersMs + FAST_SHUTDOWN_MS) {
        asked = 'immediate'
        for (const pid of processes) signal(pid, 'SIGQUIT')
      } else if (waitedMs > 2 * (GUARD_MS + FAST_SHUTDOWN_MS)) {
        throw new Error(
          `An earlier database (processes ${processes.join(', ')}) is still using ${this.dataDir}. Stop it.`,
        )
      }
      await sleep(25)
    }
  }

  private keepAlive(server: PostgresServer, claim: Claim): void {
    const since = performance.now()
    server.whenEnded(() => {
      if (this.stopping) return
      this.options.log(`The database stopped unexpectedly (${server.ending}). Restarting it.`)
      this.server = undefined
      this.inBackground = this.relaunch(claim, {
        pauseMs: this.restartPause.afterDeath(performance.now() - since),
        othersMs: ORPHANS_MS,
      })
    })
  }

  /** Tries to restart the server until it works, because someone may empty a full disk later. */
  private async relaunch(claim: Claim, { pauseMs = 0, othersMs = GUARD_MS } = {}): Promise<void> {
    for (let waitMs = pauseMs; ; waitMs = this.restartPause.afterFailure()) {
      await this.pause(waitMs)
      if (this.stopping) return
      try {
        claim.announce(0)
        await this.launch(claim, othersMs)
        this.options.log('The database is running again')
        return
      } catch (error) {
        if (!this.stopping) this.options.log((error as Error).message)
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    const until = performance.now() + ms
    while (performance.now() < until && !this.stopping) await sleep(Math.min(100, ms))
  }

  private watchLog(): void {
    this.every(LOG_WATCH_INTERVAL_MS, () => shortenLog(this.logFile, this.options.log))
  }

  private every(ms: number, work: () => void): NodeJS.Timeout {
    const timer = setInterval(work, ms).unref()
    this.timers.push(timer)
    return timer
  }
}
