/**
 * Puts the store on a machine, with HTTPS: `chaabi setup shop.example`. A second run changes nothing that is there.
 * `--machines FILE` makes what several machines need, and `--node` leaves HTTPS to the load balancer before them.
 * `--behind-proxy` leaves it to a web server that is there already. `--dry-run` says each file and command.
 * `--uninstall` takes away all but the data and the settings.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { checkMachine, type Front } from './checks.ts'
import { readFront, readSamples, removeFront } from './front.ts'
import { makeMachines } from './machines.ts'
import { openMachine, SetupRefusal, type Machine } from './machine.ts'
import { ACCOUNT, DATA, readSetting, SETTINGS, storeUrl, writeSettings } from './settings-file.ts'

/** In DATA: what the store says of its first admin, until setup has printed it. */
export const FIRST_PASSWORD = 'first-password'
const SECRET = path.join(DATA, 'secret.key')
const UNITS = '/etc/systemd/system'
const UNIT_FILES = ['chaabi.service', 'chaabi-backup.service', 'chaabi-backup.timer', 'chaabi-backup-failed.service']
const UFW = '/usr/sbin/ufw'
/** The settings that all nodes share, so setup can't make them. */
const NODE_SETTINGS = ['PUBLIC_URL', 'DATABASE_URL', 'SECRET_KEY', 'HOST', 'TRUST_PROXY']
const HEALTHY_MS_MAX = 60_000
const REACHABLE_MS_MAX = 60_000
const WORKS = 0
const FAILED = 1
const NOT_REACHABLE = 2

/**
 * @param deploy the folder with the units and the Caddyfile
 * @returns the exit code: 0 if it works, 1 if it was refused or a step failed, 2 if it works and is not reachable yet
 */
export async function setUp(args: string[], deploy: string, say: (line: string) => void): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      uninstall: { type: 'boolean', default: false },
      firewall: { type: 'boolean', default: false },
      'behind-proxy': { type: 'boolean', default: false },
      node: { type: 'boolean', default: false },
      machines: { type: 'string' },
    },
  })
  const machine = openMachine(values['dry-run'], say)
  if (values.uninstall) return uninstall(deploy, machine)
  const front = values.node ? 'balancer' : values['behind-proxy'] ? 'proxy' : 'caddy'
  try {
    if (values.machines !== undefined) {
      makeMachines(values.machines, deploy, say)
      return WORKS
    }
    const name = (positionals[0] ?? (values.node ? readNodeName() : '')).toLowerCase()
    await checkMachine(name, { settings: SETTINGS, front }, machine)
    if (values.firewall && !existsSync(UFW))
      throw new SetupRefusal('ufw is not installed. Run apt-get install ufw, or leave out --firewall.')
    const putInFront = {
      caddy: readFront(name, deploy, machine),
      proxy: readSamples(name, deploy, path.dirname(SETTINGS), machine),
      balancer: () => machine.say('Now name this machine in the load balancer.'),
    }[front]
    makeAccount(machine)
    writeSettings({ PUBLIC_URL: `https://${name}`, TRUST_PROXY: '127.0.0.1' }, machine)
    for (const unit of UNIT_FILES) machine.write(path.join(UNITS, unit), readFileSync(path.join(deploy, unit), 'utf8'))
    machine.run('systemctl', 'daemon-reload')
    machine.run('systemctl', 'enable', '--now', 'chaabi.service', 'chaabi-backup.timer')
    putInFront()
    openFirewall(values.firewall, front === 'balancer' ? ['4000/tcp'] : ['80/tcp', '443/tcp', '443/udp'], machine)
    return machine.dry ? WORKS : await untilReachable(name, front, machine)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    say(error.message)
    if (!(error instanceof SetupRefusal)) say('Setup stopped. Fix this and run it again.')
    return FAILED
  }
}

/** Makes what is missing of the account that the store runs as. */
export function makeAccount(machine: Pick<Machine, 'ask' | 'run' | 'directory'>): void {
  const has = (kind: 'passwd' | 'group') => machine.ask('getent', kind, ACCOUNT) !== undefined
  // A setup that was killed in the middle can leave one without the other
  const hadGroup = has('group')
  if (!has('passwd')) {
    const group = hadGroup ? ['--gid', ACCOUNT] : ['--user-group']
    machine.run('useradd', '--system', ...group, '--home-dir', DATA, '--shell', '/usr/sbin/nologin', ACCOUNT)
  } else if (!hadGroup) {
    machine.run('groupadd', '--system', ACCOUNT)
    machine.run('usermod', '--gid', ACCOUNT, ACCOUNT)
  }
  machine.directory(DATA, 0o700, ACCOUNT)
}

function openFirewall(wanted: boolean, ports: readonly string[], machine: Machine): void {
  if (!wanted) return machine.say('The firewall was not changed. Add --firewall to allow only SSH and the website.')
  // The person who sets this up over SSH must not be locked out, whatever port it has
  const found = [...(machine.ask('sshd', '-T') ?? '').matchAll(/^port (\d+)$/gm)].map(([, port]) => `${port}/tcp`)
  const ssh = found.length > 0 ? found : ['22/tcp']
  for (const rule of [...ssh, ...ports]) machine.run('ufw', 'allow', rule)
  machine.run('ufw', '--force', 'enable')
}

async function untilReachable(name: string, front: Front, machine: Machine): Promise<number> {
  const { say } = machine
  const reason = await answers(`${storeUrl()}/api/health`, HEALTHY_MS_MAX)
  if (reason !== undefined) {
    say(`The store does not start (${storeUrl()}: ${reason}). See why: journalctl -u chaabi`)
    return FAILED
  }
  say(`The store runs: https://${name}`)
  say(`Log in here:    https://${name}/admin-login`)
  if (!tellPassword(machine)) say('Did you miss the first password? Make a new one: sudo chaabi recover-admin admin')
  say('Save your secret key, for example in a password manager. Nobody can read your licence keys without it:')
  say(existsSync(SECRET) ? `  sudo cat ${SECRET}` : `  It is SECRET_KEY in ${SETTINGS}.`)
  if (front === 'balancer') return WORKS
  const fault = await answers(`https://${name}/api/health`, REACHABLE_MS_MAX)
  if (fault === undefined) return WORKS
  const log = front === 'caddy' ? ' See why: journalctl -u caddy' : ''
  say(`https://${name} is not reachable yet (${fault}). Check that the name points here.${log}`)
  return NOT_REACHABLE
}

/** @returns false if there is no first password to tell */
function tellPassword(machine: Machine): boolean {
  const file = path.join(DATA, FIRST_PASSWORD)
  if (!existsSync(file)) return false
  machine.say(readFileSync(file, 'utf8').trim())
  rmSync(file)
  return true
}

/** @throws SetupRefusal if the settings that all nodes share are not there */
function readNodeName(): string {
  const missing = NODE_SETTINGS.filter((setting) => readSetting(setting) === undefined)
  if (missing.length > 0)
    throw new SetupRefusal(`A node of several needs ${missing.join(', ')} in ${SETTINGS}. See docs/several-machines.md`)
  return new URL(readSetting('PUBLIC_URL') ?? '').hostname
}

/** @returns why it does not answer; undefined if it does */
async function answers(url: string, withinMs: number): Promise<string | undefined> {
  let reason = 'no answer'
  for (const since = performance.now(); performance.now() - since < withinMs; await sleep(500)) {
    const status = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.status,
      (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
    )
    if (status === 200) return undefined
    reason = String(status)
  }
  return reason
}

function uninstall(deploy: string, machine: Machine): number {
  if (process.getuid?.() !== 0) {
    machine.say('Setup needs root. Run it with sudo.')
    return FAILED
  }
  if (existsSync(path.join(UNITS, 'chaabi.service'))) {
    machine.run('systemctl', 'disable', '--now', 'chaabi.service', 'chaabi-backup.timer')
    for (const unit of UNIT_FILES) machine.remove(path.join(UNITS, unit))
    machine.run('systemctl', 'daemon-reload')
  }
  removeFront(deploy, machine)
  machine.say(`Kept: your data in ${DATA} and your settings in ${SETTINGS}.`)
  return WORKS
}
