/**
 * Three machines with PostgreSQL and Patroni, each in a network of its own, and etcd beside the drill. They run the
 * files of deploy/ with the addresses of this drill.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { configured, findProgram } from '../front.ts'
import { endLater } from '../store-process.ts'
import { openWatchdog } from './watchdog.ts'

const ACCOUNT = 'postgres'
const PACKAGES = '/usr/lib/postgresql'
const READY_MS_MAX = 120_000
const STANDBYS = 2

export interface Machine {
  readonly name: string
  readonly address: string
  start(): Machine
  /** Ends every process of it at once, as a power failure does. */
  kill(): void
  /** Ends only the processes of the database. */
  killEngine(): void
  /** Lets Patroni stand still, and its database work on. The watchdog has to end the machine. */
  holdPatroni(): void
  /** Cuts its network cable, or mends it. */
  cut(isCut: boolean): Machine
}

export interface Cluster {
  readonly machines: readonly Machine[]
  readonly databaseUrl: string
  /** Names only the server that is the primary now. */
  primaryUrl(): Promise<string>
  leader(): Promise<Machine | undefined>
  /** A machine that has every purchase. */
  synchronous(): Promise<Machine>
  /** Resolves when there are a leader and two standbys that follow it, one of them synchronous. */
  untilWhole(): Promise<void>
  /** Resolves when the machine is a standby that follows the primary. */
  untilFollows(machine: Machine): Promise<void>
  switchOver(): Promise<void>
  /** Runs pgBackRest on the leader. @returns what it says */
  backUp(...args: string[]): Promise<string>
}

/** @returns what is missing, in words */
export function whatIsMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'Only root can make networks for the machines'
  const programs = ['patroni', 'etcd', 'haproxy', 'pgbackrest', 'ip', 'setpriv', 'psql']
  const missing = programs.find((name) => findProgram(name) === undefined && !existsSync(`/bin/${name}`))
  if (missing !== undefined) return `${missing} is not installed`
  return existsSync(PACKAGES) ? undefined : 'PostgreSQL of the distribution is not installed'
}

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** @param directory only for this cluster. The account of the database gets it */
export async function startCluster(directory: string): Promise<Cluster> {
  const [uid, gid] = ['-u', '-g'].map((what) => Number(run('id', what, ACCOUNT))) as [number, number]
  const own = (place: string) => {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    chownSync(place, uid, gid)
    return place
  }
  const net = `10.${randomInt(100, 250)}.${randomInt(1, 250)}`
  const bridge = `chaabi${process.pid % 100_000}`
  run('ip', 'link', 'add', bridge, 'type', 'bridge')
  endLater(async () => void spawnSync('ip', ['link', 'delete', bridge]))
  run('ip', 'address', 'add', `${net}.1/24`, 'dev', bridge)
  run('ip', 'link', 'set', bridge, 'up')
  chmodSync(directory, 0o755)
  startEtcd(own(path.join(directory, 'etcd')), `${net}.1`)
  const shared = own(path.join(directory, 'backups'))
  const machines = [1, 2, 3].map((n) =>
    openMachine(n, { net, bridge, home: own(path.join(directory, `db${n}`)), shared, uid, gid }),
  )
  for (const machine of machines) machine.start()
  const cluster = openCluster(machines, directory)
  await cluster.untilWhole()
  const leader = await cluster.leader()
  const sql = path.join(directory, 'database.sql')
  writeFileSync(sql, configured('database.sql', []))
  run(
    'psql',
    '-q',
    `postgres://postgres:first-password@${leader?.address}/postgres`,
    '-v',
    'ON_ERROR_STOP=1',
    '-f',
    sql,
  )
  await cluster.backUp('stanza-create')
  return cluster
}

/** One member where a shop has three. */
function startEtcd(home: string, address: string): void {
  const settings = configured('etcd.default', [
    [/,etcd2=.*/, ''],
    [/https:/g, 'http:'],
    [/^# Only a machine of this store[^]*/m, ''],
    [/10\.0\.0\.31/g, address],
    ['/var/lib/etcd/chaabi', home],
  ])
  const env = Object.fromEntries([...settings.matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
  const child = spawn('etcd', { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } })
  endLater(async () => void child.kill('SIGKILL'))
}

interface MachinePlace {
  net: string
  bridge: string
  home: string
  /** The folder for the backups of all. */
  shared: string
  uid: number
  gid: number
}

function openMachine(n: number, place: MachinePlace): Machine {
  const { net, bridge, home } = place
  const [name, address, cable, space] = [`db${n}`, `${net}.${10 + n}`, `${bridge}${n}`, `${bridge}-${n}`]
  run('ip', 'netns', 'add', space)
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  run('ip', 'link', 'set', cable, 'master', bridge, 'up')
  for (const args of [`address add ${address}/24 dev eth0`, 'link set eth0 up', 'link set lo up'])
    run('ip', '-n', space, ...args.split(' '))
  const pids = () => run('ip', 'netns', 'pids', space).split('\n').filter(Boolean).map(Number)
  const signal = (name: 'KILL' | 'STOP', program = '') => {
    for (const pid of pids()) if (commandOf(pid).includes(program)) spawnSync('kill', [`-${name}`, String(pid)])
  }
  const kill = () => {
    watchdog.disarm()
    signal('KILL')
  }
  const watchdog = openWatchdog(path.join(home, 'watchdog'), place, kill)
  endLater(async () => {
    kill()
    spawnSync('ip', ['netns', 'delete', space])
  })
  const file = writeSettings(n, address, place)
  const machine: Machine = {
    name,
    address,
    start() {
      const as = ['setpriv', '--reuid', ACCOUNT, '--regid', ACCOUNT, '--init-groups', 'patroni', file]
      const log = openSync(path.join(home, 'patroni.log'), 'a')
      const env = { PATH: process.env.PATH, HOME: home }
      spawn('ip', ['netns', 'exec', space, ...as], { cwd: home, env, stdio: ['ignore', log, log] })
      closeSync(log)
      return machine
    },
    kill,
    killEngine: () => signal('KILL', 'postgres'),
    holdPatroni: () => signal('STOP', 'patroni'),
    cut(isCut) {
      run('ip', 'link', 'set', cable, isCut ? 'down' : 'up')
      return machine
    },
  }
  return machine
}

const commandOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()

/** The settings of Patroni and pgBackRest for one machine. @returns the file of Patroni's */
function writeSettings(n: number, address: string, { net, home, shared }: MachinePlace): string {
  const data = path.join(home, 'data')
  const version = readdirSync(PACKAGES).toSorted().at(-1) ?? ''
  const rest = path.join(home, 'pgbackrest.conf')
  writeFileSync(
    rest,
    configured('pgbackrest.conf', [
      [/(?<=^repo1-path=).*/m, shared],
      [/(?<=^pg1-path=).*/m, data],
      [/(?<=^pg1-socket-path=).*/m, home],
      ['log-level-file=off', `log-level-file=off\nlock-path=${home}\nlog-path=${home}`],
    ]),
  )
  const file = path.join(home, 'patroni.yml')
  writeFileSync(
    file,
    configured('patroni.yml', [
      ['name: db1', `name: db${n}`],
      [/10\.0\.0\.21/g, address],
      [/hosts: .*/, `hosts: ${net}.1:2379`],
      [/10\.0\.0\.0\/24/g, `${net}.0/24`],
      // The machines of this drill have no certificates: `machines` is the drill of those
      [/^.*(\/etc\/chaabi-tls\/|verify_client|protocol: https|ssl: 'on'|post_init).*\n/gm, ''],
      [/^ctl:\n/m, ''],
      [/hostssl/g, 'host'],
      [/(?<=data_dir: ).*/, data],
      [/(?<=bin_dir: ).*/, path.join(PACKAGES, version, 'bin')],
      ['/run/postgresql', home],
      ['mode: automatic', 'mode: required\n  driver: testing'],
      ['/dev/watchdog', path.join(home, 'watchdog')],
      ['pgbackrest --stanza', `pgbackrest --config=${rest} --stanza`],
    ]),
  )
  for (const each of [rest, file]) chmodSync(each, 0o644)
  return file
}

const Members = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string(), lag: z.optional(z.unknown()) })),
})
const isStandby = ({ role, state }: { role: string; state: string }) =>
  role !== 'leader' && (state === 'running' || state === 'streaming')

function openCluster(machines: readonly Machine[], directory: string): Cluster {
  /** One member's list of all. A member that is cut off does not answer. */
  const ask = () =>
    Promise.any(
      machines.map(async ({ address }) => {
        const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1_000) })
        return z.parse(Members, await answer.json()).members
      }),
    ).catch(() => [])
  const find = async (wanted: (role: string) => boolean) => {
    const name = (await ask()).find(({ role }) => wanted(role))?.name
    return machines.find((machine) => machine.name === name)
  }
  const leader = () => find((role) => role === 'leader')
  const urlOf = (hosts: readonly Machine[]) =>
    `postgres://chaabi:third-password@${hosts.map(({ address }) => `${address}:5432`).join(',')}/chaabi`
  return {
    machines,
    databaseUrl: urlOf(machines),
    async primaryUrl() {
      for (;;) {
        const found = await leader()
        if (found) return urlOf([found])
        await sleep(200)
      }
    },
    leader,
    async synchronous() {
      const found = await find((role) => role === 'sync_standby')
      if (!found) throw new Error('There is no synchronous standby')
      return found
    },
    async untilWhole() {
      for (const since = performance.now(); performance.now() - since < READY_MS_MAX; await sleep(200)) {
        const members = await ask()
        const isSafe = members.some((each) => each.role === 'sync_standby' && isStandby(each))
        const hasLeader = members.some(({ role, state }) => role === 'leader' && state === 'running')
        if (hasLeader && isSafe && members.filter(isStandby).length === STANDBYS) return
      }
      throw new Error(`The databases are not whole: ${JSON.stringify(await ask())}`)
    },
    async untilFollows({ name, address }) {
      for (const since = performance.now(); performance.now() - since < READY_MS_MAX; await sleep(100)) {
        const answer = await fetch(`http://${address}:8008/replica`, { signal: AbortSignal.timeout(1_000) }).catch(
          () => {},
        )
        if (answer?.ok) return
      }
      throw new Error(`${name} does not follow the primary`)
    },
    async switchOver() {
      const from = await leader()
      const answer = await fetch(`http://${from?.address}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from?.name }),
      })
      if (!answer.ok) throw new Error(`Patroni refuses the switchover: ${await answer.text()}`)
    },
    async backUp(...args) {
      const at = (await leader())?.name ?? ''
      const file = path.join(directory, at, 'pgbackrest.conf')
      const as = ['--reuid', ACCOUNT, '--regid', ACCOUNT, '--init-groups']
      const all = [...as, 'pgbackrest', `--config=${file}`, '--stanza=chaabi', ...args]
      const { status, stdout, stderr } = spawnSync('setpriv', all, { encoding: 'utf8', cwd: '/' })
      if (status !== 0) throw new Error(`pgbackrest ${args.join(' ')} failed: ${stdout}${stderr}`)
      return stdout
    },
  }
}
