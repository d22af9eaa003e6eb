/**
 * The machine is lost. An empty one brings the store back from the copy elsewhere, with the passphrase alone: the
 * newest backup through rsync, and one moment through ssh and rclone.
 */
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql } from '../server/platform/database/database.ts'
import { ARCHIVE_TIMEOUT_S, archiveDirectory } from '../server/platform/engine/log-archive.ts'
import { hasRclone, hasSsh, openRclonePlace, startSshServer } from '../test/worlds/copy-places.ts'
import { hasRsync, startRsyncServer } from '../test/worlds/rsync-server.ts'
import { compare, holds, inWords, startCrowd } from './crowd.ts'
import { newDirectory, type Drill, type DrillOptions } from './drill.ts'
import { loseAndRestore } from './restore.ts'
import { seedShop, type DrillShop } from './seed.ts'
import { command, endLater, startStore, type Command, type StoreProcess } from './store-process.ts'

const BUYERS = 8
const SALE_MS = 3_000
const ARCHIVED_MS_MAX = (ARCHIVE_TIMEOUT_S + 30) * 1_000
const PASSPHRASE = { BACKUP_PASSPHRASE: 'a drill passphrase' }
/** The file with rclone's remotes. */
const rcloneSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('RCLONE_') && value ? [[name, value]] : [],
    ),
  )

export const drill: Drill = async (options) => {
  const about = {
    proved:
      'the copy elsewhere and the passphrase are enough to have the whole store back, also as it was at a moment.',
    cannotProve: 'that somebody knows the passphrase; what was sold after the copy is not in it.',
  }
  if (!hasRsync) return { passed: true, skipped: true, figures: ['rsync is not installed'], ...about }
  const { address, stop } = await startRsyncServer(newDirectory(options.directories))
  endLater(async () => stop())
  const newest = await loseAndRestore(options, { address, passphrase: PASSPHRASE.BACKUP_PASSPHRASE })
  const moments = options.quick ? { passed: true, figures: [] } : await loseAndGoBack(options)
  return {
    passed: newest.passed && moments.passed,
    figures: [...newest.figures, ...moments.figures],
    ...about,
  }
}

/** Buyers buy before and after a moment. The machine is lost, and each copy brings back the store of that moment. */
async function loseAndGoBack(options: DrillOptions): Promise<{ passed: boolean; figures: string[] }> {
  const { say, directories } = options
  const places = await openPlaces(options)
  const store = await startStore({ directories, environment: { ARCHIVE_WAL: '1', ...PASSPHRASE } })
  const db = store.database()
  const shop = await seedShop(db, await store.sealer(), { buyers: BUYERS, keys: 20_000, balancePaise: 10_000_000 })
  await succeed(command('backup', [], store.dataDir, PASSPHRASE))
  const before = await sell(store, shop, directories)
  const { until } = await db.one(
    sql(z.object({ until: z.string() }))`select to_json(clock_timestamp()) #>> '{}' as until`,
  )
  await sell(store, shop, directories)
  say('buyers bought before and after a moment; the log is archived within a minute')
  await untilArchived(store)
  await db.close()
  for (const { address } of places)
    await succeed(
      command('backup', ['--copy'], store.dataDir, { ...PASSPHRASE, ...rcloneSettings(), BACKUP_COPY_TO: address }),
    )
  await store.kill()
  rmSync(store.dataDir, { recursive: true, force: true })

  const results = []
  for (const place of places) {
    say(`the machine is gone; ${place.name} brings back the moment`)
    results.push(await goBack(place, { until, before, shop }, newDirectory(options.directories)))
  }
  return { passed: results.every(({ passed }) => passed), figures: results.map(({ words }) => words) }
}

interface Place {
  name: string
  address: string
}

async function openPlaces(options: DrillOptions): Promise<Place[]> {
  const places: Place[] = []
  if (hasSsh) {
    const server = await startSshServer(path.join(newDirectory(options.directories), 'ssh'))
    endLater(async () => server.stop())
    places.push({ name: 'ssh', address: server.address })
  }
  if (hasRclone) places.push({ name: 'rclone', address: openRclonePlace(newDirectory(options.directories)) })
  return places
}

/** @returns the file in which the buyers wrote what was confirmed to them */
async function sell({ port }: StoreProcess, shop: DrillShop, directories: string[]): Promise<string> {
  const crowd = startCrowd({ port, ...shop, again: true, pauseMs: 20 }, directories)
  await sleep(SALE_MS)
  await crowd.stop()
  return crowd.acknowledgedFile
}

/** Resolves when what was sold until now is in the archive. */
async function untilArchived(store: StoreProcess): Promise<void> {
  const db = store.database()
  const { system, segment } = await db.one(sql(z.object({ system: z.string(), segment: z.string() }))`
    select system_identifier::text as system, pg_walfile_name(pg_current_wal_lsn()) as segment
      from pg_control_system()`)
  await db.close()
  const file = path.join(archiveDirectory(store.dataDir), system, `${segment}.wal`)
  for (const since = performance.now(); !existsSync(file); await sleep(200))
    if (performance.now() - since > ARCHIVED_MS_MAX) throw new Error(`${segment} is not archived`)
}

async function goBack(
  { name, address }: Place,
  { until, before, shop }: { until: string; before: string; shop: DrillShop },
  dataDir: string,
): Promise<{ passed: boolean; words: string }> {
  const restored = await succeed(
    command('restore', ['--from', address, '--until', until], dataDir, { ...PASSPHRASE, ...rcloneSettings() }),
  )
  const store = await startStore({ dataDir, environment: PASSPHRASE })
  const db = store.database()
  const found = await compare(db, before, shop)
  await db.close()
  const doctor = await (await command('doctor', [], dataDir, PASSPHRASE)).ended
  await store.stop()
  const took = `${(restored.tookMs / 1_000).toFixed(1)} s`
  return {
    passed: holds(found) && found.stored > 0 && doctor.code === 0,
    words:
      `one moment through ${name}, restored in ${took}: ${inWords(found)}` +
      (doctor.code === 0 ? '' : `; ${doctor.output.slice(-1_000)}`),
  }
}

async function succeed(running: Promise<Command>): Promise<Awaited<Command['ended']>> {
  const result = await (await running).ended
  if (result.code !== 0) throw new Error(result.output.slice(-1_000))
  return result
}
