/**
 * Puts the store on a machine, with HTTPS: `chaabi setup shop.example`. A second run changes nothing that is there.
 * `--dry-run` says each file and command. `--uninstall` takes away all but the data and the settings.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CADDY, checkMachine, STORE_PORT } from './checks.ts'
import { openMachine, SetupRefusal, type Machine } from './machine.ts'

const ACCOUNT = 'chaabi'
const DATA = '/var/lib/chaabi'
const SETTINGS = '/etc/chaabi/chaabi.env'
const UNITS = '/etc/systemd/system'
const CADDYFILE = '/etc/caddy/Caddyfile'
const UNIT_FILES = ['chaabi.service', 'chaabi-backup.service', 'chaabi-backup.timer', 'chaabi-backup-failed.service']
const OURS = '# Written by chaabi setup.'
/** How Debian's own file begins and what it serves. */
const STOCK = /^# The Caddyfile is an easy way[^]*root \* \/usr\/share\/caddy/
const HEALTHY_MS_MAX = 60_000
const REACHABLE_MS_MAX = 60_000
const WORKS = 0
const REFUSED = 1
const NOT_REACHABLE = 2

/**
 * @param deploy the folder with the units and the Caddyfile
 * @returns the exit code: 0 if it works, 1 if it was refused, 2 if it works and is not reachable yet
 */
export async function setUp(args: string[], deploy: string, say: (line: string) => void): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      uninstall: { type: 'boolean', default: false },
      firewall: { type: 'boolean', default: false },
    },
  })
  const machine = openMachine(values['dry-run'], say)
  if (values.uninstall) return uninstall(machine)
  const name = (positionals[0] ?? '').toLowerCase()
  try {
    await checkMachine(name, machine)
    const isFirst = !existsSync(path.join(DATA, 'secret.key'))
    const front = readFront(name, deploy, machine)
    makeAccount(machine)
    writeSettings(name, machine)
    for (const unit of UNIT_FILES) machine.write(path.join(UNITS, unit), readFileSync(path.join(deploy, unit), 'utf8'))
    machine.run('systemctl', 'daemon-reload')
    machine.run('systemctl', 'enable', '--now', 'chaabi.service', 'chaabi-backup.timer')
    front()
    openFirewall(values.firewall, machine)
    return machine.dry ? WORKS : await untilReachable(name, isFirst, machine)
  } catch (error) {
    if (!(error instanceof SetupRefusal)) throw error
    say(error.message)
    return REFUSED
  }
}

function makeAccount(machine: Machine): void {
  if (machine.ask('getent', 'passwd', ACCOUNT) === undefined)
    machine.run('useradd', '--system', '--user-group', '--home-dir', DATA, '--shell', '/usr/sbin/nologin', ACCOUNT)
  machine.directory(DATA, 0o700, ACCOUNT)
}

/** Adds lines that are missing. Never changes one that is there. */
function writeSettings(name: string, machine: Machine): void {
  machine.directory(path.dirname(SETTINGS), 0o755)
  const before = existsSync(SETTINGS)
    ? readFileSync(SETTINGS, 'utf8')
    : '# Settings of the store: docs/configuration.md\n'
  const wanted = { PUBLIC_URL: `https://${name}`, TRUST_PROXY: '127.0.0.1' }
  const has = (setting: string) => new RegExp(`^${setting}=`, 'm').test(before)
  const missing = Object.entries(wanted).filter(([setting]) => !has(setting))
  const begun = before.endsWith('\n') ? before : `${before}\n`
  machine.write(SETTINGS, begun + missing.map(([setting, value]) => `${setting}=${value}\n`).join(''), 0o640, ACCOUNT)
  const url = /^PUBLIC_URL=(.*)$/m.exec(before)?.[1]
  if (url !== undefined && url !== wanted.PUBLIC_URL)
    machine.say(`Kept: PUBLIC_URL=${url} in ${SETTINGS}. Change it there and restart: systemctl restart chaabi`)
}

/** @returns the step that puts Caddy in front, after the store runs */
function readFront(name: string, deploy: string, machine: Machine): () => void {
  const wanted = readFileSync(path.join(deploy, 'Caddyfile'), 'utf8').replace('shop.example', name)
  return () => {
    if (!existsSync(CADDY)) machine.run('apt-get', 'install', '--yes', 'caddy')
    const present = existsSync(CADDYFILE) ? readFileSync(CADDYFILE, 'utf8') : ''
    if (present !== '' && !present.startsWith(OURS) && !STOCK.test(present)) {
      const [, ...lines] = wanted.split('\n')
      machine.say(`${CADDYFILE} is yours and was not changed. Add this to it, then run: systemctl reload caddy`)
      return machine.say(lines.join('\n').trim())
    }
    machine.directory(path.dirname(CADDYFILE), 0o755)
    machine.write(CADDYFILE, wanted)
    machine.run('caddy', 'validate', '--config', CADDYFILE)
    machine.run('systemctl', 'enable', '--now', 'caddy')
    machine.run('systemctl', 'reload', 'caddy')
  }
}

function openFirewall(wanted: boolean, machine: Machine): void {
  if (!wanted) return machine.say('The firewall was not changed. Add --firewall to allow only SSH and the website.')
  for (const rule of ['OpenSSH', '80/tcp', '443/tcp', '443/udp']) machine.run('ufw', 'allow', rule)
  machine.run('ufw', '--force', 'enable')
}

async function untilReachable(name: string, isFirst: boolean, machine: Machine): Promise<number> {
  const { say } = machine
  if ((await answers(`http://127.0.0.1:${STORE_PORT}/api/health`, HEALTHY_MS_MAX)) !== undefined) {
    say('The store does not start. See why: journalctl -u chaabi')
    return NOT_REACHABLE
  }
  say(`The store runs. Its address is https://${name}, and yours is https://${name}/admin-login`)
  if (isFirst) {
    tellPassword(machine)
    say(`Copy ${DATA}/secret.key to a safe place. Nobody can read your keys without it:`)
    say(`  scp root@${name}:${DATA}/secret.key .`)
  }
  const reason = await answers(`https://${name}/api/health`, REACHABLE_MS_MAX)
  if (reason === undefined) return WORKS
  say(`https://${name} is not reachable yet (${reason}). Check that the name leads here, then: journalctl -u caddy`)
  return NOT_REACHABLE
}

/** The store prints it once, at its first start. */
function tellPassword(machine: Machine): void {
  const said = machine.ask('journalctl', '--unit=chaabi.service', '--output=cat', '--no-pager') ?? ''
  const username = /^Username: (\S+)/m.exec(said)?.[1]
  const password = /^Password: (\S+)/m.exec(said)?.[1]
  if (username === undefined || password === undefined) return
  machine.say(`Username: ${username}`)
  machine.say(`Password: ${password} (from the first start. Log in and change it.)`)
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

function uninstall(machine: Machine): number {
  if (process.getuid?.() !== 0) {
    machine.say('Setup needs root. Run it with sudo.')
    return REFUSED
  }
  if (existsSync(path.join(UNITS, 'chaabi.service'))) {
    machine.run('systemctl', 'disable', '--now', 'chaabi.service', 'chaabi-backup.timer')
    for (const unit of UNIT_FILES) machine.remove(path.join(UNITS, unit))
    machine.run('systemctl', 'daemon-reload')
  }
  if (existsSync(CADDYFILE) && readFileSync(CADDYFILE, 'utf8').startsWith(OURS)) {
    machine.remove(CADDYFILE)
    machine.run('systemctl', 'stop', 'caddy')
  }
  machine.say(`Kept: your data in ${DATA} and your settings in ${SETTINGS}.`)
  return WORKS
}
