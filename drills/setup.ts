/**
 * A bare Debian is set up from the package: what it refuses, dry run, setup, the same again, a backup, a reboot, an
 * update, and updates that do not work. Its own systemd runs in a container with a network of its own.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { newDirectory, type Drill } from './drill.ts'
import { run, whatIsMissing } from './machines/world.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const BASE = path.join(ROOT, '.cache/debian-systemd')
const RELEASES = path.join(ROOT, '.cache/releases')
const INCLUDED =
  'systemd,systemd-sysv,dbus,caddy,ca-certificates,procps,iproute2,rsync,ufw,openssh-server,openssl,nginx,apache2'
const MEMORY_MB = 700
/** The longest that one boot may take with all its steps, beside other programs. */
const BOOT_MS_MAX = 25 * 60_000
const { version: FIRST } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
const ABOUT = {
  proved: 'two commands put the store on a bare Debian with HTTPS, twice is once, and an update that fails goes back.',
  cannotProve: 'a public certificate, because it is Caddy’s own, and the memory of systemd’s units on their own.',
}

export const drill: Drill = async ({ say, directories }) => {
  const missing = whatIsMissing()
  if (missing !== undefined) return { passed: true, skipped: true, figures: [missing], ...ABOUT }
  if (!existsSync(path.join(BASE, 'usr/sbin/nginx'))) {
    say('debootstrap makes a base, once')
    run('debootstrap', '--variant=minbase', `--include=${INCLUDED}`, 'bookworm', BASE)
    run('systemctl', `--root=${BASE}`, 'disable', 'nginx', 'apache2')
  }
  const place = newDirectory(directories)
  const root = path.join(place, 'root')
  run('cp', '-a', BASE, root)
  say('packages are made: one, and newer ones with and without faults')
  furnish(root)
  const memory = openMemoryGroup()
  const cutOff: string[] = []
  for (const boot of ['first', 'second']) {
    say(`the ${boot} boot`)
    if (!startMachine(root, memory)) cutOff.push(`the ${boot} boot took over ${BOOT_MS_MAX / 60_000} minutes`)
  }
  const steps = readSteps(root)
  const used = memory?.close()
  const { faults, figures } = judge((name) => steps.get(name) ?? { code: -1, seconds: 0, said: 'was not done' })
  faults.unshift(...cutOff)
  if (used && used.killed > 0) faults.push(`the kernel ended ${used.killed} processes for want of memory`)
  return {
    passed: faults.length === 0,
    figures: [
      ...figures,
      used === undefined
        ? 'memory not measured'
        : `memory at most ${used.peakMb} MB of ${MEMORY_MB} MB with the kernel's files; ` +
          `processes ended for want of it: ${used.killed}`,
      ...faults.map((fault) => `FAULT ${fault}`),
    ],
    ...ABOUT,
  }
}

/** Boots the Debian with its own systemd, until it powers off. @returns false if it was ended before */
function startMachine(root: string, memory: MemoryGroup | undefined): boolean {
  const machine = ['systemd-nspawn', '--quiet', '--register=no', '--keep-unit', '--private-network', '--boot']
  const checkout = [`--bind-ro=${ROOT}:/checkout`, `--bind-ro=${process.execPath}:/usr/local/bin/node`]
  const boot = [...machine, ...checkout, `--directory=${root}`]
  const [program = '', ...args] =
    memory === undefined ? boot : ['sh', '-c', `echo $$ > ${memory.procs} && exec "$@"`, 'in', ...boot]
  return spawnSync(program, args, { stdio: 'ignore', timeout: BOOT_MS_MAX, killSignal: 'SIGTERM' }).error === undefined
}

function readSteps(root: string): Map<string, Step> {
  const out = path.join(root, 'out')
  const said = readFileSync(path.join(out, 'steps'), 'utf8')
  return new Map(
    [...said.matchAll(/^STEP (\S+) (\d+) (\S+)$/gm)].map(([, name = '', code, seconds]) => [
      name,
      { code: Number(code), seconds: Number(seconds), said: readFileSync(path.join(out, name), 'utf8').trim() },
    ]),
  )
}

interface Step {
  code: number
  seconds: number
  said: string
}

/** The faults that setup refuses in a line, before it changes anything. */
const REFUSALS: readonly (readonly [string, RegExp])[] = [
  ['no-name', /^Add the name of your store, like this: chaabi setup shop\.example$/],
  ['wrong-name', /^shop example; rm is not the name of a website\./],
  ['no-root', /^Setup needs root\. Run it with sudo\.$/],
  ['no-systemd', /^This machine does not run systemd\./],
  ['little-memory', /^This machine has 512 MB of memory\. The store needs 700 MB, or swap/],
  ['full-disk', /^Only 0\.1 GB are free in \/var\/lib\. The store needs 5 GB\.$/],
  ['port-taken', /^Another program uses port 80\./],
  ['store-port-taken', /^Another program uses port 4000\./],
]

const changesIn = (said: string): string[] => said.split('\n').filter((line) => /^(write|make|run|remove) /.test(line))

function judge(step: (name: string) => Step): { faults: string[]; figures: string[] } {
  const faults: string[] = []
  const expect = (name: string, code: number, said?: RegExp) => {
    const found = step(name)
    if (found.code !== code || (said && !said.test(found.said)))
      faults.push(`${name}: exit code ${found.code}: ${found.said.slice(-600)}`)
  }
  expect('install', 0, /chaabi setup shop\.example/)
  expect('no-store-yet', 1, /^There is no store in \/var\/lib\/chaabi yet\. Run: sudo chaabi setup shop\.example$/)
  for (const [name, words] of REFUSALS) expect(name, 1, words)
  expect('dry-run', 0)
  expect('changed-by-dry-run', 0, /^$/)
  expect('elsewhere', 0, /Warning: shop\.invalid doesn’t point to this machine/)
  expect('setup', 2, /Username: admin\nPassword: \S+ .*[^]*is not reachable yet/)
  expect('https', 0, /"status":"ok"/)
  expect('again', 0)
  expect('hosts', 0, /0\.0\.0\.0 runs[^]*:: runs[^]*10\.1\.2\.3 runs/)
  expect('own-address-update', 0, /Version \S+ runs\./)
  expect(
    'settings-of-all',
    0,
    /BROKEN Others who use .*Everybody on this machine can read[^]*run chmod 640[^]*^640 root chaabi$/m,
  )
  expect('password-in-log', 1, /^0$/)
  for (const server of ['nginx', 'apache2']) expect(server, 0, /Samples: [^]*"status":"ok"/)
  expect('firewall', 0, /Status: active[^]*443\/udp/)
  expect('other-name', 1, /^The store on this machine is https:\/\/shop\.localhost\. To rename it, /)
  expect('own-caddyfile', 0, /Caddyfile is yours and was not changed\./)
  expect('units', 0)
  expect('hint', 1, /Name the backup file: sudo chaabi restore FILE/)
  for (const name of ['backup-unit', 'backup', 'doctor', 'data-is-kept']) expect(name, 0)
  for (const name of ['roots-files', 'roots-files-at-the-end']) expect(name, 0, /^$/)
  for (const when of ['after-boot', 'after-update', 'after-bad-update', 'after-mended-update', 'from-checkout'])
    expect(`healthy-${when}`, 0)
  expect('update', 0, /Making a backup before the update[^]*Backup verified/)
  expect('version', 0, /\.1$/)
  expect('full-disk-update', 100, /The backup failed, so nothing was updated[^]*\.1$/)
  expect('bad-update', 100, /is not healthy after 60 s\. Going back[^]*The version before runs again/)
  expect('any-apt-after-bad-update', 0, /so the version before runs\. Install a newer one\./)
  expect('version-after-bad-update', 0, /^before$/)
  expect('mended-update', 0, /Backup verified/)
  expect('bad-migration', 100, /Going back[^]*Restore the backup that was just made/)
  expect('version-after-bad-migration', 0, /\.4$/)
  expect('back-with-the-backup', 0, /Restored in [^]*"status":"ok"/)
  expect('uninstall', 0)
  expect('caddy-goes-on', 0, /^active\n1$/)
  expect('killed-setups', 0, /Password[: ][^]*"status":"ok"[^]*Backup verified/)
  expect('checkout-no-name', 1, /is not the name of a website/)
  expect('checkout-changed-nothing', 1)
  expect('no-caddy', 1, /Caddy is not installed, and apt does not know it/)
  for (const name of ['', '-doctor', '-again', '-uninstall']) expect(`checkout${name}`, 0)
  const [dry, real, again] = ['dry-run', 'setup', 'again'].map((name) => changesIn(step(name).said)) as [
    string[],
    string[],
    string[],
  ]
  if (dry.join() !== real.join()) faults.push(`the dry run says ${dry.join(', ')}, done is ${real.join(', ')}`)
  const rewritten = again.filter((line) => !/^run (systemctl|caddy validate)/.test(line))
  if (rewritten.length > 0) faults.push(`the second setup did ${rewritten.join(', ')}`)
  const took = (name: string) => `${step(name).seconds} s`
  return {
    faults,
    figures: [
      `installed in ${took('install')}, https 200 ${took('https')} after a setup that took ${took('setup')} ` +
        '(60 s of them wait for a certificate that it trusts)',
      `dry run and setup name the same ${real.length} changes; ` +
        `the second setup wrote nothing and took ${took('again')}`,
      `healthy ${took('healthy-after-boot')} after the units of a boot began; files of root's in DATA_DIR: 0`,
      `update with a proved backup in ${took('update')}; ` +
        `one that does not start goes back in ${took('bad-update')}`,
      `${REFUSALS.length} wrong names and machines were each refused in a line`,
    ],
  }
}

/** Runs the steps at each boot. */
const UNIT = `[Unit]
After=basic.target
[Service]
ExecStart=/inside.sh
`

/** Puts the packages and the steps into the Debian. */
function furnish(root: string): void {
  const packages = path.join(root, 'packages')
  for (const each of [packages, path.join(root, 'out')]) mkdirSync(each, { recursive: true })
  run('node', 'scripts/release.mjs', '--quick', '--out', path.join(RELEASES, 'first'))
  cpSync(path.join(RELEASES, `first/chaabi_${FIRST}_amd64.deb`), path.join(packages, 'first.deb'))
  for (const [n, name] of ['second', 'broken', 'mended', 'migrated'].entries())
    repack(packages, name, `${FIRST}.${n + 1}`)
  cpSync(path.join(ROOT, 'drills/setup/inside.sh'), path.join(root, 'inside.sh'))
  run('chmod', '755', path.join(root, 'inside.sh'))
  const units = path.join(root, 'etc/systemd/system')
  writeFileSync(path.join(units, 'drill.service'), UNIT)
  mkdirSync(path.join(units, 'multi-user.target.wants'), { recursive: true })
  run('ln', '-sf', '../drill.service', path.join(units, 'multi-user.target.wants/drill.service'))
  writeFileSync(path.join(root, 'etc/hosts'), '127.0.0.1 localhost shop.localhost other.localhost\n')
}

/** Never becomes healthy where the store is looked for, after it changed the database. */
const MIGRATES = "process.env.PORT = '4999'\nawait import('./store.js')\n"

/** The first package as a newer version. The broken one ends as soon as it starts. */
function repack(packages: string, name: string, version: string): void {
  const tree = path.join(packages, name)
  run('dpkg-deb', '--raw-extract', path.join(packages, 'first.deb'), tree)
  run('mv', path.join(tree, 'opt/chaabi', FIRST), path.join(tree, 'opt/chaabi', version))
  for (const file of ['control', 'postinst']) {
    const at = path.join(tree, 'DEBIAN', file)
    writeFileSync(at, readFileSync(at, 'utf8').replaceAll(FIRST, version))
  }
  const server = path.join(tree, 'opt/chaabi', version, 'dist/server')
  if (name === 'broken') writeFileSync(path.join(server, 'main.js'), 'process.exit(1)\n')
  if (name === 'migrated') {
    cpSync(path.join(server, 'main.js'), path.join(server, 'store.js'))
    writeFileSync(path.join(server, 'main.js'), MIGRATES)
    writeFileSync(path.join(server, 'migrations/9999_drill.sql'), 'create table drill (id integer);\n')
  }
  run('dpkg-deb', '-Zgzip', '-z1', '--root-owner-group', '--build', tree, path.join(packages, `${name}.deb`))
  rmSync(tree, { recursive: true })
}

/** The files of a memory group: its limit, and the most that was used. */
const GROUPS = [
  { parent: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
  { parent: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' },
]

interface MemoryGroup {
  procs: string
  /** Ends the group. @returns the most memory that was used, and how many processes the kernel ended for want of it */
  close(): { peakMb: number; killed: number }
}

/** Counts for the whole computer, because a group's own count goes with its children. */
const countKilled = (): number => Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1])

/** @returns a group with so much memory; undefined where none can be made */
function openMemoryGroup(): MemoryGroup | undefined {
  const kind = GROUPS.find(({ parent }) => existsSync(parent))
  if (!kind) return undefined
  const group = path.join(kind.parent, `chaabi-drill-${process.pid}`)
  try {
    mkdirSync(group)
    writeFileSync(path.join(group, kind.limit), String(MEMORY_MB * 1024 * 1024))
  } catch {
    return undefined
  }
  const before = countKilled()
  return {
    procs: path.join(group, 'cgroup.procs'),
    close() {
      const bytes = Number(readFileSync(path.join(group, kind.peak), 'utf8'))
      spawnSync('rmdir', [group])
      return { peakMb: Math.round(bytes / 1024 / 1024), killed: countKilled() - before }
    },
  }
}
