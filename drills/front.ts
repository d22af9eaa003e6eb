/** The front before several nodes: haproxy where it is installed, as it would be run; else a small one of our own. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRoundRobin, type Front } from './round-robin.ts'
import { freePort } from '../scripts/store-process.ts'
import { endLater } from './store-process.ts'

const PROGRAMS = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy']
const READY_MS_MAX = 10_000

export async function openFront(ports: readonly number[], directories: string[]): Promise<Front> {
  const program = PROGRAMS.find((file) => existsSync(file))
  return program === undefined ? openRoundRobin(ports) : openHaproxy(program, ports, directories)
}

async function openHaproxy(program: string, ports: readonly number[], directories: string[]): Promise<Front> {
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-front-'))
  directories.push(directory)
  const port = await freePort()
  const socket = path.join(directory, 'stats')
  const file = path.join(directory, 'haproxy.cfg')
  writeFileSync(file, configuration(port, socket, ports))
  // -db: in the foreground, so that it ends with the drill
  const child = spawn(program, ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
  endLater(close)
  const isHealthy = async (node: number) =>
    (await ask(socket, 'show stat'))
      .split('\n')
      .some((line) => line.startsWith(`nodes,n${node},`) && line.includes(',UP,'))
  const began = performance.now()
  while (!(await Promise.all(ports.map(isHealthy))).every(Boolean)) {
    if (child.exitCode !== null || performance.now() - began > READY_MS_MAX) throw new Error('haproxy does not start')
    await sleep(50)
  }
  return { name: 'haproxy', port, isHealthy, close }
}

const FILE = path.resolve(import.meta.dirname, '../deploy/haproxy.cfg')

/** The file of deploy/ with the addresses of this drill. */
function configuration(port: number, socket: string, nodes: readonly number[]): string {
  const servers = nodes.map((node) => `  server n${node} 127.0.0.1:${node}`).join('\n')
  const file = readFileSync(FILE, 'utf8').replace(/bind \S+/, `bind 127.0.0.1:${port}`)
  return `global\n  stats socket ${socket} mode 600\n${file.replace(/( {2}server .*\n)+/, `${servers}\n`)}`
}

/** One command over haproxy's own socket. @returns what it says; nothing while it is not there */
function ask(socket: string, command: string): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    const stream = connect({ path: socket })
    stream.setEncoding('utf8')
    stream.on('data', (part: string) => (said += part))
    stream.on('error', () => resolve(''))
    stream.on('close', () => resolve(said))
    stream.write(`${command}\n`)
  })
}
