// Fails on what the formatter leaves, as a step of `npm run check`: lines of code over 120 characters (texts, SQL and
// class names need a hand), what the server must write in one place only, who asks a machine for its time, dialogs
// that hold a form in a way of their own, exports that nothing imports, large folders, folders in a circle, and a
// program that has grown past what it may weigh.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const LINE_MAX = 120
const FOLDER_MAX = 15
/** What server, web and contract may weigh together, in lines without tests (`npm run weight`). */
const LINES_MAX = 103_100
/** Who raises the limit adds why, with the lines of the capability and what it replaces. */
const RISES = [
  '85,700 on 29 November 2026, after calls say what they make stale, and 300 for what was under way',
  '400 for the first run of a new store, one card a step, which replaces no screen: the guide stays',
  '300 for doubtful keys in a paste, and for answers that are known before they are worked for',
  '120 for the word that a newer version is out, which nobody said before',
  '100 for what became of places in the waiting list, which ended without a word',
  '1,350 for what India asks of a store: whom buyers pay, large payments, turnover and a proof; it replaces nothing',
  '130 for links of products, of the 200 that they may weigh',
  '460 for the tables of the paper for the bank, 150 above their part, and for what landed beside it',
  '150 for a file that sets a phone’s MacroDroid up; the values to paste stay for phones that do not open it',
  '200 for years in dates, taps at rest, refused senders, overdue claims and texts in tables, with their tests',
  '180 for cookies that come late or stale, and for a clock that was ahead, which locked people out',
  '100 for pages of payments by the row seen last, forward and back: `skip` stays for clients of others',
  '750 for tokens with which resellers’ programs buy, which nothing did before',
  '640 for money that a bank holds: mark, two dialogs, dashboard, ways to the paper',
  '1,000 for keys that renew at their end, from the wallet: server, message words and screens',
  '100 for the days on which a product’s buyers are reminded, and for renewals in the demo',
  '2,900 for suppliers from which stock fills up: server 1,530, screens 1,090, contract 260; it replaces nothing',
  '50 for a bank without money yet, claimed money in its bulk button, and a step back that comes late',
  '750 for comparisons with a supplier, keys reported to it, and a bound for what it refuses; they replace nothing',
  '400 for limits per buyer and trials: nothing said before how many one buyer may have',
  '300 for prices from a quantity on: one rule in SQL and in code, steps in the dialog, on Buy and in repricing',
  '1,000 for redeem codes: server 330, screens and their sheet to print 520, contract 110; it replaces nothing',
  '50 for the clock, the frozen account and the complaint in the paper for the bank',
  '850 for groups of buyers: screens 440, server 310, contract 100; custom prices of single buyers stay',
  '100 for what a second walk of the screens found: the arrival of a key is said while it loads',
  '250 for groups that buyers join by what they buy: the night’s grading 120, message, dialogs and contract 80',
  '1,000 for invitations of buyers: server 750, contract 150, SQL 120, less 30 of trials; codes of the store stay',
  '600 for what buyers order while it is out of stock: server 330, screens 220, contract 50; it replaces nothing',
  '800 for its screens: account, purchase, Add Money, sign-up, sharing a product, and the owner’s tab',
  '700 for suppliers with other APIs, where an error can look like a key: server 325, screens 260, contract 115',
  '400 for what a reading of all designs found missing: floors of banks, a word about old clients, kept rows',
  '200 for a supplier that is connected in twelve taps: what both sell is paired by name; and for orders in vain',
  '20 for names in the scripts of India, UPI IDs in capitals and a paper whose sums add up',
  '55 for another order in check, buttons at rest, marks of many in one question, the panel’s notices and its 404',
  '50 for the words of the audit log, and for books whose views stand over all that they choose',
  '40 for what a walk found on the buyer’s screens: holes between cards, and the store beside its login',
  '8 for the marks of what unfolds, and short codes of returned money',
]
const CODE = /\.(tsx?|[mc]js|css|html|sql)$/
/** An applied migration is never changed. */
const FROZEN = /^server\/migrations\/\d/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => CODE.test(file) && !FROZEN.test(file) && existsSync(file))
const production = files.filter((file) => /^(server|web)\/.+\.(tsx?|css)$/.test(file) && !/\.test\.tsx?$/.test(file))

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
  { what: /sql\(\s*z\./, files: [], say: 'use `sql(() => z.object(…))`, so that the schema is made once' },
  {
    what: /where (?:credit_id = credit|topup_id = request)\.id and released_at|match\.credit_id = credit\.id and match/,
    files: ['bank/credits/credit-states'],
    say: 'use IS_MATCHED, IS_PAID or MATCH_OF_CREDIT',
  },
  {
    what: /proof = 'none' and (?:\w+\.)?import_id is null/,
    files: ['bank/credits/credit-states'],
    say: 'use IS_PROPOSED',
  },
  {
    what: /Asia\/Kolkata/,
    files: ['platform/database/indian-day'],
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

/** What asks a machine, or a statement of PostgreSQL, for its time. */
const ASKS_TIME = [
  /\bDate\.now\b|\bnew Date(?:\(\)|(?![\w(]))|(?<![.\w] ?)\bDate\(\)|\bmachineClock\b/,
  /(?<![.\w])(?:now|(?:clock|statement|transaction)_timestamp|timeofday)\(\)/i,
  /\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/i,
]
/** Who may, and why. Rules ask the clock that they are given, and a time-out asks `performance`. */
const MAY_ASK_TIME = {
  'server/platform/clock.ts': 'is the clock',
  'server/platform/database/migrations.ts': 'notes when a migration was made, before there is a clock',
  'server/platform/engine/postgres-claim.ts': 'the times of its files',
  'server/platform/engine/log-archive.ts': 'the times of its files',
  'server/operations/check-archive.ts': 'the times of its files',
  'server/operations/doctor.ts': 'compares the machine with the database',
  'server/backup/base-copy.ts': 'the moment of that very statement of the database',
  'server/backup/s3-place.ts': 'signs for a service that compares the time of the machine with its own',
  'web/platform/clock.ts': 'is the clock',
  'web/platform/calls/boot.ts': 'stands in for the store’s page while developing',
  'web/platform/session/session.ts': 'how long ago this page asked',
  'web/orders/purchase/purchase.ts': 'how long ago this device showed the keys',
  'web/orders/purchase/pending-purchase.ts': 'how long ago this device showed the keys',
  'web/bank/admin/upload/shared-statement.ts': 'how long ago this device was given the file',
  'web/public/sw.js': 'when this device was given the file',
}
const ownTimes = files
  .filter((file) => /^(server|contract|web)\/.+\.(tsx?|js)$/.test(file) && !/\.test\.tsx?$/.test(file))
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const asks = ASKS_TIME.some((how) => how.test(text))
    if (asks === file in MAY_ASK_TIME) return []
    return [`${file}: ${asks ? 'take the time from the clock that is given' : 'no longer asks for the time'}`]
  })

/** Dialogs of the panel describe their forms to `useForm`. This one is in the panel’s first load, without schemas. */
const OWN_FORM = 'web/admins/admin/step-up-dialog.tsx'
const ownForms = production
  .filter((file) => /^web\/.+\/admin\//.test(file) && file !== OWN_FORM)
  .filter((file) => {
    const text = readFileSync(file, 'utf8')
    return text.includes('<EditDialog') && /useState[<(]/.test(text) && !text.includes('useForm(')
  })
  .map((file) => `${file}: describe the form to \`useForm\``)

/** @returns groups of folders that import each other, by way of others or not, each once */
function circlesOf(/** @type {Map<string, Set<string>>} */ imports) {
  const reach = (/** @type {string} */ from, found = new Set()) => {
    for (const to of imports.get(from) ?? []) if (!found.has(to)) reach(to, found.add(to))
    return found
  }
  const reached = new Map([...imports.keys()].map((folder) => [folder, reach(folder)]))
  const groups = [...reached].map(([folder, found]) =>
    [...found]
      .filter((other) => found.has(folder) && reached.get(other)?.has(folder))
      .toSorted((one, other) => one.localeCompare(other)),
  )
  return groups.filter(([first], at) => first && groups.findIndex(([other]) => other === first) === at)
}

/** @returns what each folder imports; `of` says which folder a file counts for */
function importsBy(/** @type {(file: string) => string} */ of) {
  /** @type {Map<string, Set<string>>} */
  const imports = new Map()
  for (const file of production) {
    for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const [importer, imported] = [of(file), of(path.join(path.dirname(file), to))]
      if (importer !== imported) imports.set(importer, (imports.get(importer) ?? new Set()).add(imported))
    }
  }
  return imports
}

const NAMED = /(?:import|export)\s[\w\s,]*\{([^}]*)\}\s+from\s+'(\.[^']+)'/g
const ADDED_TO = /declare module '(\.[^']+)' \{\s+interface (\w+)/g
const WHOLE = /(?:import\s*\(\s*|\*\s+(?:as\s+\w+\s+)?from\s+)'(\.[^']+)'/g
/** `import('./plan-dialog.tsx').then((file) => file.PlanDialog)` uses one of its exports. */
const LATER = /import\s*\(\s*'(\.[^']+)'\s*\)\s*\.then\(\((\w+)\) => \2\.(\w+)/g
const EXPORTED = /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm

/** @returns what production code exports and no file imports. All of a file that is imported whole is used */
function unusedExports() {
  const used = new Set()
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const to = (/** @type {string} */ from) => path.join(path.dirname(file), from)
    for (const [, names = '', from = ''] of text.matchAll(NAMED))
      for (const name of names.split(',')) used.add(`${to(from)} ${name.trim().replace(/^type | as .*/g, '')}`)
    for (const [, from = '', name = ''] of text.matchAll(ADDED_TO)) used.add(`${to(from)} ${name}`)
    for (const [, from = '', , name = ''] of text.matchAll(LATER)) used.add(`${to(from)} ${name}`)
    for (const [, from = ''] of text.replaceAll(LATER, '').matchAll(WHOLE)) used.add(to(from))
  }
  return files
    .filter((file) => /^(server|web|contract)\//.test(file) && !/\.test\.|^web\/server\.tsx$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(EXPORTED)].map(([, name]) => ({ file, name })))
    .filter(({ file, name }) => !used.has(file) && !used.has(`${file} ${name}`))
    .map(({ file, name }) => `${file}: nobody uses ${name}`)
}

const weight = files
  .filter((file) => /^(server|web|contract)\/.+\.(tsx?|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))
  .reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)

const sizes = new Map()
for (const file of production) sizes.set(path.dirname(file), (sizes.get(path.dirname(file)) ?? 0) + 1)
const featureOf = (/** @type {string} */ file) => path.dirname(file).split('/').slice(0, 2).join('/')
const circles = [path.dirname, featureOf].flatMap((of) => circlesOf(importsBy(of)))

const faults = [
  ...repeated,
  ...ownTimes,
  ...ownForms,
  ...unusedExports(),
  ...files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > LINE_MAX ? [`${file}:${index + 1} has ${line.length} characters`] : [])),
  ),
  ...[...sizes].flatMap(([folder, count]) =>
    count > FOLDER_MAX ? [`${folder} has ${count} files, and may have 15`] : [],
  ),
  ...(weight > LINES_MAX
    ? [`${weight} lines, and ${LINES_MAX} may be: take some away, or raise LINES_MAX. So far: ${RISES.join('; ')}`]
    : []),
  ...circles.map((circle) => `folders in a circle: ${circle.join(' ↔ ')}`),
]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
