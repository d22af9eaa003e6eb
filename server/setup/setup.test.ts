import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openMachine } from './machine.ts'
import { readSetting, storeUrl } from './settings-file.ts'
import { makeAccount, setUp } from './setup.ts'

const isRoot = process.getuid?.() === 0

async function said(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  return { code: await setUp(args, 'deploy', (line) => lines.push(line)), lines }
}

test.runIf(isRoot)('a name that is none, and a machine without systemd, are refused in one line', async () => {
  expect(await said()).toEqual({ code: 1, lines: ['Add the name of your store, like this: chaabi setup shop.example'] })
  for (const name of ['shop', 'shop example', 'https://shop.example', '-x.example', 'shop.example;reboot'])
    expect(await said('--', name), name).toEqual({
      code: 1,
      lines: [expect.stringContaining('is not the name of a website')],
    })
  if (!existsSync('/run/systemd/system'))
    expect(await said('shop.example')).toEqual({
      code: 1,
      lines: [expect.stringContaining('does not run systemd')],
    })
})

test.runIf(!isRoot)('who is not root is refused', async () => {
  expect(await said('shop.example')).toEqual({ code: 1, lines: ['Setup needs root. Run it with sudo.'] })
})

test('a setup that was killed while it made the account is finished by the next one', () => {
  const ranWith = (...there: string[]) => {
    const ran: string[] = []
    makeAccount({
      ask: (_, kind = '') => (there.includes(kind) ? 'chaabi:x:996:' : undefined),
      run: (program, ...args) => void ran.push([program, ...args.slice(0, 2)].join(' ')),
      directory: () => {},
    })
    return ran
  }

  expect(ranWith()).toEqual(['useradd --system --user-group'])
  expect(ranWith('group')).toEqual(['useradd --system --gid'])
  expect(ranWith('passwd')).toEqual(['groupadd --system chaabi', 'usermod --gid chaabi'])
  expect(ranWith('passwd', 'group')).toEqual([])
})

test('a dry run only says what it would do, and what is there is left alone', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-setup-'))
  const file = path.join(directory, 'settings')
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  try {
    const dry = openMachine(true, say)
    dry.write(file, 'A=1\n', 0o640)
    dry.directory(path.join(directory, 'data'), 0o700)
    dry.run('touch', path.join(directory, 'touched'))
    expect(existsSync(file) || existsSync(path.join(directory, 'data'))).toBe(false)
    const wouldDo = lines.splice(0)

    const machine = openMachine(false, say)
    machine.write(file, 'A=1\n', 0o640)
    machine.directory(path.join(directory, 'data'), 0o700)
    machine.run('touch', path.join(directory, 'touched'))
    expect(lines.splice(0)).toEqual(wouldDo)
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['A=1\n', 0o640])

    machine.write(file, 'A=1\n', 0o640)
    machine.directory(path.join(directory, 'data'), 0o700)
    expect(lines).toEqual([])
    expect(() => machine.run('ls', path.join(directory, 'absent'))).toThrow(/^ls .*absent failed: ls: .*No such file/)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('the unit lets the store list its network cards, which it does to listen on all addresses', () => {
  expect(readFileSync('deploy/chaabi.service', 'utf8')).toMatch(/^RestrictAddressFamilies=.* AF_NETLINK$/m)
})

// systemd and Node read quotes, # and backslashes in a settings file differently. A passphrase was then two
test('the service and its backups read the settings as the commands do', () => {
  for (const unit of ['chaabi.service', 'chaabi-backup.service']) {
    const text = readFileSync(path.join('deploy', unit), 'utf8')
    expect(text, unit).toMatch(/^ExecStart=\/opt\/chaabi\/current\/bin\/chaabi (start|backup)$/m)
    expect(text, unit).not.toMatch(/^Environment/m)
  }
})

test('setup reads a setting as the store does', () => {
  for (const line of [
    "HOST='10.1.2.3' # of the shop",
    'HOST=10.1.2.3 # of the shop',
    'export HOST="10.1.2.3"',
    'HOST = 10.1.2.3',
    'HOST=10.9.9.9\nHOST=10.1.2.3',
  ])
    expect(storeUrl(`${line}\n`), line).toBe('http://10.1.2.3:4000')
  for (const line of ['HOST=', "HOST=''", 'HOST="" # none', '# HOST=10.1.2.3'])
    expect(readSetting('HOST', `${line}\n`), line).toBeUndefined()
})
