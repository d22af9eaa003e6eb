/** The container is built on a bare Debian and started. Skipped where buildah or debootstrap's base is missing. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../scripts/store-process.ts'
import { newDirectory, type Drill } from './drill.ts'
import { send } from './send.ts'
import { endLater } from './store-process.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const BASE = path.join(ROOT, '.cache/debian-systemd')
const HEALTHY_MS_MAX = 60_000
const STOPPED_MS = 5_000
const ABOUT = {
  proved: 'what a release holds runs in a container on a bare Debian, as an account that is not root.',
  cannotProve: 'Docker and compose, which are not here: buildah builds the Containerfile on Debian 12, and runs it.',
}

export const drill: Drill = async ({ directories }) => {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const tree = path.join(ROOT, `.cache/release/chaabi-${version}`)
  for (const [file, words] of [
    ['/usr/bin/buildah', 'buildah is not installed'],
    [BASE, 'There is no base. Make it: npm run drill -- setup'],
    [tree, 'There is no release. Make it: npm run release'],
  ] as const)
    if (!existsSync(file)) return { passed: true, skipped: true, figures: [words], ...ABOUT }
  const place = newDirectory(directories)
  const storage = ['--root', `${place}/store`, '--runroot', `${place}/run`, '--storage-driver', 'vfs']
  const build = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('buildah', [...storage, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`buildah ${args[0]} failed: ${stderr}`)
    return stdout.trim()
  }
  const began = performance.now()
  const debian = build('from', 'scratch')
  build('copy', '--quiet', debian, BASE, '/')
  build('commit', '--quiet', '--rm', debian, 'docker.io/library/debian:13-slim')
  const context = path.join(place, 'context')
  mkdirSync(path.join(context, '.cache/release'), { recursive: true })
  cpSync(tree, path.join(context, '.cache/release', path.basename(tree)), { recursive: true, verbatimSymlinks: true })
  cpSync(path.join(ROOT, '.dockerignore'), path.join(context, '.dockerignore'))
  const file = ['--file', path.join(ROOT, 'Containerfile'), '--pull-never', '--format', 'docker']
  build('build', '--quiet', '--isolation', 'chroot', ...file, '--tag', 'localhost/chaabi', context)
  const container = build('from', 'localhost/chaabi')
  const builtMs = performance.now() - began
  const port = await freePort()
  const environment = ['HOST=127.0.0.1', `PORT=${port}`].flatMap((each) => ['--env', each])
  const as = [
    'run',
    '--isolation',
    'chroot',
    ...environment,
    container,
    '--',
    '/opt/chaabi/current/bin/chaabi',
    'start',
  ]
  const start = [...storage, ...as]
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
  return { passed: healthy, figures: [`built in ${inS(builtMs)}, healthy ${inS(tookMs)} after its start`], ...ABOUT }
}
