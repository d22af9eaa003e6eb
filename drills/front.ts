/** The front of several machines, started with the files of deploy/ and the addresses of a drill. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDirectory } from './drill.ts'
import { freePort } from '../scripts/store-process.ts'
import { send } from './send.ts'
import { endLater } from './store-process.ts'

const DEPLOY = path.resolve(import.meta.dirname, '../deploy')
const READY_MS_MAX = 10_000
/** In a node's figures, once it sold something since its start. */
const HAS_SOLD = 'route="/api/keys/buy",status="200"'

/** @returns the program's file; undefined where it is not installed */
export const findProgram = (name: string): string | undefined =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']
    .map((place) => path.join(place, name))
    .find((file) => existsSync(file))

/** The front of several nodes: haproxy or Caddy. */
interface Front {
  /** Which one it is, for the report. */
  name: string
  port: number
  isHealthy(port: number): Promise<boolean>
  close(): Promise<void>
}

export const NO_FRONT = 'Neither haproxy nor Caddy is installed'

/** What opens each front that is installed. */
export const fronts = (): ((ports: readonly number[], directories: string[]) => Promise<Front>)[] => [
  ...(findProgram('haproxy') ? [nodesBehindHaproxy] : []),
  ...(findProgram('caddy') ? [nodesBehindCaddy] : []),
]

/** The text of a file of deploy/ with other values. @throws Error if the file does not have one of them */
export function configured(name: string, values: readonly (readonly [RegExp | string, string])[]): string {
  return values.reduce(
    (text, [from, to]) => {
      const isThere = typeof from === 'string' ? text.includes(from) : text.search(from) >= 0
      if (!isThere) throw new Error(`deploy/${name} has no ${String(from)}`)
      return text.replace(from, () => to)
    },
    readFileSync(path.join(DEPLOY, name), 'utf8'),
  )
}

async function nodesBehindHaproxy(nodes: readonly number[], directories: string[]): Promise<Front> {
  const servers = nodes.map((node) => ({ name: `n${node}`, address: `127.0.0.1:${node}` }))
  const last = servers.map(({ name, address }) => ({ name: `${name}-last`, address: `${address} no-check backup` }))
  const front = await openHaproxy('haproxy.cfg', [...servers, ...last], directories)
  await untilReady('haproxy', async () =>
    (await Promise.all(nodes.map((node) => front.isUp(`n${node}`)))).every(Boolean),
  )
  return { name: 'haproxy', port: front.port, isHealthy: (node) => front.isUp(`n${node}`), close: front.close }
}

/** Starts haproxy with a file of deploy/ whose last servers are these. */
export async function openHaproxy(
  name: string,
  servers: readonly { name: string; address: string }[],
  directories: string[],
  more: readonly (readonly [RegExp | string, string])[] = [],
): Promise<{ port: number; isUp(server: string): Promise<boolean>; close(): Promise<void> }> {
  const [directory, port] = [newDirectory(directories), await freePort()]
  const socket = path.join(directory, 'stats')
  const lines = servers.map((server) => `  server ${server.name} ${server.address}\n`).join('')
  const text = configured(name, [[/bind \S+/, `bind 127.0.0.1:${port}`], [/( {2}server .*\n)+/, lines], ...more])
  const file = path.join(directory, name)
  writeFileSync(file, `global\n  stats socket ${socket} mode 600\n${text}`)
  // -db: in the foreground, so that it ends with the drill
  const close = runUntilClosed('haproxy', ['-db', '-q', '-f', file], directory)
  const isUp = async (server: string) =>
    (await ask(socket, 'show stat')).split('\n').some((line) => line.includes(`,${server},`) && line.includes(',UP,'))
  return { port, isUp, close }
}

async function nodesBehindCaddy(nodes: readonly number[], directories: string[]): Promise<Front> {
  const [directory, port] = [newDirectory(directories), await freePort()]
  const file = path.join(directory, 'Caddyfile')
  const text = configured('Caddyfile.nodes', [
    ['shop.example {', `http://127.0.0.1:${port} {`],
    [/10\.0\.0\.11:4000 10\.0\.0\.12:4000/g, nodes.map((node) => `127.0.0.1:${node}`).join(' ')],
  ])
  writeFileSync(file, `{\n\tadmin off\n}\n${text}`)
  const close = runUntilClosed('caddy', ['run', '--adapter', 'caddyfile', '--config', file], directory)
  const says = (at: number, about: string, words: string) =>
    send({ port: at, method: 'GET', path: about }).then(
      ({ status, text }) => status === 200 && text.includes(words),
      () => false,
    )
  await untilReady('Caddy', () => says(port, '/api/health', ''))
  // Caddy does not say whom it asks, but a node that it asks sells
  const isHealthy = (node: number) => says(node, '/api/metrics', HAS_SOLD)
  return { name: 'Caddy', port, isHealthy, close }
}

/** @returns a function that ends the program and waits until it is gone */
function runUntilClosed(name: string, args: readonly string[], home: string): () => Promise<void> {
  const child = spawn(findProgram(name) ?? name, args, {
    stdio: ['ignore', 'ignore', name === 'caddy' ? 'ignore' : 'inherit'],
    env: { PATH: process.env.PATH, HOME: home },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
  endLater(close)
  return close
}

async function untilReady(name: string, isReady: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await isReady()); await sleep(50))
    if (performance.now() - began > READY_MS_MAX) throw new Error(`${name} does not start`)
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
