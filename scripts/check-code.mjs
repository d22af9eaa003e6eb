// A step of `npm run check`. Fails on lines of code over 120 characters, because the formatter leaves texts as long as
// they are. Fails also on what the server must write in one place only.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const LINE_MAX = 120
const CODE = /\.(tsx?|[mc]js|css|html|sql)$/
/** An applied migration is never changed, and a dump is data. */
const FROZEN = /^server\/migrations\/\d|^test\/upgrades\/.+\.sql$/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => CODE.test(file) && !FROZEN.test(file) && existsSync(file))

/** What stands in these files of the server and in no other. */
const ONCE = [
  {
    what: /as "[a-z]+[A-Z]/,
    files: ['platform/database/connecting/direct-connection'],
    say: 'SQL has no names in camel case: `user_id` is read as `userId`',
  },
  { what: /from hidden_payments where/, files: ['platform/database/conditions'], say: 'use `isListed`' },
  {
    what: /closes_at is null and [\w.]*deleted_at is null|deleted_at is null and [\w.]*closes_at is null/,
    files: ['platform/database/conditions'],
    say: 'use `isOpenAccount`',
  },
  {
    what: /Asia\/Kolkata/,
    files: ['platform/database/indian-day', 'platform/http/pages/viewer-zone', 'messages/words/reminder-words'],
    say: 'use `indianDay` or contract/india.ts',
  },
]
const repeated = files
  .filter((file) => /^server\/.+\.ts$/.test(file) && !file.endsWith('.test.ts'))
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return ONCE.filter(
      ({ what, files: own }) => what.test(text) && !own.some((each) => file === `server/${each}.ts`),
    ).map(({ say }) => `${file}: ${say}`)
  })

const faults = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.length > LINE_MAX ? [`${file}:${index + 1} has ${line.length} characters`] : [])),
)
for (const fault of [...faults, ...repeated]) console.error(fault)
process.exitCode = faults.length + repeated.length === 0 ? 0 : 1
