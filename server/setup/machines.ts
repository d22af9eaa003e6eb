/**
 * Makes a folder for each machine of a store on several, from one list of addresses: settings, passwords and
 * certificates, and a script that puts them in place. `chaabi setup --machines machines.conf`.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { SetupRefusal } from './machine.ts'

const PLACE = 'machines'
const DAYS = 3_650
/** Machines that vote. Of three, two still agree when one is lost. */
const AGREEING = 3
const TLS = '/etc/chaabi-tls'

interface Machines {
  name: string
  front: string
  nodes: string[]
  databases: string[]
  etcd: string[]
}

interface Folder {
  /** The parts of this machine. */
  has(part: string): void
  write(file: string, content: string): void
}

/**
 * @param list the file with the addresses
 * @param deploy the folder with the files to fill in
 * @throws SetupRefusal if the list is not usable, or the folder is there already: its passwords are in use
 */
export function makeMachines(list: string, deploy: string, say: (line: string) => void): void {
  if (!existsSync(list))
    throw new SetupRefusal(`${list} is not there. Copy ${path.join(deploy, 'machines.conf')} and change it.`)
  const machines = readMachines(list)
  const whole = path.resolve(path.dirname(list), PLACE)
  if (existsSync(whole))
    throw new SetupRefusal(`${whole} is there already, with the passwords in use. Nothing was made.`)
  const place = `${whole}.part`
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { mode: 0o700 })
  const addresses = new Set([machines.front, ...machines.nodes, ...machines.databases, ...machines.etcd])
  makeAuthority(place)
  for (const address of addresses) {
    mkdirSync(path.join(place, address, 'parts'), { recursive: true })
    copyFileSync(path.join(deploy, 'machine.sh'), path.join(place, address, 'install.sh'))
    makeCertificate(place, address)
  }
  // Anybody who has it can start a machine of this store
  rmSync(path.join(place, 'ca.key'))
  const text = (file: string) => readFileSync(path.join(deploy, file), 'utf8')
  fill(machines, text, (address) => folderOf(path.join(place, address)))
  for (const address of addresses) {
    run('tar', '-C', place, '-cf', path.join(place, `${address}.tar`), address)
    rmSync(path.join(place, address), { recursive: true })
    chmodSync(path.join(place, `${address}.tar`), 0o600)
  }
  renameSync(place, whole)
  say(`Made ${addresses.size} files in ${whole}, one for each machine. Copy each to its machine, and run there:`)
  say('  tar -xf ADDRESS.tar && sudo sh ADDRESS/install.sh')
  say('First the machines of ETCD and DATABASES, then NODES, then FRONT. Then delete the files: they have passwords.')
}

/** @throws SetupRefusal */
function readMachines(list: string): Machines {
  const read = parseEnv(readFileSync(list, 'utf8'))
  const of = (part: string, least: number) => {
    const found = (read[part] ?? '').split(',').map((each) => each.trim())
    if (found.length < least || !found.every((each) => isIPv4(each)) || new Set(found).size < found.length)
      throw new SetupRefusal(`${part} in ${list} needs ${least} different addresses or more, such as 10.0.0.21`)
    return found
  }
  const name = (read.NAME ?? '').toLowerCase()
  if (!/^[a-z0-9.-]+\.[a-z]+$/.test(name)) throw new SetupRefusal(`NAME in ${list} needs the name of your store`)
  const machines = { nodes: of('NODES', 1), databases: of('DATABASES', 2), etcd: of('ETCD', AGREEING) }
  if (machines.etcd.length % 2 === 0) throw new SetupRefusal(`ETCD in ${list} needs an odd number of machines`)
  return { name, front: of('FRONT', 1)[0]!, ...machines }
}

function makeAuthority(place: string): void {
  const at = (file: string) => path.join(place, file)
  const ca = ['-subj', '/CN=Chaabi machines', '-keyout', at('ca.key'), '-out', at('ca.crt')]
  run('openssl', 'req', '-x509', ...EC, '-nodes', '-days', String(DAYS), ...ca)
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']

/** For a server and a caller, by its address. */
function makeCertificate(place: string, address: string): void {
  const tls = path.join(place, address, 'files', TLS)
  mkdirSync(tls, { recursive: true })
  const [key, certificate, request] = ['machine.key', 'machine.crt', 'request'].map((file) => path.join(tls, file))
  const extensions = path.join(tls, 'extensions')
  writeFileSync(extensions, `subjectAltName=IP:${address},IP:127.0.0.1,DNS:localhost\n`)
  run('openssl', 'req', ...EC, '-nodes', '-subj', `/CN=${address}`, '-keyout', key!, '-out', request!)
  const by = ['-CA', path.join(place, 'ca.crt'), '-CAkey', path.join(place, 'ca.key'), '-CAcreateserial']
  const made = ['-days', String(DAYS), '-extfile', extensions, '-out', certificate!]
  run('openssl', 'x509', '-req', '-in', request!, ...by, ...made)
  copyFileSync(path.join(place, 'ca.crt'), path.join(tls, 'ca.crt'))
  for (const each of [request!, extensions]) rmSync(each)
}

function folderOf(place: string): Folder {
  return {
    has: (part) => writeFileSync(path.join(place, 'parts', part), ''),
    write(file, content) {
      const at = path.join(place, 'files', file)
      mkdirSync(path.dirname(at), { recursive: true })
      writeFileSync(at, content, { mode: 0o600 })
    },
  }
}

/** Fills in the files of deploy/ for each machine. */
function fill(machines: Machines, text: (file: string) => string, folder: (address: string) => Folder): void {
  const { name, front, nodes, databases, etcd } = machines
  const password = () => randomBytes(24).toString('hex')
  const [first, second, third, fourth] = [password(), password(), password(), password()]
  const secretKey = randomBytes(32).toString('base64')
  const startAgain = (address: string, ...services: string[]) => {
    for (const each of services)
      folder(address).write(`/etc/systemd/system/${each}.service.d/chaabi.conf`, text('start-again.conf'))
  }
  for (const [n, address] of etcd.entries()) {
    folder(address).has('etcd')
    startAgain(address, 'etcd')
    const cluster = etcd.map((each, k) => `etcd${k + 1}=https://${each}:2380`).join(',')
    folder(address).write(
      '/etc/default/etcd',
      text('etcd.default')
        .replace(/(?<=^ETCD_INITIAL_CLUSTER=).*/m, cluster)
        .replace('ETCD_NAME=etcd1', `ETCD_NAME=etcd${n + 1}`)
        .replace(/(?<=^ETCD_(?!INITIAL_CLUSTER=).*)10\.0\.0\.31/gm, address),
    )
  }
  for (const [n, address] of databases.entries()) {
    const { has, write } = folder(address)
    has('database')
    startAgain(address, 'patroni')
    write(
      '/etc/patroni/config.yml',
      text('patroni.yml')
        .replace('name: db1', `name: db${n + 1}`)
        .replace(/(?<=^ {2}hosts: ).*/m, etcd.map((each) => `${each}:2379`).join(','))
        .replaceAll('10.0.0.21', address)
        .replace(/^.*10\.0\.0\.0\/24.*\n/gm, (line) =>
          [...databases, ...nodes].map((each) => line.replace('10.0.0.0/24', `${each}/32`)).join(''),
        )
        .replace('first-password', first)
        .replace('second-password', second),
    )
    write('/etc/pgbackrest.conf', text('pgbackrest.conf').replace('fourth-password', fourth))
    write(`${TLS}/database.sql`, text('database.sql').replace('third-password', third))
    for (const [script, file] of Object.entries(SCRIPTS)) write(`/usr/local/sbin/${file}`, text(script))
    for (const unit of UNITS) write(`/etc/systemd/system/${unit}`, text(unit))
  }
  const servers = databases.map((each) => `${each}:5432`).join(',')
  for (const address of nodes) {
    folder(address).has('node')
    const settings = {
      PUBLIC_URL: `https://${name}`,
      DATABASE_URL: `postgres://chaabi:${third}@${servers}/chaabi?sslmode=verify-full&sslrootcert=${TLS}/ca.crt`,
      SECRET_KEY: secretKey,
      HOST: address,
      TRUST_PROXY: `${front},127.0.0.1`,
      DRAIN_MS: '1000',
      REQUIRE_STANDBY: '1',
      ETCD_HEALTH: etcd.map((each) => `${each}:2381`).join(','),
    }
    const lines = Object.entries(settings).map(([setting, value]) => `${setting}=${value}\n`)
    folder(address).write('/etc/chaabi/chaabi.env', lines.join(''))
  }
  folder(front).has('front')
  startAgain(front, 'haproxy', 'caddy')
  const line = (n: number, address: string, more = '') => `  server node${n}${more && '-last'} ${address}:4000${more}\n`
  const last = ' no-check backup'
  const lines = [...nodes.map((each, n) => line(n + 1, each)), ...nodes.map((each, n) => line(n + 1, each, last))]
  folder(front).write('/etc/haproxy/haproxy.cfg', text('haproxy.cfg').replace(/( {2}server .*\n)+/, lines.join('')))
  folder(front).write('/etc/caddy/Caddyfile', text('Caddyfile').replace('shop.example', name))
}

const SCRIPTS = {
  'base-backup.sh': 'chaabi-base-backup',
  'base-restore.sh': 'chaabi-base-restore',
  'begin.sh': 'chaabi-begin',
}
const UNITS = ['chaabi-base-backup.service', 'chaabi-base-backup.timer']

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`)
}
