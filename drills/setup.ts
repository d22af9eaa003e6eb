/**
 * A bare Debian is set up from the package: dry run, setup, the same again, a backup, an update, and an update that
 * does not work. In a chroot with a network of its own. systemctl is a stand-in there, because PID 1 is no systemd.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Drill } from './drill.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const BASE = path.join(ROOT, '.cache/debian-base')
const RELEASES = path.join(ROOT, '.cache/releases')
const INCLUDED = 'caddy,ca-certificates,procps,iproute2'
const MEMORY_MB = 700
const { version: FIRST } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
const ABOUT = {
  proved: 'two commands put the store on a bare Debian with HTTPS, twice is once, and an update that fails goes back.',
  cannotProve: 'systemd, ufw and a public certificate: systemctl is a stand-in, and the certificate is Caddy’s own.',
}

export const drill: Drill = async ({ say, directories }) => {
  const missing = whatIsMissing()
  if (missing !== undefined) return { passed: true, skipped: true, figures: [missing], ...ABOUT }
  if (!existsSync(path.join(BASE, 'usr/bin/caddy'))) {
    say('debootstrap makes a base, once')
    run('debootstrap', '--variant=minbase', `--include=${INCLUDED}`, 'bookworm', BASE)
  }
  const place = mkdtempSync(path.join(tmpdir(), 'chaabi-drill-'))
  directories.push(place)
  const root = path.join(place, 'root')
  run('cp', '-a', BASE, root)
  say('three packages are made: one, a newer one, and a newer one that does not start')
  furnish(root)
  const memory = openMemoryGroup()
  const inside = ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', 'chroot', root, '/inside.sh']
  const enter = memory === undefined ? inside : ['sh', '-c', `echo $$ > ${memory.procs} && exec "$@"`, 'in', ...inside]
  const [program = '', ...args] = enter
  const { stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: 15 * 60_000 })
  const steps = new Map(
    [...stdout.matchAll(/^STEP (\S+) (\d+) (\S+)$/gm)].map(([, name = '', code, seconds]) => [
      name,
      { code: Number(code), seconds: Number(seconds), said: readFileSync(path.join(root, 'out', name), 'utf8').trim() },
    ]),
  )
  const peakMb = memory?.close()
  const { faults, figures } = judge((name) => steps.get(name) ?? { code: -1, seconds: 0, said: 'was not done' })
  return {
    passed: faults.length === 0,
    figures: [
      ...figures,
      `memory at most ${peakMb === undefined ? 'not measured' : `${peakMb} MB of ${MEMORY_MB} MB`}`,
      ...faults.map((fault) => `FAULT ${fault}`),
    ],
    ...ABOUT,
  }
}

interface Step {
  code: number
  seconds: number
  said: string
}

const changesIn = (said: string): string[] => said.split('\n').filter((line) => /^(write|make|run|remove) /.test(line))

function judge(step: (name: string) => Step): { faults: string[]; figures: string[] } {
  const faults: string[] = []
  const expect = (name: string, code: number, said?: RegExp) => {
    const found = step(name)
    if (found.code !== code || (said && !said.test(found.said)))
      faults.push(`${name}: exit code ${found.code}: ${found.said.slice(-600)}`)
  }
  expect('install', 0, /chaabi setup shop\.example/)
  expect('no-name', 1, /is no name of a website/)
  expect('wrong-name', 1, /is no name of a website/)
  expect('port-taken', 1, /Another program uses port 80/)
  expect('dry-run', 0)
  expect('changed-by-dry-run', 0, /^$/)
  expect('elsewhere', 0, /Warning: shop\.invalid leads nowhere/)
  expect('setup', 2, /Username: admin\nPassword: \S+ .*[^]*is not reachable yet/)
  expect('https', 0, /"status":"ok"/)
  expect('again', 0)
  expect('other-name', 0, /Kept: PUBLIC_URL=https:\/\/shop\.localhost/)
  expect('backup', 0)
  expect('doctor', 0)
  for (const name of ['roots-files', 'roots-files-at-the-end']) expect(name, 0, /^$/)
  expect('healthy-after-boot', 0)
  expect('update', 0, /Making a backup before the update[^]*Backup verified/)
  expect('healthy-after-update', 0)
  expect('version', 0, /\.1$/)
  expect('bad-update', 1, /is not healthy after 60 s\. Going back[^]*The version before runs again/)
  expect('healthy-after-bad-update', 0)
  expect('version-after-bad-update', 0, /^before$/)
  expect('uninstall', 0)
  expect('data-is-kept', 0)
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
      `healthy ${took('healthy-after-boot')} after a start; files of root's in DATA_DIR: 0`,
      `update with a proved backup in ${took('update')}; ` +
        `one that does not start goes back in ${took('bad-update')}`,
    ],
  }
}

function whatIsMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'Only root can make a chroot'
  for (const program of ['debootstrap', 'dpkg-deb', 'unshare', 'ip'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is not installed`
  return undefined
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr.slice(-1_000)}`)
}

/** Puts the packages, the stand-in for systemctl and the steps into the chroot. */
function furnish(root: string): void {
  const packages = path.join(root, 'packages')
  for (const each of [packages, path.join(root, 'out'), path.join(root, 'run/systemd/system')])
    mkdirSync(each, { recursive: true })
  run('node', 'scripts/release.mjs', '--quick', '--out', path.join(RELEASES, 'first'))
  cpSync(path.join(RELEASES, `first/chaabi_${FIRST}_amd64.deb`), path.join(packages, 'first.deb'))
  for (const [name, version] of [
    ['second', `${FIRST}.1`],
    ['broken', `${FIRST}.2`],
  ] as const)
    repack(packages, name, version)
  const setup = path.join(ROOT, 'drills/setup')
  cpSync(path.join(setup, 'inside.sh'), path.join(root, 'inside.sh'))
  cpSync(path.join(setup, 'systemctl.sh'), path.join(root, 'usr/bin/systemctl'))
  writeFileSync(path.join(root, 'usr/bin/journalctl'), '#!/bin/sh\ncat /var/log/chaabi.log\n')
  for (const file of ['inside.sh', 'usr/bin/systemctl', 'usr/bin/journalctl'])
    run('chmod', '755', path.join(root, file))
  writeFileSync(path.join(root, 'etc/hosts'), '127.0.0.1 localhost shop.localhost other.localhost\n')
}

/** The first package as a newer version. The broken one ends as soon as it starts. */
function repack(packages: string, name: 'second' | 'broken', version: string): void {
  const tree = path.join(packages, name)
  run('dpkg-deb', '--raw-extract', path.join(packages, 'first.deb'), tree)
  run('mv', path.join(tree, 'opt/chaabi', FIRST), path.join(tree, 'opt/chaabi', version))
  for (const file of ['control', 'postinst']) {
    const at = path.join(tree, 'DEBIAN', file)
    writeFileSync(at, readFileSync(at, 'utf8').replaceAll(FIRST, version))
  }
  if (name === 'broken')
    writeFileSync(path.join(tree, 'opt/chaabi', version, 'dist/server/main.js'), 'process.exit(1)\n')
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
  /** Ends the group. @returns the most memory that was used, in MB */
  close(): number
}

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
  return {
    procs: path.join(group, 'cgroup.procs'),
    close() {
      const bytes = Number(readFileSync(path.join(group, kind.peak), 'utf8'))
      spawnSync('rmdir', [group])
      return Math.round(bytes / 1024 / 1024)
    },
  }
}
