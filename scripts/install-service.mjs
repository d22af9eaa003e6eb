/** `sudo npm run install-service -- shop.example`: installs this checkout as `chaabi setup` does with a package. */
import './need-node.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { buildIsFresh } from './build.mjs'
import { stageProgram } from './stage-program.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const PLACE = '/opt/chaabi'
const COMMAND = '/usr/local/bin/chaabi'
/** As this program names what it puts there. */
const STAGED = /^\d+\.\d+\.\d+-[0-9a-f]{8}(\.next)?$/
/** The package has its own, and takes its program away itself. */
const PACKAGED = '/usr/bin/chaabi'
const args = process.argv.slice(2)
const changes = !args.includes('--dry-run') && !args.includes('--uninstall')

if (process.platform !== 'linux' || process.getuid() !== 0) fail('Setup needs root on Linux. Run it with sudo.')
if (!buildIsFresh()) fail('The build is missing or out of date. Run without sudo: npm ci && npm run build')
const setUp = (program, options, ...more) =>
  spawnSync(process.execPath, [path.join(program, 'dist/server/main.js'), 'setup', ...args, ...more], options)
let program = path.join(PLACE, 'current')
if (changes) {
  const checked = setUp(ROOT, { encoding: 'utf8' }, '--dry-run')
  if (checked.status !== 0) fail(`${checked.stdout}${checked.stderr}`.trim())
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const { sources, builtAt } = JSON.parse(readFileSync(path.join(ROOT, 'dist/stamp.json'), 'utf8'))
  const name = `${version}-${sources.slice(0, 8)}`
  const place = path.join(PLACE, name)
  // A store that runs from it goes on reading it
  const shown = spawnSync('systemctl', ['show', '--property=MainPID', '--value', 'chaabi'], { encoding: 'utf8' })
  const running = `/proc/${shown.stdout?.trim() || 'none'}/exe`
  const [used] = existsSync(running) ? path.relative(PLACE, realpathSync(running)).split(path.sep) : []
  if (!existsSync(place)) {
    stageProgram(`${place}.next`, { version, madeAt: new Date(builtAt) })
    renameSync(`${place}.next`, place)
  }
  const next = `${program}.next`
  rmSync(next, { force: true })
  symlinkSync(name, next)
  renameSync(next, program)
  rmSync(COMMAND, { force: true })
  symlinkSync(path.join(program, 'bin/chaabi'), COMMAND)
  for (const old of readdirSync(PLACE))
    if (STAGED.test(old) && old !== name && old !== used) rmSync(path.join(PLACE, old), { recursive: true })
} else program = ROOT
const { status } = setUp(program, { stdio: 'inherit' })
if (status === 0 && args.includes('--uninstall') && !args.includes('--dry-run')) {
  rmSync(COMMAND, { force: true })
  if (!existsSync(PACKAGED)) rmSync(PLACE, { recursive: true, force: true })
}
process.exit(status ?? 1)

function fail(message) {
  console.error(message)
  process.exit(1)
}
