/** The image is built from a clean checkout alone, and runs. Skipped where buildah or debootstrap's base is missing. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchParts } from '../scripts/fetch-parts.mjs'
import { freePort } from '../scripts/store-process.ts'
import { newDirectory, type Drill } from './drill.ts'
import { send } from './send.ts'
import { endLater } from './store-process.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const BASE = path.join(ROOT, '.cache/debian-systemd')
const HEALTHY_MS_MAX = 60_000
const STOPPED_MS = 5_000
/** As in .ci/image. */
const MB_MAX = 220
const ABOUT = {
  proved: 'a clean checkout becomes an image without anything else, and it runs as an account that is not root.',
  cannotProve: 'Docker and compose, which are not here: buildah builds the Containerfile on Debian 12, and runs it.',
}

export const drill: Drill = async ({ directories, say }) => {
  for (const [file, words] of [
    ['/usr/bin/buildah', 'buildah is not installed'],
    [BASE, 'There is no base. Make it: npm run drill -- setup'],
  ] as const)
    if (!existsSync(file)) return { passed: true, skipped: true, figures: [words], ...ABOUT }
  const place = newDirectory(directories)
  const storage = ['--root', `${place}/store`, '--runroot', `${place}/run`, '--storage-driver', 'vfs']
  const build = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('buildah', [...storage, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`buildah ${args[0]} failed: ${stderr}`)
    return stdout.trim()
  }
  say('what the Containerfile begins with')
  const debian = build('from', 'scratch')
  build('copy', '--quiet', debian, BASE, '/')
  build('commit', '--quiet', '--rm', debian, 'docker.io/library/debian:13-slim')
  build('commit', '--quiet', '--rm', withNode(build, place), 'docker.io/library/node:24-trixie-slim')

  say('the image, from the checkout of the last commit')
  const context = path.join(place, 'context')
  mkdirSync(context)
  run('sh', '-c', `git archive HEAD | tar -x -C '${context}'`)
  const began = performance.now()
  const file = ['--file', path.join(context, 'Containerfile'), '--pull-never', '--format', 'docker']
  build('build', '--quiet', '--isolation', 'chroot', '--network', 'host', ...file, '--tag', 'localhost/chaabi', context)
  const builtMs = performance.now() - began
  const container = build('from', 'localhost/chaabi')
  const { mb, user } = look(build, container)

  const port = await freePort()
  const environment = ['HOST=127.0.0.1', `PORT=${port}`].flatMap((each) => ['--env', each])
  const command = ['/opt/chaabi/current/bin/chaabi', 'start']
  const start = [...storage, 'run', '--isolation', 'chroot', ...environment, container, '--', ...command]
  const child = spawn('buildah', start, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  endLater(async () => {
    child.kill()
    await ended
    // The store in it ends after its database
    await sleep(STOPPED_MS)
  })
  const since = performance.now()
  let healthy = false
  while (!healthy && performance.now() - since < HEALTHY_MS_MAX) {
    await sleep(200)
    healthy = await send({ port, method: 'GET', path: '/api/health' }).then(
      ({ status }) => status === 200,
      () => false,
    )
  }
  const tookMs = performance.now() - since
  const inS = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  return {
    passed: healthy && user === '1000' && mb <= MB_MAX,
    figures: [
      `built in ${inS(builtMs)}, healthy ${inS(tookMs)} after its start as account ${user}`,
      `the image has ${mb} MB, of ${MB_MAX}`,
    ],
    ...ABOUT,
  }
}

type Build = (...args: string[]) => string

/** Debian with Node 24, and with this machine's npm and its settings. */
function withNode(build: Build, place: string): string {
  const node = build('from', '--pull-never', 'docker.io/library/debian:13-slim')
  const npm = path.resolve(realpathSync(run('which', 'npm').trim()), '../..')
  const tree = path.join(place, 'node')
  cpSync(npm, path.join(tree, 'lib/node_modules/npm'), { recursive: true })
  mkdirSync(path.join(tree, 'bin'))
  cpSync(fetchParts(process.arch === 'arm64' ? 'arm64' : 'x64').node, path.join(tree, 'bin/node'))
  for (const name of ['npm', 'npx'])
    writeFileSync(
      path.join(tree, `bin/${name}`),
      `#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/${name}-cli.js "$@"\n`,
      { mode: 0o755 },
    )
  build('copy', '--quiet', node, tree, '/usr/local')
  const settings = path.join(process.env.HOME ?? '/root', '.npmrc')
  if (existsSync(settings)) build('copy', '--quiet', node, settings, '/root/.npmrc')
  // A proxy of this machine may have a certificate of its own
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env
  if (authorities !== undefined) {
    build('copy', '--quiet', node, realpathSync(authorities), '/etc/authorities.crt')
    build('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/authorities.crt', node)
  }
  return node
}

/** @returns all that lies in the image, in MB, and the account that it runs as */
function look(build: Build, container: string): { mb: number; user: string } {
  const place = build('mount', container)
  const mb = Math.round(Number(run('du', '-sb', place).split('\t')[0]) / 1e6)
  const user = build('inspect', '--format', '{{.OCIv1.Config.User}}', container)
  build('umount', container)
  return { mb, user }
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  return stdout
}
