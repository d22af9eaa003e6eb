/** Places for copies of backups on this machine: an ssh server, and one that rclone knows. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { freePort } from '../../scripts/store-process.ts'
import { untilOpen } from './rsync-server.ts'

export const hasSsh = existsSync('/usr/sbin/sshd') && existsSync('/usr/bin/rsync')
export const hasRclone = existsSync('/usr/bin/rclone')

export interface SshServer {
  address: string
  /** Makes the keys of the client unknown, and known again. */
  setKnown(isKnown: boolean): void
  stop(): void
}

/** Starts an ssh server with keys of its own. Until `stop`, `ssh` means a client that knows it. */
export async function startSshServer(directory: string): Promise<SshServer> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const at = (name: string) => path.join(directory, name)
  for (const name of ['host', 'client']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
  const port = await freePort()
  const account = userInfo().username
  const setKnown = (isKnown: boolean) => {
    if (isKnown) copyFileSync(at('client.pub'), at('authorized'))
    else writeFileSync(at('authorized'), '')
  }
  setKnown(true)
  const server = {
    ListenAddress: '127.0.0.1',
    Port: port,
    HostKey: at('host'),
    AuthorizedKeysFile: at('authorized'),
    PidFile: 'none',
    PasswordAuthentication: 'no',
    KbdInteractiveAuthentication: 'no',
    UsePAM: 'no',
    StrictModes: 'no',
    PermitRootLogin: 'prohibit-password',
  }
  const client = {
    Port: port,
    IdentityFile: at('client'),
    IdentitiesOnly: 'yes',
    UserKnownHostsFile: at('known'),
    StrictHostKeyChecking: 'accept-new',
  }
  const inLines = (settings: object) =>
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join('')
  writeFileSync(at('sshd_config'), inLines(server))
  writeFileSync(at('ssh_config'), inLines(client))
  const before = process.env.PATH
  mkdirSync(at('bin'))
  writeFileSync(at('bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${at('ssh_config')} "$@"\n`)
  chmodSync(at('bin/ssh'), 0o755)
  process.env.PATH = `${at('bin')}:${before}`
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const child = spawn('/usr/sbin/sshd', ['-D', '-f', at('sshd_config')], { stdio: 'ignore' })
  await untilOpen(port, 'sshd')
  return {
    address: `${account}@127.0.0.1:${at('there')}`,
    setKnown,
    stop() {
      child.kill()
      process.env.PATH = before
    },
  }
}

/** Lets rclone know a place of this machine. */
export function openRclonePlace(directory: string): string {
  process.env.RCLONE_CONFIG_CHAABI_TYPE = 'alias'
  process.env.RCLONE_CONFIG_CHAABI_REMOTE = directory
  return 'rclone:chaabi:shop/backups'
}
