/** What the package does at an update: its own scripts, and the program's own command, in a folder in place of `/`. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'

const [OLD, NEW] = ['0.1.0', '0.2.0']
const UNITS = readdirSync('deploy').filter((file) => /^chaabi.*\.(service|timer)$/.test(file) && !/base/.test(file))
/** Makes a backup where there is room, and then copies it, which fails. With the exit codes of the real one. */
const PROGRAM = `
  const { existsSync } = require('node:fs')
  if (existsSync('full')) { console.error('The disk is full'); process.exit(1) }
  console.log(process.argv.slice(2).join(' '), process.env.DATA_DIR)
  if (process.env.BACKUP_COPY_TO) { console.log('The backup is good, but nas does not answer'); process.exit(2) }`

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

/** An installed store, and a newer version that the package has put beside it. */
function givenMachine(settings: string) {
  const root = mkdtempSync(path.join(tmpdir(), 'chaabi-package-'))
  roots.push(root)
  const at = (...parts: string[]) => path.join(root, ...parts)
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(at(file)), { recursive: true })
    writeFileSync(at(file), text, { mode: 0o755 })
  }
  const inRoot = (file: string) =>
    readFileSync(path.join('deploy', file), 'utf8')
      .replaceAll(/(?<![\w}])\/(opt|etc|run|var\/lib)\//g, `${root}/$1/`)
      .replaceAll('@VERSION@', NEW)
      .replaceAll('healthy 60', 'healthy 1')
  for (const version of [OLD, NEW]) {
    const program = `opt/chaabi/${version}`
    write(`${program}/bin/chaabi`, inRoot('chaabi.sh'))
    write(`${program}/dist/server/main.js`, PROGRAM)
    mkdirSync(at(program, 'node/bin'), { recursive: true })
    symlinkSync(process.execPath, at(program, 'node/bin/node'))
    for (const unit of UNITS) write(`${program}/deploy/${unit}`, `${unit} of ${version}\n`)
  }
  symlinkSync(OLD, at('opt/chaabi/current'))
  for (const place of ['var/lib/chaabi/postgres', 'run/systemd/system']) mkdirSync(at(place), { recursive: true })
  write('etc/chaabi/chaabi.env', settings)
  cpSync(at('opt/chaabi', OLD, 'deploy'), at('etc/systemd/system'), { recursive: true })
  write('bin/systemctl', `#!/bin/sh\necho "$*" >> ${at('systemctl.log')}\n`)
  return {
    at,
    write,
    run(script: 'preinst' | 'postinst' | 'chaabi.sh', ...args: string[]) {
      write(script, inRoot(script === 'chaabi.sh' ? script : `debian/${script}`))
      const file = script === 'chaabi.sh' ? at('opt/chaabi/current/bin/chaabi') : at(script)
      const env = { PATH: `${at('bin')}:${process.env.PATH}` }
      const { status, stdout, stderr } = spawnSync('sh', [file, ...args], { cwd: root, env, encoding: 'utf8' })
      return { status, said: stdout.trim().split('\n'), warned: stderr.trim().split('\n') }
    },
    current: () => readlinkSync(at('opt/chaabi/current')),
    units: () => UNITS.map((unit) => readFileSync(at('etc/systemd/system', unit), 'utf8')),
  }
}

const unitsOf = (version: string) => UNITS.map((unit) => `${unit} of ${version}\n`)

test('an update goes on when only the copy elsewhere fails, and says so in one sentence', () => {
  const { run, current, at } = givenMachine("BACKUP_COPY_TO='nas:/backups'\n")
  const { status, said, warned } = run('preinst', 'upgrade', OLD)
  expect([status, said.map((line) => line.replace(at(), ''))]).toEqual([
    0,
    ['Making a backup before the update.', 'backup /var/lib/chaabi', 'The backup is good, but nas does not answer'],
  ])
  expect(warned).toEqual(['The update goes on.'])
  expect(current()).toBe('before')
})

test.each(['', 'BACKUP_COPY_TO=\n', "BACKUP_COPY_TO=''\n", 'BACKUP_COPY_TO="" # none\n'])(
  'an update with no place elsewhere says nothing of a copy: %j',
  (settings) => {
    const { run, current, at } = givenMachine(settings)
    expect(run('preinst', 'upgrade', OLD)).toEqual({
      status: 0,
      said: ['Making a backup before the update.', `backup ${at('var/lib/chaabi')}`],
      warned: [''],
    })
    expect(current()).toBe('before')
  },
)

const SERVER = 'postgres://shop@db/chaabi'
test.each([
  ['no', "DATABASE_URL=''\n"],
  ['no', 'DATABASE_URL=\n'],
  ['a', `DATABASE_URL='${SERVER}'\n`],
  ['a', `export DATABASE_URL="${SERVER}"\n`],
  ['a', `DATABASE_URL = ${SERVER}\n`],
])('an update without a database of its own makes %s backup where the settings say %j', (which, settings) => {
  const { run, at } = givenMachine(settings)
  rmSync(at('var/lib/chaabi/postgres'), { recursive: true })
  const { status, said } = run('preinst', 'upgrade', OLD)
  expect([status, said.length]).toEqual([0, which === 'a' ? 2 : 1])
})

test('an update stops before anything is changed when the backup fails', () => {
  const { run, current, write, at } = givenMachine("BACKUP_COPY_TO='nas:/backups'\n")
  write('full', '')
  const { status, warned } = run('preinst', 'upgrade', OLD)
  expect([status, warned.at(-1)]).toEqual([1, 'The backup failed, so nothing was updated. See why: chaabi doctor'])
  expect([current(), existsSync(at('opt/chaabi/before'))]).toEqual([OLD, false])
})

const HEALTHY = '#!/bin/sh\nexit 0\n'

test('an update renews the units before it starts the new version', () => {
  const { run, units, write, at } = givenMachine('')
  run('preinst', 'upgrade', OLD)
  rmSync(at('opt/chaabi', NEW, 'node/bin/node'))
  write(`opt/chaabi/${NEW}/node/bin/node`, HEALTHY)
  expect(run('postinst', 'configure')).toMatchObject({ status: 0, said: [`Version ${NEW} runs.`] })
  expect(units()).toEqual(unitsOf(NEW))
  expect(readFileSync(at('systemctl.log'), 'utf8').trim().split('\n')).toEqual([
    'is-active --quiet chaabi.service',
    'daemon-reload',
    'restart chaabi.service',
  ])
})

test('a unit that was changed by hand stays, and is named', () => {
  const { run, write, at } = givenMachine('')
  run('preinst', 'upgrade', OLD)
  rmSync(at('opt/chaabi', NEW, 'node/bin/node'))
  write(`opt/chaabi/${NEW}/node/bin/node`, HEALTHY)
  write('etc/systemd/system/chaabi.service', 'Environment=DATA_DIR=/mnt/disk\n')
  const { said } = run('postinst', 'configure')
  expect(said[0]).toMatch(/chaabi\.service is yours and was not changed\. To renew it, run chaabi setup/)
  expect(readFileSync(at('etc/systemd/system/chaabi.service'), 'utf8')).toContain('/mnt/disk')
  expect(readFileSync(at('etc/systemd/system/chaabi-backup.timer'), 'utf8')).toContain(NEW)
})

test('an update of a store that is stopped renews the units, too, and does not start it', () => {
  const { run, units, write, at, current } = givenMachine('')
  run('preinst', 'upgrade', OLD)
  write('bin/systemctl', `#!/bin/sh\necho "$1" >> ${at('systemctl.log')}\n[ "$1" != is-active ]\n`)
  expect(run('postinst', 'configure').status).toBe(0)
  expect([units(), current()]).toEqual([unitsOf(NEW), NEW])
  expect(readFileSync(at('systemctl.log'), 'utf8')).toBe('is-active\ndaemon-reload\n')
})

test('an update that goes back brings the units of before, also where the new version could not be started', () => {
  const { run, units, write, at, current } = givenMachine('')
  run('preinst', 'upgrade', OLD)
  rmSync(at('opt/chaabi', NEW, 'node/bin/node'))
  write(`opt/chaabi/${NEW}/node/bin/node`, `#!/bin/sh\n[ "$(readlink ${at('opt/chaabi/current')})" = before ]\n`)
  const fails = `[ "$1" = restart ] && [ "$(readlink ${at('opt/chaabi/current')})" = ${NEW} ] && exit 1`
  write('bin/systemctl', `#!/bin/sh\n[ "$1" = daemon-reload ] && exit 1\n${fails}\nexit 0\n`)
  const { status, warned } = run('postinst', 'configure')
  expect([status, warned.at(-1)]).toEqual([1, expect.stringMatching(/^The version before runs again\./)])
  expect([units(), current()]).toEqual([unitsOf(OLD), 'before'])
})

test('a new version whose database was ready only after the way back runs, and nobody is told to restore', () => {
  const { run, write, at, current } = givenMachine('')
  run('preinst', 'upgrade', OLD)
  rmSync(at('opt/chaabi', NEW, 'node/bin/node'))
  write(`opt/chaabi/${NEW}/node/bin/node`, `#!/bin/sh\n[ "$(grep -c restart ${at('systemctl.log')})" = 3 ]\n`)
  expect(run('postinst', 'configure')).toMatchObject({ status: 0, said: [`Version ${NEW} runs.`] })
  expect(current()).toBe(NEW)
})

test('DATA_DIR in the settings has no effect, and each command says so', () => {
  const { run, at } = givenMachine('DATA_DIR=/mnt/disk\n')
  const { said, warned } = run('chaabi.sh', 'doctor')
  expect(said).toEqual([`doctor ${at('var/lib/chaabi')}`])
  expect(warned).toEqual([
    `DATA_DIR in ${at('etc/chaabi/chaabi.env')} has no effect. The data is in ${at('var/lib/chaabi')}. ` +
      'To use another disk, mount it there.',
  ])
  expect(givenMachine('').run('chaabi.sh', 'doctor').warned).toEqual([''])
})

// A shop's own bucket has a certificate of its own. Seen to be ignored by Node in its --env-file
test.runIf(process.platform === 'linux').each(["'/etc/own ca.pem'", '/etc/own.pem'])(
  'an authority of the settings is there before Node starts: %s',
  (value) => {
    const { run, write } = givenMachine(`NODE_EXTRA_CA_CERTS=${value}\nPORT=4000\n`)
    write(
      `opt/chaabi/${OLD}/dist/server/main.js`,
      "console.log(require('node:fs').readFileSync('/proc/self/environ', 'utf8').split('\\0').join('\\n'))",
    )
    expect(run('chaabi.sh', 'doctor').said).toContain(`NODE_EXTRA_CA_CERTS=${value.replaceAll("'", '')}`)
  },
)

test('each command that starts no store says what was asked for, and one that is mistyped says so', () => {
  const { run, at, write } = givenMachine('')
  write(`opt/chaabi/${OLD}/package.json`, `{\n  "version": "${OLD}"\n}\n`)
  for (const name of ['', 'help', '--help', '-h']) {
    const { status, said } = run('chaabi.sh', ...(name ? [name] : []))
    expect([status, said[0]], name).toEqual([0, 'Usage: chaabi COMMAND'])
    expect(said.join('\n'), name).toMatch(/ {2}recover-admin NAME {2}/)
  }
  for (const name of ['version', '--version', '-v'])
    expect(run('chaabi.sh', name), name).toMatchObject({ status: 0, said: [`chaabi ${OLD}`] })
  expect(run('chaabi.sh', 'helo')).toEqual({
    status: 1,
    said: [''],
    warned: ['There is no command helo. All commands: chaabi help'],
  })
  write('bin/dpkg', '#!/bin/sh\necho arm64\n')
  expect(run('chaabi.sh', 'update')).toMatchObject({
    status: 0,
    said: ['Download the new package and run: sudo apt install ./chaabi_NEW_arm64.deb'],
  })
  write('bin/journalctl', `#!/bin/sh\necho "$*"\n`)
  expect(run('chaabi.sh', 'logs').said).toEqual(['--unit chaabi --lines 100 --follow'])
  expect(run('chaabi.sh', 'status').said).toEqual([
    `chaabi ${OLD}`,
    'The store runs since .',
    `doctor ${at('var/lib/chaabi')}`,
  ])
  write('bin/systemctl', '#!/bin/sh\nexit 3\n')
  expect(run('chaabi.sh', 'status')).toMatchObject({
    status: 1,
    said: [`chaabi ${OLD}`, 'The store is stopped. Start it: sudo systemctl start chaabi'],
  })
})

test('in a container the store is what runs, and its log is outside', () => {
  const { run, at, write } = givenMachine('')
  write(`opt/chaabi/${OLD}/package.json`, `{ "version": "${OLD}" }\n`)
  rmSync(at('run'), { recursive: true })
  expect(run('chaabi.sh', 'status')).toMatchObject({ status: 0, warned: [''] })
  expect(run('chaabi.sh', 'status').said.at(-1)).toBe(`doctor ${at('var/lib/chaabi')}`)
  expect(run('chaabi.sh', 'logs')).toEqual({
    status: 1,
    said: [''],
    warned: ['The log of a container is outside of it: docker compose logs store'],
  })
  expect(run('chaabi.sh', 'update')).toEqual({
    status: 1,
    said: [''],
    warned: ['A container is updated from outside: docker compose pull, then docker compose up --detach'],
  })
})
