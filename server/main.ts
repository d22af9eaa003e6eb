/** Runs the program: reads the settings, opens the database, and runs the store until a signal stops it. */
import { executionAsyncResource } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createApp, type App } from './app.ts'
import { withCommands } from './platform/command-words.ts'
import { readConfig, type Config } from './platform/config.ts'
import { buySupplies, featureJobs } from './features.ts'
import { seedDemo, type OpenPast } from './demo/seed-demo.ts'
import { aboutStore, COMMANDS, runCommand } from './operations/commands.ts'
import { examineAtNight } from './operations/doctor.ts'
import { noticesOf } from './operations/notices.ts'
import { versionJob } from './operations/new-version.ts'
import { openStoreDatabase } from './operations/open-database.ts'
import { databaseClock } from './platform/clock.ts'
import { FIRST_PASSWORD, setUp } from './setup/setup.ts'
import { urlOf } from './setup/settings-file.ts'
import { storeJobs } from './operations/jobs.ts'
import { becomeOwner } from './platform/engine/become-owner.ts'
import { birthOf } from './platform/engine/postgres-processes.ts'
import { osUsers } from './platform/engine/postgres-identity.ts'
import { startPolling } from './messages/telegram/poll-telegram.ts'
import { healthJob } from './messages/tell-health.ts'
import { vapidKeys } from './messages/channels/push.ts'
import { startMessages } from './messages/worker.ts'
import { measureUpkeep } from './operations/upkeep-metrics.ts'
import { startJobs } from './platform/jobs.ts'
import { readHealthReport } from './reports/health-report.ts'
import { createLog } from './platform/watching/log.ts'
import { reasonOf } from './platform/reason.ts'
import { openNodeSealer, openSealer, ownSecretKeys, secretFile } from './platform/secrets/secret-keys.ts'
import { ensureFirstAdmin, type FirstAdmin } from './admins/first-admin.ts'
import { ensureSettings } from './settings/settings.ts'

const MODES = ['start', 'demo', ...COMMANDS] as const
type Mode = (typeof MODES)[number]

const HERE = path.dirname(fileURLToPath(import.meta.url))
const MIGRATIONS = path.join(HERE, 'migrations')
/** The built pages, next to the built server. In development Vite serves the pages instead. */
const WEB = path.join(HERE, '..', 'web')
/** Among the sources there is an index.html too. */
const isBuilt = existsSync(path.join(WEB, 'unavailable.html'))
/** How long stopping may take, after callers had time to go to another node. */
const STOP_MS_MAX = 10_000

/** Keeps one of Node's ticks alive. Without any, V8 forgets their shape at a collection and builds each one slowly. */
const ticksAlive: object[] = []
process.nextTick(() => ticksAlive.push(executionAsyncResource()))

async function main(mode: Mode): Promise<void> {
  // A person at a terminal gets plain lines instead of the log
  const forPerson = mode !== 'start' || process.stdout.isTTY
  const config = readConfig(forPerson ? { LOG_LEVEL: 'warn', ...process.env } : process.env)
  const account = mode === 'demo' ? undefined : becomeStoreOwner(config)
  const log = createLog(config.logLevel)
  if (account !== undefined) log.info(`Started by root. Runs as ${account}, who owns ${config.dataDir}`)
  const closers: Opened['closers'] = []
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  endOnSignal(close, log, STOP_MS_MAX + config.drainMs)
  try {
    if (mode === 'demo') {
      // A throwaway store touches no real one
      config.databaseUrl = undefined
      await dropKilledDemos()
      config.dataDir = await mkdtemp(path.join(tmpdir(), `chaabi-demo-${process.pid}-`))
      const { dataDir } = config
      closers.push(() => rm(dataDir, { recursive: true, force: true }))
    }
    const loadedMs = performance.now()
    const opened = await openStoreDatabase(config, MIGRATIONS, log, mode === 'start')
    const databaseMs = performance.now() - loadedMs
    closers.push(opened.stop)
    if (mode === 'start' || mode === 'demo') {
      return await runStore(mode, { config, log, opened, closers, spent: { loadedMs, databaseMs } })
    }
    const { db, owner } = opened
    await runCommand(mode, { config, args: process.argv.slice(3), db, owner, migrations: MIGRATIONS, say })
    await close()
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Deletes the stores of demos that were killed. One that was not deletes its own. */
async function dropKilledDemos(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^chaabi-demo-(\d+)-\w+$/.exec(name) ?? []
    if (pid !== undefined && birthOf(Number(pid)) === undefined)
      // Another account may own it
      await rm(path.join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

interface Opened {
  config: Config
  log: Logger
  opened: Awaited<ReturnType<typeof openStoreDatabase>>
  /** End what was opened, the last one first. */
  closers: (() => Promise<unknown>)[]
  spent: { loadedMs: number; databaseMs: number }
}

/** Returns when the store answers. It then runs until a signal stops it. */
async function runStore(mode: 'start' | 'demo', { config, log, opened, closers, spent }: Opened): Promise<void> {
  const { db, owner } = opened
  const ended = new AbortController()
  closers.push(() => Promise.resolve(ended.abort()))
  const clock = await databaseClock(db, ended.signal)
  const sealer =
    config.databaseUrl === undefined || config.secretKeys !== undefined
      ? await openSealer(db, config.secretKeys ?? config.dataDir)
      : await openNodeSealer(db, config.dataDir)
  await ensureSettings(db)
  const password = mode === 'demo' ? (config.firstAdmin.password ?? 'demo-admin-key') : config.firstAdmin.password
  const firstAdmin = await ensureFirstAdmin(db, { username: config.firstAdmin.username, password }, clock.now())
  if (firstAdmin) await vapidKeys(db, sealer)
  const origin = config.publicOrigin ?? urlOf(config.host, config.port)
  const openPast: OpenPast = (past) => createApp({ ...past, db, sealer })
  const demo = mode === 'demo' ? await seedDemo(openPast, { now: clock.now(), admin: firstAdmin, origin }) : undefined
  if (demo?.statement !== undefined) await writeFile(path.join(config.dataDir, 'demo-statement.csv'), demo.statement)

  const notices = noticesOf(db, config, [process.argv[1] ?? '', path.join(HERE, 'main.js')])
  const app = await createApp({
    db,
    clock,
    sealer,
    log,
    rateLimitScale: config.rateLimitScale,
    secure: config.secure,
    publicOrigin: config.publicOrigin,
    trustProxy: config.trustProxy,
    metricsToken: config.metricsToken,
    ownDisk: config.databaseUrl === undefined ? config.dataDir : undefined,
    testOrigins: config.testOrigins,
    telegramUrl: config.telegramUrl,
    measure: (metrics) =>
      measureUpkeep(metrics, db, config.dataDir, clock, { copyTo: config.backupCopyTo, etcd: config.etcd }),
    notices,
    strict: false,
    ...(demo && { demo }),
    ...(isBuilt && { webDirectory: WEB }),
  })
  const jobs = startJobs(
    db,
    [
      ...featureJobs(app.services),
      versionJob(db, app.reach.outbound, config.updatesFrom),
      // After the others, because they check what these have done
      ...storeJobs(db, async (now, signal) => {
        const secrets = config.secretKeys ?? (await ownSecretKeys(config.dataDir))
        const place = { migrations: MIGRATIONS, dataDir: config.dataDir, secrets, ...aboutStore(config) }
        return examineAtNight(db, place, now, { signal, owner })
      }),
      healthJob(db, async (now) => readHealthReport(db, now, await notices())),
    ],
    {
      clock,
      signal: app.services.ended,
      onError: (err, job) => log.error({ err, job }, 'a job failed'),
    },
  )
  const messaging = Promise.all([
    startMessages(app.services, app.reach, (err) => log.error({ err }, 'messages could not be sent')),
    startPolling(app.services, app.reach),
    // The demo calls nobody
    mode === 'start' && buySupplies(app.services, app.reach, (err) => log.error({ err }, 'a supplier failed')),
  ])
  closers.push(
    () => jobs.ended,
    () => messaging,
    () => app.close(),
    () => app.drain(config.drainMs),
  )
  for (const mistake of config.mistakes) log.warn(mistake)
  const { address, listening } = await listen(app.http, config, log)
  // The parts of the start: the modules, the database, the rest
  log.debug({ ...spent, storeMs: performance.now() - spent.loadedMs - spent.databaseMs }, 'started')
  const admin = demo === undefined && firstAdmin?.generated ? await passwordLines(firstAdmin, config) : []
  announce(config.publicOrigin ?? address, listening, admin)
  if (demo) say(demo.text)
}

/** @returns an address of the store on this machine, and the one that it listens at: all, for example */
async function listen(http: App['http'], { port, host, logLevel }: Config, log: Logger) {
  // Our own line is enough. The framework would log each address
  if (log.isLevelEnabled('info')) log.level = 'warn'
  const address = await http.listen({ port, host })
  log.level = logLevel
  const bound = http.server.address() as AddressInfo
  const name = bound.address.includes(':') ? `[${bound.address}]` : bound.address
  return { address, listening: `http://${name}:${bound.port}` }
}

/** @returns the account that root became; undefined if the account stays the same */
function becomeStoreOwner({ dataDir, databaseUrl, databaseOsUser }: Config): string | undefined {
  const cluster = path.join(dataDir, 'postgres', 'PG_VERSION')
  // PG_OS_USER names the owner of a new database
  if (databaseUrl === undefined && databaseOsUser !== undefined && !existsSync(cluster)) return undefined
  return becomeOwner([dataDir, secretFile(dataDir), cluster], HERE)
}

/**
 * @param address what visitors open
 * @param listening the address of this process, said if it differs
 * @param admin lines about the admin that this start created
 */
function announce(address: string, listening: string, admin: readonly string[]): void {
  const lines = ['Chaabi is running. Press Ctrl+C to stop.', `Store:    ${address}`]
  if (address !== listening) lines.push(`Listens:  ${listening}`)
  lines.push(`Admin:    ${address}/admin-login`)
  say([...lines, ...admin].join('\n'))
}

/** A generated password is shown once. Where a log keeps what is said, it waits in a file for who set the store up. */
async function passwordLines({ username, password }: FirstAdmin, { dataDir, installed }: Config): Promise<string[]> {
  const lines = [`Username: ${username}`, `Password: ${password} (shown only once. Save it, log in and change it.)`]
  if (!installed) return lines
  const file = path.join(dataDir, FIRST_PASSWORD)
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  return [`Password: in ${file}. Read it, then delete the file.`]
}

/** Writes for the person at the terminal, because logs are for programs. */
function say(line: string): void {
  process.stdout.write(`${withCommands(line)}\n`)
}

/** Ignores a second signal within this time, because npm and a shell may pass the first one on twice. */
const REPEATED_SIGNAL_MS = 1_000

/** Finishes running work, then stops. A later second signal, or too long a wait, ends the process at once. */
function endOnSignal(close: () => Promise<void>, log: Logger, withinMs: number): void {
  let endingSince: number | undefined
  const end = (signal: NodeJS.Signals) => {
    if (endingSince !== undefined) {
      if (performance.now() - endingSince > REPEATED_SIGNAL_MS) process.exit(1)
      return
    }
    endingSince = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), withinMs).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'did not stop cleanly')
        process.exit(1)
      },
    )
  }
  // SIGHUP comes when the terminal is closed
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
}

// A reader may have read enough, and a closed terminal reads nothing more. The work goes on
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })

const mode = process.argv[2]
if (mode === 'setup') {
  const deploy = [path.join(HERE, '../deploy'), path.join(HERE, '../../deploy')].find((each) => existsSync(each)) ?? ''
  await setUp(process.argv.slice(3), deploy, say).then(
    (code) => process.exit(code),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    },
  )
}
main(MODES.find((each) => each === mode) ?? 'start').catch(async (error: NodeJS.ErrnoException) => {
  const uid = process.getuid?.()
  // A container may run as an account that the machine has no name for
  const account = osUsers().find((user) => user.uid === uid)?.name ?? `the account with uid ${uid}`
  const hint = error.code === 'EACCES' ? `. Chaabi runs as ${account}, who needs access to it.` : ''
  const reason = await reasonOf(error, path.resolve(process.env.DATA_DIR || 'data'))
  const lead = COMMANDS.some((each) => each === mode) ? '' : 'Chaabi cannot start: '
  process.stderr.write(withCommands(`${lead}${reason}${hint}\n`))
  process.exit(1)
})
