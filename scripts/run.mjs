/**
 * Starts the store: `npm start`, `npm run demo`, `npm run doctor` run the build, which is made first when it is
 * missing or old; `npm run dev` runs the sources and reloads them.
 */
import './need-node.mjs'
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { buildIsFresh } from './build.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const MODES = ['start', 'demo', 'doctor', 'backup', 'restore', 'rotate-keys', 'recover-admin', 'dev']
const PARENT_WATCH_INTERVAL_MS = 250

const mode = process.argv[2]
if (!MODES.includes(mode)) fail(`Unknown command. Use one of: ${MODES.map((name) => `npm run ${name}`).join(', ')}.`)
if (!isInstalled('fastify')) fail('Packages are not installed. Run: npm ci')

endWithParent()
if (mode === 'dev') {
  await develop()
} else {
  process.env.NODE_ENV ??= 'production'
  if (!buildIsFresh()) await build()
  // In this very process, so that signals and the exit code are the server's own.
  await import('../dist/server/main.js')
}

/**
 * npm gives a signal to its shell, which may die of it without telling anyone: then the server would live on
 * unseen. So the end of that shell counts as SIGTERM, unless a signal has come, too.
 */
function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_WATCH_INTERVAL_MS).unref()
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15 })) {
    process.on(signal, () => {
      clearInterval(watch)
      // Until the server listens for signals, they end the process as they always do.
      if (process.listenerCount(signal) === 1) process.exit(128 + number)
    })
  }
}

async function build() {
  if (!isInstalled('vite')) {
    const state = existsSync(path.join(ROOT, 'dist')) ? 'out of date' : 'missing'
    fail(`The build is ${state} and the build tools are not installed. Run: npm ci --include=dev`)
  }
  console.log('Building the store (only when the code has changed)…')
  const { uid, gid } = statSync(ROOT)
  // Root would leave a build that the owner of the checkout cannot replace
  const owner = process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : {}
  const code = await ended(start('scripts/build.mjs', [], { ...owner, stdio: ['ignore', 'inherit', 'inherit'] }))
  if (code !== 0) fail('Build failed. See the errors above.')
}

/** The server on PORT + 1, restarted with every change, and Vite before it on PORT: one address for both. */
async function develop() {
  if (!isInstalled('vite') || !isInstalled('tsx'))
    fail('Development tools are not installed. Run: npm ci --include=dev')
  process.env.NODE_ENV ??= 'development'
  const port = Number(process.env.PORT || 4000)
  if (!Number.isInteger(port) || port < 1 || port > 65_534)
    fail('PORT must be a number from 1 to 65534 for npm run dev')
  const host = process.env.HOST || '127.0.0.1'
  const address = `http://${host}:${port}`
  process.env.API_PORT = String(port + 1)

  const { createServer } = await import('vite')
  const vite = await createServer({
    root: path.join(ROOT, 'web'),
    configFile: path.join(ROOT, 'vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    server: { port, host, strictPort: true },
  })
  await vite.listen()

  // PUBLIC_URL makes the server print the address to open, and accept requests from it.
  const env = { PUBLIC_URL: address, ...process.env, HOST: '127.0.0.1', PORT: process.env.API_PORT }
  const server = start('node_modules/tsx/dist/cli.mjs', ['watch', '--clear-screen=false', 'server/main.ts', 'start'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Away from the terminal's Ctrl-C, which would come to it twice.
    detached: true,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill('SIGTERM'))
  const code = await ended(server)
  await vite.close()
  process.exit(code)
}

/** Runs a script of Node in a process of its own. */
function start(script, args, options) {
  return spawn(process.execPath, [path.join(ROOT, script), ...args], { cwd: ROOT, ...options })
}

/** The exit code; while it runs, a signal to end goes to it first. */
async function ended(child) {
  const pass = (signal) => child.kill(signal)
  process.on('SIGTERM', pass)
  const code = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  process.off('SIGTERM', pass)
  return code
}

function isInstalled(name) {
  return existsSync(path.join(ROOT, 'node_modules', name, 'package.json'))
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
