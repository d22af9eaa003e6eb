// Fails on lines of code over 120 characters, as a step of `npm run check`. The formatter leaves texts as long as they
// are, so SQL, class names and messages need a hand.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const LINE_MAX = 120
const CODE = /\.(tsx?|[mc]js|css|html|sql)$/
/** An applied migration is never changed, and a dump is data. */
const FROZEN = /^server\/migrations\/\d|^test\/upgrades\/.+\.sql$/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => CODE.test(file) && !FROZEN.test(file) && existsSync(file))

const faults = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.length > LINE_MAX ? [`${file}:${index + 1} has ${line.length} characters`] : [])),
)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
