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
const SECRET = path.join(DATA, 'secret.key')
const SETTINGS = '/etc/chaabi/chaabi.env'
const UNITS = '/etc/systemd/system'
const CADDYFILE = '/etc/caddy/Caddyfile'
const UNIT_FILES = ['chaabi.service', 'chaabi-backup.service', 'chaabi-backup.timer', 'chaabi-backup-failed.service']
const UFW = '/usr/sbin/ufw'
/** How Debian's own file begins and what it serves. */
const STOCK = /^# The Caddyfile is an easy way[^]*root \* \/usr\/share\/caddy/
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
    },
  })
  const machine = openMachine(values['dry-run'], say)
  if (values.uninstall) return uninstall(deploy, machine)
  const name = (positionals[0] ?? '').toLowerCase()
  try {
    await checkMachine(name, SETTINGS, machine)
    if (values.firewall && !existsSync(UFW))
      throw new SetupRefusal('ufw is not installed. Run apt-get install ufw, or leave out --firewall.')
    const isFirst = !existsSync(SECRET)
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
    if (!(error instanceof Error)) throw error
    say(error.message)
    if (!(error instanceof SetupRefusal)) say('Setup stopped there. Correct this and run it again.')
    return FAILED
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
}

const caddyfileOf = (name: string, deploy: string): string =>
  readFileSync(path.join(deploy, 'Caddyfile'), 'utf8').replace('shop.example', name)

/** True if setup wrote it and nobody has changed it since. */
function isOurs(caddyfile: string, deploy: string): boolean {
  const [, name] = /^(\S+) \{$/m.exec(caddyfile) ?? []
  return name !== undefined && caddyfile === caddyfileOf(name, deploy)
}

/** @returns the step that puts Caddy in front, after the store runs */
function readFront(name: string, deploy: string, machine: Machine): () => void {
  const wanted = caddyfileOf(name, deploy)
  return () => {
    if (!existsSync(CADDY)) machine.run('apt-get', 'install', '--yes', 'caddy')
    const present = existsSync(CADDYFILE) ? readFileSync(CADDYFILE, 'utf8') : ''
    if (present !== '' && !STOCK.test(present) && !isOurs(present, deploy)) {
      if (present.includes(name)) return machine.say(`${CADDYFILE} is yours and was not changed.`)
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
  // Whoever set this up over SSH must not be locked out, whatever port it has
  const found = [...(machine.ask('sshd', '-T') ?? '').matchAll(/^port (\d+)$/gm)].map(([, port]) => `${port}/tcp`)
  const ssh = found.length > 0 ? found : ['22/tcp']
  for (const rule of [...ssh, '80/tcp', '443/tcp', '443/udp']) machine.run('ufw', 'allow', rule)
  machine.run('ufw', '--force', 'enable')
}

async function untilReachable(name: string, isFirst: boolean, machine: Machine): Promise<number> {
  const { say } = machine
  if ((await answers(`http://127.0.0.1:${STORE_PORT}/api/health`, HEALTHY_MS_MAX)) !== undefined) {
    say('The store does not start. See why: journalctl -u chaabi')
    return FAILED
  }
  say(`The store runs: https://${name}`)
  say(`Log in here:    https://${name}/admin-login`)
  if (isFirst) {
    tellPassword(machine)
    say('Save your secret key, for example in a password manager. Nobody can read your licence keys without it:')
    say(existsSync(SECRET) ? `  sudo cat ${SECRET}` : `  It is SECRET_KEY in ${SETTINGS}.`)
  } else say('Did you miss the first password? It is in the log: journalctl -u chaabi | grep Password:')
  const reason = await answers(`https://${name}/api/health`, REACHABLE_MS_MAX)
  if (reason === undefined) return WORKS
  say(`https://${name} is not reachable yet (${reason}). Check that the name points here. See why: journalctl -u caddy`)
  return NOT_REACHABLE
}

/** The store prints it once, at its first start. */
function tellPassword(machine: Machine): void {
  const said = machine.ask('journalctl', '--unit=chaabi.service', '--output=cat', '--no-pager') ?? ''
  // An earlier store on this machine had others
  const last = (pattern: RegExp) => [...said.matchAll(pattern)].at(-1)?.[1]
  const [username, password] = [last(/^Username: (\S+)/gm), last(/^Password: (\S+)/gm)]
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
  if (existsSync(CADDYFILE) && isOurs(readFileSync(CADDYFILE, 'utf8'), deploy)) {
    machine.remove(CADDYFILE)
    machine.run('systemctl', 'stop', 'caddy')
  } else if (existsSync(CADDYFILE)) machine.say(`Kept: ${CADDYFILE}, which is yours.`)
  machine.say(`Kept: your data in ${DATA} and your settings in ${SETTINGS}.`)
  return WORKS
}
