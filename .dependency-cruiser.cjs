/**
 * The house rules that a tool can check. Arrows point down: web and server meet only in the contract,
 * plumbing knows no feature, and a feature imports only what it builds on.
 */
const { existsSync, readFileSync, readdirSync } = require('node:fs')

/** The panel's folders, whose looks are not in the user area's style sheet (web/styles/app.css). */
const panelOnly = '^web/[a-z-]+/admin/'

/** What each feature of the server may import, as ARCHITECTURE.md says. Its rows have one cell of features. */
const builtOn = Object.fromEntries(
  [
    ...readFileSync(`${__dirname}/ARCHITECTURE.md`, 'utf8')
      .split('## Which feature builds on which')[1]
      .split('\n## ')[0]
      .matchAll(/^\| `([a-z-]+)` +\| (.*?) *\|$/gm),
  ].map(([, feature, others]) => [feature, [...others.matchAll(/`([a-z-]+)`/g)].map(([, other]) => other)]),
)
const missing = readdirSync(`${__dirname}/server`).filter(
  (folder) => !(folder in builtOn) && existsSync(`${__dirname}/server/${folder}/routes.ts`),
)
if (missing.length > 0) throw new Error(`ARCHITECTURE.md does not say what these build on: ${missing.join(', ')}`)

/** On the screen, a purchase leads to a top-up, and the dashboard shows a little of everything. */
const shownWith = {
  ...builtOn,
  orders: [...builtOn.orders, 'payments', 'waiting', 'renewals', 'referrals'],
  // How many wait stands beside the stock of a duration
  // My Key says which promised purchase ended without a key, and what renews
  keys: [...builtOn.keys, 'claims', 'waiting', 'payments', 'renewals'],
  // A limit is typed as a top-up's sum is, beside today's price
  renewals: ['catalogue', 'payments'],
  // The chart of the dashboard, and the cost of a batch
  books: ['keys', 'reports'],
  // A refund's sum is typed as a top-up's is
  claims: ['payments'],
  waiting: ['messages', 'payments'],
  // The dialog of a user says which group's prices count
  users: [...builtOn.users, 'groups'],
  wallet: ['payments'],
  pictures: [],
  settings: ['pictures', 'backup'],
  catalogue: ['pictures'],
  // What the bank says stands in the row of a request. Who waits for a decision can turn on messages.
  // An invited buyer reads what the first payment brings
  payments: ['settings', 'bank', 'messages', 'referrals'],
  // A statement offers its holder's name for the pay dialog
  bank: ['settings'],
  // The first steps set up the store with its first keys, and the next request can be decided on the dashboard.
  reports: ['catalogue', 'keys', 'settings', 'payments', 'referrals', 'admins', 'forecast', 'claims', 'backup'],
  // A new password leaves the messages of the browser at hand on
  admins: ['sessions', 'messages'],
  // The account shows which messages its buyer gets, what they wait for, and how to invite friends. Sign-up shows the
  // product of a link
  sessions: ['messages', 'waiting', 'catalogue', 'referrals'],
  referrals: [],
  dashboard: ['catalogue', 'claims', 'keys', 'payments', 'settings', 'wallet'],
}

const features = (root, table) =>
  Object.entries(table).map(([feature, allowed]) => ({
    name: `${root}-${feature}-imports-only-what-it-builds-on`,
    severity: 'error',
    from: { path: `^${root}/${feature}/`, pathNot: '\\.test\\.tsx?$' },
    to: {
      path: `^${root}/(${Object.keys(table).join('|')})/`,
      pathNot: `^${root}/(${[feature, 'audit', ...allowed].join('|')})/`,
    },
  }))

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^contract/', 'node_modules/zod'] },
    },
    {
      name: 'web-and-server-meet-in-the-contract',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      // Both say their texts in the languages of the catalogues
      name: 'server-knows-no-web',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/', pathNot: '^web/words/[a-z-]+\\.json$' },
    },
    {
      name: 'plumbing-knows-no-feature',
      severity: 'error',
      from: { path: '^(server/platform|web/platform|web/ui)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: `^(server|web)/(${Object.keys(shownWith).join('|')})/` },
    },
    ...features('server', builtOn),
    ...features('web', shownWith),
    {
      name: 'the-user-area-shows-only-what-its-style-sheet-knows',
      severity: 'error',
      from: { path: '^web/', pathNot: [panelOnly, '^web/later-screens\\.ts$', '\\.test\\.tsx?$'] },
      to: { path: panelOnly, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-the-database-module-imports-the-driver',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/platform/database/[a-z/-]+\\.ts$|\\.test\\.ts$',
      },
      to: { path: 'node_modules/pg/' },
    },
    {
      name: 'only-the-http-modules-import-the-framework',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/(platform/http/[a-z/-]+|app|demo/seed-demo)\\.ts$|\\.test\\.ts$',
      },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      // From text to facts, without a store: a test or a page can read with it too
      name: 'reading-for-the-bank-knows-no-database',
      severity: 'error',
      from: { path: '^server/bank/reading/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(server/|node_modules/pg/)', pathNot: '^server/(bank/reading/|platform/load/map-yielding\\.ts$)' },
    },
    {
      // The HTTP modules take calls: they make the server and name the statuses
      name: 'only-the-outbound-module-calls-others',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/platform/(outbound|http/http|http/unreadable)\\.ts$|\\.test\\.ts$',
      },
      to: { path: '^(node:)?(https?|http2)$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'production-code-knows-no-tools',
      severity: 'error',
      from: { path: '^(contract|server|web)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(test|bench|drills|scripts)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'], conditionNames: ['import', 'default'] },
  },
}
