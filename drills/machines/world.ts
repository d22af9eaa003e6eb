/** Fresh Debian machines, each with its own systemd and an address of its own on one bridge of this computer. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endLater } from '../store-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BASE = path.join(ROOT, '.cache/debian-machines')
const INCLUDED = 'systemd,systemd-sysv,dbus,ca-certificates,procps,iproute2,openssl'
/** Their archives are on each machine, because it has no internet. None of them is installed. */
const PACKAGES = ['postgresql', 'patroni', 'pgbackrest', 'etcd-server', 'etcd-client', 'haproxy', 'caddy']
const BOOT_MS_MAX = 60_000
const STEP_MS_MAX = 10 * 60_000

export interface Said {
  code: number
  said: string
  seconds: number
}

export interface FreshMachine {
  readonly address: string
  /** The root folder, as this computer sees it. */
  readonly root: string
  boot(): Promise<void>
  /** Ends every process of it at once, as a power failure does. */
  kill(): void
  /** It is gone with its disk. What boots next at this address is a fresh Debian. */
  lose(): void
  /** Runs a line of the page in its shell. */
  run(line: string): Said
}

export interface World {
  machine(address: string): FreshMachine
}

/** @returns what is missing, in words */
export function whatIsMissing(...more: string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'Only root can boot a Debian'
  for (const program of ['debootstrap', 'dpkg-deb', 'systemd-nspawn', ...more])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is not installed`
  return undefined
}

export function run(program: string, ...args: string[]): string {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr.slice(-1_000)}`)
  return stdout
}

export function makeBase(say: (line: string) => void): void {
  if (existsSync(path.join(BASE, 'ready'))) return
  say('debootstrap makes a base, once')
  rmSync(BASE, { recursive: true, force: true })
  run('debootstrap', '--variant=minbase', `--include=${INCLUDED}`, 'bookworm', BASE)
  cpSync('/etc/resolv.conf', path.join(BASE, 'etc/resolv.conf'))
  // Debian's installer writes it, and debootstrap doesn't
  writeFileSync(path.join(BASE, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n')
  const apt = ['chroot', BASE, 'apt-get', '--quiet', '--yes']
  run(...(apt as [string]), 'update')
  run(...(apt as [string]), 'install', '--download-only', ...PACKAGES)
  mkdirSync(path.join(BASE, 'ready'))
}

/**
 * @param place only for these machines
 * @param net the first three numbers of their addresses
 * @param shared a folder that all of them see at /var/lib/pgbackrest
 */
export function openWorld(place: string, net: string, shared: string): World {
  const bridge = `chaabi${process.pid % 100_000}`
  run('ip', 'link', 'add', bridge, 'type', 'bridge')
  endLater(async () => void spawnSync('ip', ['link', 'delete', bridge]))
  run('ip', 'address', 'add', `${net}.1/24`, 'dev', bridge)
  run('ip', 'link', 'set', bridge, 'up')
  return { machine: (address) => openMachine(place, address, bridge, shared) }
}

function openMachine(place: string, address: string, bridge: string, shared: string): FreshMachine {
  const root = path.join(place, address)
  const copyBase = () => run('cp', '-a', '--reflink=auto', BASE, root)
  if (!existsSync(root)) copyBase()
  let leader = 0
  const kill = () => {
    if (leader > 0) spawnSync('kill', ['-KILL', String(leader)])
    leader = 0
  }
  endLater(async () => {
    kill()
    await sleep(500)
  })
  const inside = (line: string) =>
    spawnSync(
      'nsenter',
      ['--target', String(leader), '--all', 'env', '-i', `PATH=${PATHS}`, 'HOME=/root', 'sh', '-c', line],
      { encoding: 'utf8', timeout: STEP_MS_MAX, input: '' },
    )
  return {
    address,
    root,
    kill,
    lose() {
      kill()
      spawnSync('sleep', ['1'])
      rmSync(root, { recursive: true, force: true })
      copyBase()
    },
    async boot() {
      const name = `m${address.split('.').at(-1)}-${process.pid % 10_000}`
      const how = [
        '--quiet',
        '--register=no',
        '--keep-unit',
        `--network-bridge=${bridge}`,
        `--machine=${name}`,
        '--boot',
      ]
      const binds = [`--bind=${shared}:/var/lib/pgbackrest`, `--bind-ro=${process.execPath}:/usr/local/bin/node`]
      const child = spawn('systemd-nspawn', [...how, ...binds, `--directory=${root}`], { stdio: 'ignore' })
      for (const since = performance.now(); ; await sleep(200)) {
        if (performance.now() - since > BOOT_MS_MAX) throw new Error(`${address} does not boot`)
        leader = Number(spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout.split('\n')[0])
        if (leader > 0 && /running|degraded/.test(inside('systemctl is-system-running').stdout)) break
      }
      const network = `ip address add ${address}/24 dev host0; ip link set host0 up; ip link set lo up`
      inside(network)
    },
    run(line) {
      const began = performance.now()
      const { status, stdout, stderr } = inside(line)
      const seconds = Math.round((performance.now() - began) / 100) / 10
      return { code: status ?? -1, said: `${stdout}${stderr}`.trim(), seconds }
    },
  }
}

const PATHS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
