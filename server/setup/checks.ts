/** Looks whether a machine can carry a store, before anything is changed. */
import { lookup } from 'node:dns/promises'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { SetupRefusal, type Machine } from './machine.ts'
import { readSetting, STORE_PORT } from './settings-file.ts'

const MEMORY_MB_MIN = 700
const DISK_GB_MIN = 5
export const CADDY = '/usr/bin/caddy'
const NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** What stands before the store: Caddy of setup, a web server that is here already, or the load balancer of several. */
export type Front = 'caddy' | 'proxy' | 'balancer'

/**
 * @param settings the file with the settings of a store that is here already
 * @throws SetupRefusal in one line for the first thing that is missing
 */
export async function checkMachine(
  name: string,
  { settings, front }: { settings: string; front: Front },
  machine: Machine,
): Promise<void> {
  if (process.getuid?.() !== 0) throw new SetupRefusal('Setup needs root. Run it with sudo.')
  if (!NAME.test(name))
    throw new SetupRefusal(
      name === ''
        ? 'Add the name of your store, like this: chaabi setup shop.example'
        : `${name} is not the name of a website. Use one like this: chaabi setup shop.example`,
    )
  refuseOtherStore(name, settings)
  if (!existsSync('/run/systemd/system'))
    throw new SetupRefusal('This machine does not run systemd. Use the container, or start the store yourself.')
  checkMemory()
  const { bavail, bsize } = statfsSync('/var/lib')
  const freeGb = (bavail * bsize) / 1e9
  if (freeGb < DISK_GB_MIN)
    throw new SetupRefusal(`Only ${freeGb.toFixed(1)} GB are free in /var/lib. The store needs ${DISK_GB_MIN} GB.`)
  const active = (unit: string) => machine.ask('systemctl', 'is-active', unit) === 'active'
  if (front === 'caddy')
    await checkPorts([80, 443], () => active('caddy'), ' Or leave it before the store: add --behind-proxy')
  await checkPorts([STORE_PORT], () => active('chaabi'))
  if (front === 'caddy' && !existsSync(CADDY) && machine.ask('apt-cache', 'show', 'caddy') === undefined)
    throw new SetupRefusal('Caddy is not installed, and apt does not know it. Run apt-get update, then run this again.')
  if (machine.ask('timedatectl', 'show', '-p', 'NTPSynchronized', '--value') === 'no')
    machine.say('Warning: the clock of this machine is not synchronised. Run: timedatectl set-ntp true')
  if (front !== 'balancer') await checkName(name, machine)
}

/** One machine has one store. Half of it under another name would take no login. */
function refuseOtherStore(name: string, settings: string): void {
  const url = readSetting('PUBLIC_URL')
  if (!url || url.toLowerCase() === `https://${name}`) return
  throw new SetupRefusal(
    `The store on this machine is ${url}. To rename it, change PUBLIC_URL in ${settings}, ` +
      'run systemctl restart chaabi, and run this again.',
  )
}

function checkMemory(): void {
  const text = readFileSync('/proc/meminfo', 'utf8')
  const mbOf = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
  const limit = readLimitMb()
  const memory = Math.min(mbOf('MemTotal'), limit)
  if (memory + mbOf('SwapTotal') >= MEMORY_MB_MIN) return
  throw new SetupRefusal(
    `This machine has ${Math.round(memory)} MB of memory. The store needs ${MEMORY_MB_MIN} MB, or swap: ` +
      'fallocate -l 1G /swapfile && chmod 600 /swapfile && mkswap /swapfile && swapon /swapfile',
  )
}

/** A container may have less than its machine. */
function readLimitMb(): number {
  const file = '/sys/fs/cgroup/memory.max'
  const limit = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN
  return Number.isNaN(limit) ? Infinity : limit / 1024 / 1024
}

async function checkPorts(ports: readonly number[], isOurs: () => boolean, otherwise = ''): Promise<void> {
  for (const port of ports) {
    if ((await isFree(port)) || isOurs()) continue
    throw new SetupRefusal(
      `Another program uses port ${port}. See which: ss -ltnp. Stop it and run this again.${otherwise}`,
    )
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })

/** Only warns, because the name may be set later, and a machine behind a router does not know its own address. */
async function checkName(name: string, machine: Machine): Promise<void> {
  const found = await lookup(name, { all: true }).catch(() => [])
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? [])
  if (found.some(({ address }) => own.includes(address))) return
  const outside = own.filter((address) => !/^(127\.|::1$|fe80:)/.test(address)).join(', ') || 'unknown'
  const now = found.length === 0 ? 'It has no address yet.' : `It points to ${found.map((a) => a.address).join(', ')}.`
  machine.say(
    `Warning: ${name} doesn’t point to this machine (${outside}). ${now} ` +
      'Add an A record with this address where you bought the name.',
  )
}
