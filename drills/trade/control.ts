/** Plants mistakes in copies of the sources, one after the other, and runs the quick drill on each: it must fail. */
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { plantIn, type PlantedBug } from '../../test/model/planted-bugs/plant.ts'
import { newDirectory, type DrillOptions, type Finding } from '../drill.ts'
import { endLater } from '../store-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const COPIED = ['contract', 'server', 'web', 'test', 'scripts', 'drills', 'package.json', 'tsconfig.json']
const ORDERS = 25

const BUGS: readonly PlantedBug[] = [
  {
    name: 'each try has a number of its own',
    changes: [
      {
        file: 'server/supply/ask.ts',
        find: 'number: numberOf(order),',
        replace: 'number: `${numberOf(order)}-${order.tries}`,',
      },
    ],
  },
  {
    name: 'a 401 is taken for no',
    changes: [
      {
        file: 'server/supply/ask.ts',
        find: '  } else await db.transaction((tx) => noteUnknown(tx, order, answer, clock.now()))',
        replace: `  } else if (answer.why === 'token')
    await db.transaction((tx) => noteRefused(tx, order, 'gone', clock.now()))
  else await db.transaction((tx) => noteUnknown(tx, order, answer, clock.now()))`,
      },
    ],
  },
  {
    name: 'an order is sent before it is noted as asked',
    changes: [
      {
        file: 'server/supply/take-orders.ts',
        find: "set state = 'asked', tries = ${tries}, leased_until",
        replace: 'set leased_until',
      },
      {
        file: 'server/supply/ask.ts',
        find: "  if (answer.is === 'came') {",
        replace: `  if (answer.is !== 'unknown')
    await db.run(sql\`
      update supply_orders set state = 'asked', tries = 1 where id = \${order.id} and state = 'waiting'\`)
  if (answer.is === 'came') {`,
      },
    ],
  },
  {
    name: 'an order without an answer is sent again, though it would be sold again',
    changes: [
      {
        file: 'server/supply/take-orders.ts',
        find: 'const isOnce = order.isOnce || template?.repeats === false',
        replace: 'const isOnce = order.isOnce',
      },
    ],
  },
  {
    name: 'a comparison takes all purchases of the account',
    changes: [{ file: 'server/supply/chaabi/books.ts', find: '?.startsWith(prefix) ?', replace: "?.includes('/') ?" }],
  },
  {
    name: 'an order is noted as come before its keys are in stock',
    changes: [
      {
        file: 'server/supply/bring-keys.ts',
        find: '  const batchIds = await importThem(supplying, order, arrived)',
        // A store waits so long for a slow disk. Without it the few kills of the quick drill would fall elsewhere
        replace: `  await supplying.db.run(sql\`
    update supply_orders
       set state = 'came', came = quantity, unit_paise = \${arrived.unitPrice}, ended_at = \${clock.now()}, why = null,
           their_order = \${arrived.theirOrder ?? null}, leased_until = null
     where id = \${order.id} and state = 'asked'\`)
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  const batchIds = await importThem(supplying, order, arrived)`,
      },
      {
        file: 'server/supply/bring-keys.ts',
        find: "and state = 'asked' for update",
        replace: "and state = 'came' for update",
      },
    ],
  },
  {
    name: 'what a supplier no longer sells stays offered to buyers',
    changes: [
      {
        file: 'server/supply/demand.ts',
        find: '/ source.their_paise)) else 0 end::int as offer',
        replace: '/ source.their_paise)) else source.offer end::int as offer',
      },
    ],
  },
]

export async function runControl({ directories, plant = '', say }: DrillOptions): Promise<Finding> {
  const bugs = BUGS.filter(({ name }) => name.includes(plant))
  const missed: string[] = []
  for (const bug of bugs) {
    let output = await runWith(bug, directories)
    // It broke before it looked, as on a machine that does much else
    if (!/^ {3}Wrong: /m.test(output)) output = await runWith(bug, directories)
    const found = /^ {3}Wrong: (?!nothing)(.*)$/m.exec(output)?.[1]
    say(`${bug.name}: ${found ?? 'NOT NOTICED'}`)
    if (found === undefined) {
      missed.push(bug.name)
      say(output.slice(-1_000))
    }
  }
  return {
    passed: bugs.length > 0 && missed.length === 0,
    figures: [`${bugs.length - missed.length} of ${bugs.length} planted mistakes noticed`, ...missed],
    proved: 'the drill notices these mistakes.',
    cannotProve: 'that it notices others.',
  }
}

async function runWith({ changes }: PlantedBug, directories: string[]): Promise<string> {
  const copy = newDirectory(directories)
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  for (const change of changes) {
    const file = path.join(copy, change.file)
    writeFileSync(file, plantIn(readFileSync(file, 'utf8'), change))
  }
  const drill = ['--import', 'tsx', 'drills/run.ts', 'trade', '--quick', '--count', String(ORDERS)]
  const child = spawn(process.execPath, drill, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] })
  endLater(async () => void (child.exitCode === null && child.kill('SIGTERM')))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  return output
}
