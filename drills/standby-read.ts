/**
 * A standby is no place to read from, and the store refuses to start on one.
 *
 * Reads are kept as long as the snapshot's text is the same (server/platform/database/snapshot-cache.ts). A standby
 * does not list who is under way, so there the same text can name different rows.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { promote, startPrimary, startStandby, urlOf } from '../test/worlds/engine-pair.ts'
import { newDirectory, ms, type Drill } from './drill.ts'
import { endLater, runStore } from './store-process.ts'

const REFUSED_MS_MAX = 5_000

export const drill: Drill = async ({ directories }) => {
  const directory = newDirectory(directories)
  const primary = await startPrimary(path.join(directory, 'a/postgres'))
  const standby = await startStandby(primary, path.join(directory, 'b/postgres'), { synchronous: true })
  endLater(async () => void (await Promise.allSettled([primary.stop(), standby.stop()])))

  const refused = await runStore('start', urlOf(standby), path.join(directory, 'store'))
  const seen = await readTwice(urlOf(primary), urlOf(standby))
  await promote(standby)
  const afterwards = await runStore('doctor', urlOf(standby), path.join(directory, 'store'))
  await Promise.all([primary.stop(), standby.stop()])
  const told = refused.output.trim()
  const [first, then] = seen
  const isAmbiguous = first?.snapshot === then?.snapshot && first?.rows !== then?.rows
  return {
    passed:
      refused.code === 1 &&
      /names a standby/.test(told) &&
      refused.tookMs <= REFUSED_MS_MAX &&
      afterwards.code === 0 &&
      isAmbiguous,
    figures: [
      `started on a standby: exit code ${refused.code} after ${ms(refused.tookMs)}: ${told}`,
      `read on the standby: ${seen.map(({ snapshot, rows }) => `${snapshot} with ${rows} rows`).join(', then ')}`,
      `promoted, it is taken: exit code of the doctor ${afterwards.code}`,
    ],
    proved: 'nobody reads from a standby by mistake, where one snapshot names different rows.',
    cannotProve: 'a standby behind a name that also leads to the primary: each connection is checked when it is made.',
  }
}

interface Seen {
  snapshot: string
  rows: number
}

/** Two transactions are open while a third commits. Then the later one of the two commits. */
async function readTwice(primaryUrl: string, standbyUrl: string): Promise<Seen[]> {
  const [early, late, sell, reader] = [primaryUrl, primaryUrl, primaryUrl, standbyUrl].map(
    (url) => new pg.Client(url),
  ) as [pg.Client, pg.Client, pg.Client, pg.Client]
  await Promise.all([early, late, sell, reader].map((client) => client.connect()))
  const seen: Seen[] = []
  const read = async () => {
    await sleep(300)
    const { rows } = await reader.query<Seen>(
      'select pg_current_snapshot()::text as snapshot, count(*)::int as rows from seen',
    )
    seen.push(...rows)
  }
  try {
    await early.query('create table seen (n int)')
    await early.query('begin; insert into seen values (1)')
    await late.query('begin; insert into seen values (2)')
    await sell.query('insert into seen values (3)')
    await read()
    await late.query('commit')
    await read()
    await early.query('commit')
  } finally {
    await Promise.all([early, late, sell, reader].map((client) => client.end()))
  }
  return seen
}
